import { join } from 'node:path';
import { agentChecks } from './checks/agent.mjs';
import { credentialChecks } from './checks/credential.mjs';
import { customApiCallChecks } from './checks/customApiCall.mjs';
import { editorChecks, pictureChecks } from './checks/editor.mjs';
import { exampleChecks } from './checks/examples.mjs';
import { packageChecks } from './checks/package.mjs';
import { panelChecks } from './checks/panel.mjs';
import { playgroundChecks } from './checks/playground.mjs';
import { queueChecks } from './checks/queue.mjs';
import { savedWorkflowChecks } from './checks/savedWorkflow.mjs';
import { upgradeChecks } from './checks/upgrade.mjs';
import { startN8n } from './lib/n8n.mjs';
import { createNpmShim } from './lib/npmShim.mjs';
import { targets } from './lib/releases.mjs';

/** Other checks cannot do without these. */
export const always = [...Object.keys(packageChecks), 'credential: create', 'editor: log in'];

/**
 * The suites, which run side by side. A suite names the system's programs that it needs and the
 * targets that it has checks for; `open` prepares what all of its checks use, in the steps of
 * `opening`.
 *
 * @param settings `editor`: whether there is a browser; `screenshots`: where pictures go, if wanted
 */
export const createSuites = ({ editor, screenshots }) => ({
	regular: {
		programs: editor ? ['chromium'] : [],
		has: () => true,
		opening: ['start n8n'],
		open: openRegular,
		checksOf: (target) => ({
			...packageChecks,
			...credentialChecks,
			...exampleChecks,
			...savedWorkflowChecks,
			...customApiCallChecks,
			...agentChecks,
			...(editor && target.isMain && { ...editorChecks, ...panelChecks }),
			...(target === targets[0] && {
				...(editor && screenshots && pictureChecks),
				...upgradeChecks,
				...playgroundChecks,
			}),
		}),
	},
	queue: {
		programs: ['postgres', 'redis'],
		has: ({ isMain }) => isMain,
		opening: [],
		open: async () => undefined,
		checksOf: () => queueChecks,
	},
});

async function openRegular(context, step) {
	const { cleanups, project, release, programs, folder, tarball, version } = context;
	context.simulator = await context.startSimulator({
		jobDurationMs: 300,
		pagesDirectory: join(project, 'examples', 'inputs', 'pages'),
	});
	cleanups.unshift(() => context.simulator.close());
	const shim = await createNpmShim(join(folder, 'bin'), { tarball, version });
	context.n8n = await step('start n8n', () =>
		startN8n({
			...programs,
			folder,
			cwd: project,
			path: [shim],
			env: { ...release.env, N8N_RESTRICT_FILE_ACCESS_TO: join(project, 'examples') },
		}),
	);
	cleanups.unshift(() => context.n8n?.stop());
}
