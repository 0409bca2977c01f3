import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The parts of `e2e/lib` that are used here. */
export interface Library {
	installNode(major: number): Promise<string>;
	installN8n(release: Release): Promise<string>;
	targets: Release[];
	createNpmShim(folder: string, tarball: object): Promise<string>;
	startN8n(options: object): Promise<StartedN8n>;
	systemPrograms(names: string[]): Promise<object>;
	startQueue(context: object): Promise<Queue>;
	oneNodeWorkflow(context: object, path: string, responseMode: string): object;
	publish(n8n: StartedN8n, workflow: object): Promise<{ call(body: object): Promise<unknown> }>;
}

export interface Release {
	version: string;
	node: number;
	env: object;
}

export interface StartedN8n {
	rest(method: string, path: string, body?: object): Promise<{ id: string; name: string }>;
	run(workflow: object): Promise<string>;
	finished(id: string, seconds: number): Promise<Execution>;
	stop(): Promise<void>;
}

interface Queue {
	n8n: StartedN8n;
	addWorker(name: string): Promise<{ hasInstalled(packageName: string): Promise<void> }>;
}

interface Packed {
	name: string;
	version: string;
	tarball: string;
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

/** Installs the release that an engine belongs to, with n8n's own nodes. */
export async function installRelease(major: number): Promise<void> {
	const { installN8n, targets } = await loadLibrary();
	const release = targets.find(({ version }) => version.startsWith(`${String(major)}.`));
	if (release !== undefined) await installN8n(release);
}

/** Packs the built project. @returns what `npm install` would get, and its name and version */
export async function packProject(folder: string): Promise<Packed> {
	const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Packed;
	const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
	const { stdout } = await execute('npm', pack);
	const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
	return { name, version, tarball: join(folder, filename) };
}

/** The end-to-end tests' own ways to install and start n8n. */
export async function loadLibrary(): Promise<Library> {
	const files = [
		'install',
		'n8n',
		'npmShim',
		'releases',
		'system',
		'queue',
		'queueWorkflows',
		'webhooks',
	];
	const modules = await Promise.all(
		files.map(
			async (file) =>
				(await import(pathToFileURL(resolve('e2e/lib', `${file}.mjs`)).href)) as Partial<Library>,
		),
	);
	return Object.assign({}, ...modules) as Library;
}
