import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cleanUpWhenInterrupted, createCleanups } from './lib/cleanups.mjs';
import { installN8n, installNode, pack } from './lib/install.mjs';
import { targets } from './lib/releases.mjs';
import { createReport, summarize } from './lib/suite.mjs';
import { systemPrograms } from './lib/system.mjs';
import { always, createSuites } from './suites.mjs';

const { values: settings } = parseArgs({
	options: {
		/** Where the built project is. */
		project: { type: 'string', default: join(dirname(fileURLToPath(import.meta.url)), '..') },
		/** Only targets whose title holds this, `2.41` or `Node.js 20` for example. */
		target: { type: 'string', default: '' },
		/** Only the suite of this name. */
		suite: { type: 'string' },
		/** Only checks whose title holds this, and those that install and create the credential. */
		check: { type: 'string', default: '' },
		/** Where to put screenshots, in one folder per target; without it there are none. */
		screenshots: { type: 'string' },
		/** Whether to run the checks that need a browser. */
		editor: { type: 'boolean', default: true },
		verbose: { type: 'boolean', default: false },
	},
	allowNegative: true,
});
const isChosen = (title) => title.includes(settings.check) || always.includes(title);
const project = resolve(settings.project);
const { startSimulator } = createRequire(import.meta.url)(
	join(project, 'build', 'simulator', 'server.cjs'),
);

/** Runs all checks of a suite on one target. */
async function runSuite(suite, shared, report) {
	const { target, step } = report;
	const { actions: cleanups, cleanUp } = createCleanups();
	try {
		const folder = await mkdtemp(join(tmpdir(), 'data-extraction-agent-e2e-'));
		cleanups.push(() => rm(folder, { recursive: true, force: true }));
		const context = {
			...shared,
			release: target,
			programs: installed.get(target),
			folder,
			cleanups,
		};
		context.state = { notes: [] };
		if (settings.screenshots) {
			context.screenshots = resolve(settings.screenshots, target.title.replace(/\W+/g, '-'));
			await mkdir(context.screenshots, { recursive: true });
		}
		await suite.open(context, step);
		if ([...report.outcomes.values()].some(({ error }) => error)) return;
		for (const [title, check] of suite.checks) {
			await step(title, () => check(context));
		}
		if (settings.verbose) for (const note of context.state.notes) console.log(`  ${note}`);
		if (settings.verbose && [...report.outcomes.values()].some(({ error }) => error)) {
			if (context.n8n) console.log((await readFile(context.n8n.log, 'utf8')).slice(-4000));
		}
	} finally {
		await cleanUp();
	}
}

cleanUpWhenInterrupted(130);
const start = performance.now();
const chosenTargets = targets.filter(({ title }) => title.includes(settings.target));
const chosenSuites = Object.entries(createSuites(settings))
	.filter(([name]) => settings.suite === undefined || settings.suite === name)
	.map(([, suite]) => suite);

// Installing takes minutes; all at once is the fastest.
const system = systemPrograms(chosenSuites.flatMap(({ programs }) => programs));
const scripts = new Map();
for (const target of chosenTargets) {
	if (!scripts.has(target.version)) scripts.set(target.version, installN8n(target));
}
const installed = new Map();
const installReports = chosenTargets.map(createReport);
await Promise.all(
	installReports.map(async ({ target, step }) => {
		const programs = await step('install n8n', async () => ({
			node: await installNode(target.node),
			script: await scripts.get(target.version),
		}));
		if (programs !== undefined) installed.set(target, programs);
	}),
);
const { name, version } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
const shared = {
	project,
	name,
	version,
	startSimulator,
	tarball: await pack(project),
	system: await system,
};

const reports = [...installReports];
const plan = new Map(chosenTargets.map((target) => [target, ['install n8n']]));
await Promise.all(
	chosenSuites.map(async (suite) => {
		for (const target of chosenTargets.filter(suite.has)) {
			const checks = Object.entries(suite.checksOf(target)).filter(([title]) => isChosen(title));
			plan.get(target).push(...suite.opening, ...checks.map(([title]) => title));
			if (!installed.has(target)) continue;
			const report = createReport(target);
			reports.push(report);
			await runSuite({ ...suite, checks }, shared, report);
		}
	}),
);

const { table, passed, failed } = summarize(reports, plan);
console.log(`\n${table}\n\n${((performance.now() - start) / 1000).toFixed(0)} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
