import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { credentialChecks } from './checks/credential.mjs';
import { editorChecks } from './checks/editor.mjs';
import { exampleChecks } from './checks/examples.mjs';
import { packageChecks } from './checks/package.mjs';
import { installN8n, installNode, pack } from './lib/install.mjs';
import { startN8n } from './lib/n8n.mjs';
import { createNpmShim } from './lib/npmShim.mjs';
import { releases } from './lib/releases.mjs';
import { drawTable } from './lib/table.mjs';

const { values: settings } = parseArgs({
	options: {
		/** Where the built project is. */
		project: { type: 'string', default: join(dirname(fileURLToPath(import.meta.url)), '..') },
		/** Only n8n releases that begin with this. */
		release: { type: 'string', default: '' },
		/** Where to put screenshots, in one folder per release; without it there are none. */
		screenshots: { type: 'string' },
		/** Whether to run the checks that need a browser. */
		editor: { type: 'boolean', default: true },
		verbose: { type: 'boolean', default: false },
	},
	allowNegative: true,
});
const project = resolve(settings.project);
const { startSimulator } = createRequire(import.meta.url)(
	join(project, 'build', 'simulator', 'server.cjs'),
);

const checks = {
	...packageChecks,
	...credentialChecks,
	...exampleChecks,
	...(settings.editor && editorChecks),
};

/** Installs and starts one release and runs all checks. @returns the outcome of each */
async function tryRelease(release, tarball) {
	const folder = await mkdtemp(join(tmpdir(), 'data-extraction-agent-e2e-'));
	const { name, version } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
	const outcomes = new Map();
	const cleanups = [() => rm(folder, { recursive: true, force: true })];
	async function step(title, action) {
		const start = performance.now();
		const outcome = { title };
		try {
			outcome.value = await action();
		} catch (error) {
			outcome.error = error;
		}
		outcome.seconds = (performance.now() - start) / 1000;
		outcomes.set(title, outcome);
		const sign = outcome.error ? '✗' : '✓';
		console.log(`${sign} n8n ${release.version}: ${title} (${outcome.seconds.toFixed(1)} s)`);
		if (outcome.error) console.log(`  ${outcome.error.stack ?? outcome.error}`);
		return outcome.value;
	}

	try {
		const programs = await step('install n8n', async () => ({
			node: await installNode(release.node),
			script: await installN8n(release),
		}));
		if (programs === undefined) return outcomes;
		const shim = await createNpmShim(join(folder, 'bin'), { tarball, version });
		const n8n = await step('start n8n', () =>
			startN8n({
				...programs,
				folder,
				cwd: project,
				path: [shim],
				env: { ...release.env, N8N_RESTRICT_FILE_ACCESS_TO: join(project, 'examples') },
			}),
		);
		if (n8n === undefined) return outcomes;
		cleanups.unshift(() => n8n.stop());
		const simulator = await startSimulator({
			jobDurationMs: 300,
			pagesDirectory: join(project, 'examples', 'inputs', 'pages'),
		});
		cleanups.unshift(() => simulator.close());
		const state = { notes: [], workflows: {} };
		const context = { release, n8n, simulator, startSimulator, project, name, version, state };
		context.screenshots = settings.screenshots && resolve(settings.screenshots, release.version);
		context.cleanups = cleanups;
		for (const [title, check] of Object.entries(checks)) await step(title, () => check(context));
		if (settings.verbose) for (const note of state.notes) console.log(`  ${note}`);
		if (settings.verbose && [...outcomes.values()].some(({ error }) => error)) {
			console.log((await readFile(n8n.log, 'utf8')).slice(-4000));
		}
	} finally {
		for (const cleanup of cleanups) await cleanup();
	}
	return outcomes;
}

const start = performance.now();
const tarball = await pack(project);
const chosen = releases.filter(({ version }) => version.startsWith(settings.release));
const results = [];
for (const release of chosen) results.push(await tryRelease(release, tarball));

const titles = ['install n8n', 'start n8n', ...Object.keys(checks)];
console.log(
	`\n${drawTable([
		['Check', ...chosen.map(({ version, node }) => `n8n ${version}, Node.js ${node}`)],
		...titles.map((title) => [
			title,
			...results.map((outcomes) => {
				const outcome = outcomes.get(title);
				if (outcome === undefined) return 'not reached';
				return `${outcome.error ? 'FAILED' : 'ok'}  ${outcome.seconds.toFixed(1)} s`;
			}),
		]),
	])}`,
);
const isGood = results.every((outcomes) =>
	titles.every((title) => outcomes.has(title) && !outcomes.get(title).error),
);
console.log(
	`\n${isGood ? 'All good' : 'Failed'}, ${((performance.now() - start) / 1000).toFixed(0)} s.`,
);
process.exitCode = isGood ? 0 : 1;
