import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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
	/** On disk, with all packages that are installed with it. */
	installedKb: number;
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
	const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
	const folders = new Map([[name, resolve('.')]]);
	const versions: Record<string, string> = { [name]: version, ...PEERS };
	const installed = new Map<string, Installed>();
	for (const [peer, peerVersion] of Object.entries(PEERS)) {
		const folder = join(PEERS_FOLDER, peer);
		installed.set(peer, await install(folder, peer, peerVersion));
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
			dependencies: installed.get(key)?.dependencies ?? 0,
			requireMs: rounded(median(measured), 1),
			packedKb: rounded(size / 1000, 1),
			unpackedKb: rounded(unpackedSize / 1000, 1),
			installedKb: rounded((installed.get(key)?.bytes ?? unpackedSize) / 1000, 1),
		});
	}
	console.table(rows);
	saveResults('load', { setting: { ...settingOf(), runs }, rows });
}

interface Manifest {
	name: string;
	version: string;
}

interface Installed {
	dependencies: number;
	bytes: number;
}

async function install(folder: string, name: string, version: string): Promise<Installed> {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'package.json'), '{ "private": true }');
	const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
	await execute('npm', ['install', ...flags, `${name}@${version}`], { cwd: folder });
	const lock = join(folder, 'node_modules/.package-lock.json');
	const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: object };
	const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
	const bytes = files
		.filter((file) => file.isFile())
		.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
	return { dependencies: Object.keys(packages).length - 1, bytes };
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
