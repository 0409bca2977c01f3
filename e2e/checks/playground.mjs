import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { exampleNames } from '../lib/examples.mjs';
import { connect } from '../lib/n8n.mjs';
import { until } from '../lib/processes.mjs';

/** `npm run playground`, from its opening to Ctrl-C. */
export const playgroundChecks = {
	async playground({ release, project, folder: parent, cleanups }) {
		const folder = join(parent, 'playground');
		await mkdir(folder);
		const args = [join(project, 'e2e', 'playground.mjs'), '--release', release.version];
		const child = spawn(process.execPath, args, {
			cwd: project,
			env: { ...process.env, TMPDIR: folder },
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const ended = once(child, 'exit');
		cleanups.unshift(() => child.kill());
		let printed = '';
		child.stdout.on('data', (chunk) => (printed += chunk));
		await until('the playground', () => printed.includes('Ctrl-C closes it') || undefined, {
			seconds: 120,
		});

		const value = (label) => printed.match(new RegExp(`^${label} +(\\S+)$`, 'm'))[1];
		const { rest } = connect(value('n8n'));
		const login = { emailOrLdapLoginId: value('E-mail'), password: value('Password') };
		await rest('POST', '/login', login);
		const workflows = await rest('GET', '/workflows');
		assert.equal(workflows.length, (await exampleNames(project)).length);
		const credentials = await rest('GET', '/credentials');
		assert.deepEqual(
			credentials.map(({ type }) => type),
			['dataExtractionAgentApi'],
		);

		const [playground] = await readdir(folder);
		assert.ok(existsSync(join(folder, playground)));
		child.kill('SIGINT');
		assert.deepEqual(await ended, [0, null]);
		assert.deepEqual(await readdir(folder), []);
	},
};
