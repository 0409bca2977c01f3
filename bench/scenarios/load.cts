import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { runProcess } from '../lib/children.cts';
import { saveResults, settingOf } from '../lib/results.cts';
import { median, rounded } from '../lib/statistics.cts';

/** One package, beside what n8n has loaded anyway. */
export interface LoadRow {
	package: string;
	version: string;
	/** Packages that are installed with it. */
	dependencies: number;
	/** Median of fresh processes. */
	requireMs: number;
	packedKb: number;
	unpackedKb: number;
}

const execute = promisify(execFile);

/** Packages of the registry, installed here. */
const PEERS_FOLDER = resolve('build/peers');
const PEERS = {
	'@mendable/n8n-nodes-firecrawl': '2.1.2',
	'n8n-nodes-evolution-api': '1.0.4',
	'n8n-nodes-mcp': '0.1.37',
};

/** How long the built package takes to load, and its size, beside published packages. */
export async function measureLoad(runs: number): Promise<void> {
	const { name, version } = require(resolve('package.json')) as Record<string, string>;
	const folders = new Map([[name, resolve('.')]]);
	const versions: Record<string, string> = { [name]: version, ...PEERS };
	const dependencies: Record<string, number> = { [name]: 0 };
	for (const [peer, peerVersion] of Object.entries(PEERS)) {
		const folder = join(PEERS_FOLDER, peer);
		dependencies[peer] = (await install(folder, peer, peerVersion)) - 1;
		folders.set(peer, join(folder, 'node_modules', peer));
	}
	const times = new Map<string, number[]>([...folders.keys()].map((key) => [key, []]));
	for (let run = 0; run < runs; run++) {
		for (const [key, folder] of folders) {
			const { requireMs } = await runProcess<{ requireMs: number }>('requireTime', folder);
			times.get(key)?.push(requireMs);
		}
	}
	const rows: LoadRow[] = [];
	for (const [key, measured] of times) {
		const { size, unpackedSize } = await packed(key === name ? [] : [`${key}@${versions[key]}`]);
		rows.push({
			package: key,
			version: versions[key],
			dependencies: dependencies[key],
			requireMs: rounded(median(measured), 1),
			packedKb: rounded(size / 1000, 1),
			unpackedKb: rounded(unpackedSize / 1000, 1),
		});
	}
	console.table(rows);
	saveResults('load', { setting: { ...settingOf(runs < 10), runs }, rows });
}

/** @returns the number of packages that are there then */
async function install(folder: string, name: string, version: string): Promise<number> {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'package.json'), '{ "private": true }');
	const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
	await execute('npm', ['install', ...flags, `${name}@${version}`], { cwd: folder });
	return readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' }).filter(
		(path) => /(^|node_modules\/)(@[^/]+\/)?[^@./][^/]*\/package\.json$/.test(path),
	).length;
}

async function packed(what: string[]): Promise<{ size: number; unpackedSize: number }> {
	const { stdout } = await execute('npm', [
		'pack',
		...what,
		'--json',
		'--dry-run',
		'--ignore-scripts',
	]);
	const [answer] = JSON.parse(stdout) as [{ size: number; unpackedSize: number }];
	return answer;
}
