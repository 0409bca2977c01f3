import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cleanUpWhenInterrupted, createCleanups } from './lib/cleanups.mjs';
import { exampleNames, readExample } from './lib/examples.mjs';
import { installN8n, installNode, pack } from './lib/install.mjs';
import { startN8n } from './lib/n8n.mjs';
import { createNpmShim } from './lib/npmShim.mjs';
import { freePort } from './lib/processes.mjs';
import { targets } from './lib/releases.mjs';

// A whole n8n to try the node in, with all that is needed: the packed node, the simulated service,
// a credential for it, and the example workflows. Nothing of it is left after Ctrl-C.

const { values: settings } = parseArgs({
	options: {
		/** An n8n release, or how it begins; the newest one by default. */
		release: { type: 'string', default: '' },
	},
});
const project = join(dirname(fileURLToPath(import.meta.url)), '..');
const { startSimulator } = createRequire(import.meta.url)(
	join(project, 'build', 'simulator', 'server.cjs'),
);
const n8nPort = 5678;
const simulatorPort = 3456;

async function open(target, cleanups) {
	console.log(`Installing ${target.title}; the first time this takes some minutes.`);
	const [node, script] = await Promise.all([installNode(target.node), installN8n(target)]);
	const tarball = await pack(project);
	const { name, version } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));

	console.log('Starting it.');
	const folder = await mkdtemp(join(tmpdir(), 'data-extraction-agent-playground-'));
	cleanups.unshift(() => rm(folder, { recursive: true, force: true }));
	const simulator = await startSimulator({
		port: await freePort(simulatorPort),
		pagesDirectory: join(project, 'examples', 'inputs', 'pages'),
	});
	cleanups.unshift(() => simulator.close());
	const n8n = await startN8n({
		node,
		script,
		folder,
		cwd: project,
		wantedPort: n8nPort,
		path: [await createNpmShim(join(folder, 'bin'), { tarball, version })],
		env: { ...target.env, N8N_RESTRICT_FILE_ACCESS_TO: join(project, 'examples') },
	});
	cleanups.unshift(() => n8n.stop());

	await n8n.rest('POST', '/community-packages', { name, version });
	const credential = await n8n.rest('POST', '/credentials', {
		name: 'Simulated service',
		type: 'dataExtractionAgentApi',
		data: { baseUrl: simulator.origin, accessToken: simulator.token },
	});
	for (const example of await exampleNames(project)) {
		const workflow = await readExample({ project, simulator, name, credential }, example);
		await n8n.rest('POST', '/workflows', workflow);
	}
	return { n8n, simulator };
}

cleanUpWhenInterrupted(0);
const { actions, cleanUp } = createCleanups();
try {
	const target = targets.find(({ version }) => version.startsWith(settings.release));
	if (target === undefined) throw new Error(`There is no release ${settings.release} here`);
	const { n8n, simulator } = await open(target, actions);
	console.log(`
The playground is open. Ctrl-C closes it and removes everything in it.

n8n        ${n8n.origin}
E-mail     ${n8n.owner.email}
Password   ${n8n.owner.password}

The example workflows are imported, with a credential for the simulated service:
Base URL   ${simulator.origin}
Token      ${simulator.token}
`);
	await n8n.ended;
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
} finally {
	await cleanUp();
}
