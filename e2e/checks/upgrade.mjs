import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readExample } from '../lib/examples.mjs';
import { installN8n } from '../lib/install.mjs';
import { startN8n } from '../lib/n8n.mjs';
import { createNpmShim } from '../lib/npmShim.mjs';
import { until } from '../lib/processes.mjs';
import { releases } from '../lib/releases.mjs';
import { activate, runByEditor, store } from '../lib/runs.mjs';
import { expectSaved, readSaved } from '../lib/savedWorkflow.mjs';
import { openService } from '../lib/service.mjs';
import { byWebhook, withTrigger } from '../lib/workflows.mjs';

/** What a user has who comes from the oldest supported n8n: its folder, with everything in it. */
export const upgradeChecks = {
	async 'upgrade: filled by n8n 1.123'(context) {
		const script = await installN8n(releases.at(-1));
		const folder = join(context.folder, 'upgrade');
		await mkdir(folder);
		context.upgrade = { folder };
		const n8n = await start(context, script);
		try {
			const old = { ...context, n8n };
			const { name, version } = context;
			await n8n.rest('POST', '/community-packages', { name, version });
			const service = await openService(old);
			const [saved] = JSON.parse(await readSaved(context.project, service));
			const example = await readExample({ ...old, ...service }, 'prices-from-pages');
			const path = randomUUID();
			const active = await store(n8n, withTrigger(example, byWebhook(path)));
			await activate(n8n, active);
			const { id } = await store(n8n, saved);
			Object.assign(context.upgrade, { service, path, id });
		} finally {
			await n8n.stop();
		}
	},

	async 'upgrade: the same folder in this n8n'(context) {
		const { upgrade, name, version } = context;
		const n8n = await start(context, context.programs.script);
		context.cleanups.unshift(() => n8n.stop());
		const [installed] = await n8n.rest('GET', '/community-packages');
		assert.deepEqual([installed.packageName, installed.installedVersion], [name, version]);

		const workflow = await n8n.rest('GET', `/workflows/${upgrade.id}`);
		expectSaved(await runByEditor({ n8n }, workflow), upgrade.service.simulator);
		upgrade.n8n = n8n;
	},

	async 'upgrade: an active workflow is still active'({ upgrade: { n8n, path } }) {
		const items = await until('the webhook to be there', async () => {
			const response = await n8n.asset(`webhook/${path}`);
			return response.status === 404 ? undefined : await response.json();
		});
		const prices = items.map(({ price }) => price);
		assert.deepEqual(prices, ['€ 649.00', '€ 329.00', '€ 59.90']);
	},
};

async function start({ programs, folder, tarball, version, project, release, upgrade }, script) {
	const shim = await createNpmShim(join(folder, 'upgrade-bin'), { tarball, version });
	return await startN8n({
		node: programs.node,
		script,
		folder: upgrade.folder,
		cwd: project,
		path: [shim],
		env: { ...release.env, N8N_RESTRICT_FILE_ACCESS_TO: join(project, 'examples') },
	});
}
