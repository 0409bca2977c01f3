import { randomUUID } from 'node:crypto';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, freePort, until } from './processes.mjs';
import { byWebhook, everySecond, withTrigger } from './workflows.mjs';

/**
 * n8n's command line, on a copy of the folder of the n8n that is running, with all that was stored up
 * to now. On one and the same SQLite file, two processes find it locked now and then.
 */
export async function openCommandLine({ n8n, programs, project, folder }) {
	const copy = join(folder, `command-line-${randomUUID()}`);
	await cp(join(n8n.env.N8N_USER_FOLDER, '.n8n'), join(copy, '.n8n'), { recursive: true });
	async function run(...args) {
		const brokerPort = String(await freePort());
		const env = { ...n8n.env, N8N_USER_FOLDER: copy, N8N_RUNNERS_BROKER_PORT: brokerPort };
		const options = { cwd: project, env, minutes: 2 };
		return await command(programs.node, [programs.script, ...args], options);
	}
	return {
		/** `n8n import:workflow` of the text of a file. @returns the IDs of the workflows in it */
		async importWorkflows(text) {
			const file = join(copy, 'workflows.json');
			await writeFile(file, text);
			const output = await run('import:workflow', `--input=${file}`);
			const ids = JSON.parse(text).map(({ id }) => id);
			if (!output.includes(`Successfully imported ${ids.length} `)) throw new Error(output);
			return ids;
		},
		/** `n8n execute`. @returns the execution */
		async execute(id) {
			const output = await run('execute', `--id=${id}`, '--rawOutput');
			// Messages of n8n may stand around the result.
			return JSON.parse(output.match(/^\{$.*^\}$/ms)[0]);
		},
	};
}

/** Stores a workflow as the editor does. */
export function store({ rest }, workflow) {
	return rest('POST', '/workflows', { ...workflow, active: false });
}

/** The "Execute workflow" button of the editor. @returns the finished execution */
export async function runByEditor({ n8n }, workflow) {
	return await n8n.finished(await n8n.run(workflow));
}

/** A call of the production address. @returns the finished execution and the answer to the call */
export async function runByWebhook({ n8n }, workflow) {
	const path = randomUUID();
	const stored = await store(n8n, withTrigger(workflow, byWebhook(path)));
	await activate(n8n, stored);
	try {
		const response = await until('the webhook to be there', async () => {
			const answer = await n8n.asset(`webhook/${path}`);
			return answer.status === 404 ? undefined : answer;
		});
		const answer = await response.json();
		const [execution] = await allFinished(n8n, stored);
		return { execution, answer };
	} finally {
		await deactivate(n8n, stored);
	}
}

/** A Schedule Trigger, until its first execution is there. @returns that execution, finished */
export async function runBySchedule({ n8n }, workflow) {
	const stored = await store(n8n, withTrigger(workflow, everySecond));
	await activate(n8n, stored);
	try {
		await until('the Schedule Trigger', async () => (await executionsOf(n8n, stored)).at(0));
	} finally {
		await deactivate(n8n, stored);
	}
	// There may be a second one by now; nothing may go on when the next check begins.
	const [execution] = await allFinished(n8n, stored);
	return execution;
}

export async function activate({ rest }, { id, versionId }) {
	await rest('POST', `/workflows/${id}/activate`, { versionId });
}

async function deactivate({ rest }, { id }) {
	await rest('POST', `/workflows/${id}/deactivate`, {});
}

/** The executions of a workflow, oldest first. */
async function executionsOf({ rest }, { id }) {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
	const { results } = await rest('GET', `/executions?filter=${filter}&limit=20`);
	return results.sort((a, b) => Number(a.id) - Number(b.id));
}

async function allFinished(n8n, workflow) {
	const executions = await executionsOf(n8n, workflow);
	return await Promise.all(executions.map(({ id }) => n8n.finished(id)));
}
