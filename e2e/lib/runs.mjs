import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, freePort, until } from './processes.mjs';
import { byWebhook, everySecond, manually, withTrigger } from './workflows.mjs';

/** Runs n8n's command line on the database of the n8n that is running. @returns what it prints */
export async function commandLine({ n8n, programs, project }, ...args) {
	const env = { ...n8n.env, N8N_RUNNERS_BROKER_PORT: String(await freePort()) };
	const options = { cwd: project, env, minutes: 2 };
	return await command(programs.node, [programs.script, ...args], options);
}

/** Stores workflows with `n8n import:workflow`. @returns their IDs, in the same order */
export async function importByCommand(context, workflows) {
	const folder = join(context.folder, `import-${randomUUID()}`);
	await mkdir(folder);
	const ids = [];
	for (const workflow of workflows) {
		const id = randomUUID().replaceAll('-', '').slice(0, 16);
		await writeFile(join(folder, `${id}.json`), JSON.stringify({ ...workflow, id, active: false }));
		ids.push(id);
	}
	const output = await commandLine(context, 'import:workflow', '--separate', `--input=${folder}`);
	if (!output.includes(`Successfully imported ${ids.length} `)) throw new Error(output);
	return ids;
}

/** `n8n execute`, a process of its own. @returns the execution */
export async function executeByCommand(context, id) {
	const output = await commandLine(context, 'execute', `--id=${id}`, '--rawOutput');
	// Messages of n8n may stand around the result.
	return JSON.parse(output.match(/^\{$.*^\}$/ms)[0]);
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

/** The copy that the command line runs needs a trigger that n8n starts by itself. */
export const forCommandLine = (workflow) => withTrigger(workflow, manually);

async function activate({ rest }, { id, versionId }) {
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
