import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { NodeJson } from '../../harness/engine.cts';
import type { Service } from './service.cts';
import { CREDENTIAL } from './subjects.cts';

/** The parts of `e2e/lib` that are used here. */
interface Library {
	installNode(major: number): Promise<string>;
	installN8n(release: Release): Promise<string>;
	targets: Release[];
	createNpmShim(folder: string, tarball: object): Promise<string>;
	startN8n(options: object): Promise<StartedN8n>;
}

interface Release {
	version: string;
	node: number;
	env: object;
}

interface StartedN8n {
	rest(method: string, path: string, body?: object): Promise<{ id: string; name: string }>;
	run(workflow: object): Promise<string>;
	finished(id: string, seconds: number): Promise<Execution>;
	stop(): Promise<void>;
}

interface Execution {
	status: string;
	startedAt: string;
	stoppedAt: string;
	data: {
		resultData: {
			error?: { message: string };
			runData: Record<string, { data?: { main: ({ length: number } | null)[] } }[]>;
		};
	};
}

/** A workflow whose trigger puts out the items. */
export interface WholeWorkflow {
	nodes: NodeJson[];
	connections: object;
	items: number;
	/** The node that every item must have come to. */
	last: string;
}

/** A whole n8n with the built package installed as a community package. */
export interface WholeN8n {
	version: string;
	/** Points the credential at another service. */
	use(service: Service): Promise<void>;
	/** @returns how long the execution took, in seconds */
	run(workflow: WholeWorkflow): Promise<number>;
	stop(): Promise<void>;
}

const MAX_SECONDS = 900;

const execute = promisify(execFile);

/** Installs the release that an engine belongs to, with n8n's own nodes. */
export async function installRelease(major: number): Promise<void> {
	const { installN8n, targets } = await loadLibrary();
	const release = targets.find(({ version }) => version.startsWith(`${String(major)}.`));
	if (release !== undefined) await installN8n(release);
}

/** Starts the newest release that the end-to-end tests know; the first time, it is installed. */
export async function startWholeN8n(): Promise<WholeN8n> {
	const lib = await loadLibrary();
	const [release] = lib.targets;
	const programs = {
		node: await lib.installNode(release.node),
		script: await lib.installN8n(release),
	};
	const folder = mkdtempSync(join(tmpdir(), 'bench-n8n-'));
	const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
		string,
		string
	>;
	const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
	const { stdout } = await execute('npm', pack);
	const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
	const tarball = join(folder, filename);
	const shim = await lib.createNpmShim(join(folder, 'bin'), { tarball, version });
	const n8n = await lib.startN8n({
		...programs,
		folder,
		cwd: resolve('.'),
		path: [shim],
		env: release.env,
	});
	await n8n.rest('POST', '/community-packages', { name, version });
	let credential = { id: '', name: '' };

	return {
		version: release.version,
		async use({ origin, token }) {
			const data = { baseUrl: origin, accessToken: token, allowedHttpRequestDomains: 'all' };
			credential = await n8n.rest('POST', '/credentials', { name: origin, type: CREDENTIAL, data });
		},
		async run({ nodes, connections, items, last }) {
			const workflow = await n8n.rest('POST', '/workflows', {
				name: 'Bench',
				active: false,
				settings: { executionOrder: 'v1' },
				nodes: nodes.map((node, index) => ({
					id: String(index),
					position: [index * 200, 0],
					parameters: {},
					...node,
					...(usesCredential(node) && {
						credentials: { [CREDENTIAL]: { id: credential.id, name: credential.name } },
					}),
				})),
				connections,
				pinData: { [nodes[0].name]: Array.from({ length: items }, () => ({ json: {} })) },
			});
			const id = await n8n.run(workflow);
			const { status, startedAt, stoppedAt, data } = await n8n.finished(id, MAX_SECONDS);
			const { error, runData } = data.resultData;
			if (status !== 'success') throw new Error(`${status}: ${error?.message ?? 'no reason'}`);
			const arrived = (runData[last] ?? [])
				.map((run) => run.data?.main[0]?.length ?? 0)
				.reduce((sum, count) => sum + count, 0);
			if (arrived !== items) throw new Error(`${String(items)} items, ${String(arrived)} arrived`);
			return (Date.parse(stoppedAt) - Date.parse(startedAt)) / 1000;
		},
		async stop() {
			await n8n.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function usesCredential({ type }: NodeJson): boolean {
	return type.endsWith('.httpRequest') || type.endsWith('.dataExtractionAgent');
}

async function loadLibrary(): Promise<Library> {
	const files = ['install', 'n8n', 'npmShim', 'releases'];
	const modules = await Promise.all(
		files.map(
			async (file) =>
				(await import(pathToFileURL(resolve('e2e/lib', `${file}.mjs`)).href)) as Partial<Library>,
		),
	);
	return Object.assign({}, ...modules) as Library;
}
