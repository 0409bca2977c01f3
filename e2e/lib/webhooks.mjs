import { until } from './processes.mjs';

/** A webhook node that takes the place of a trigger, under the trigger's name. */
export function webhookNode({ name, position }, path, responseMode) {
	return {
		id: crypto.randomUUID(),
		name,
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		position,
		webhookId: crypto.randomUUID(),
		parameters: { httpMethod: 'POST', path, responseMode, options: {} },
	};
}

/**
 * Stores a workflow that begins with a webhook, and makes it listen.
 *
 * @returns `call`, which sends it JSON and gives its answer, and `begin`, which gives the ID of the
 * execution instead
 */
export async function publish({ origin, rest }, workflow) {
	const { id, versionId } = await rest('POST', '/workflows', { ...workflow, active: false });
	await rest('POST', `/workflows/${id}/activate`, { versionId });
	const { path } = workflow.nodes.find(({ type }) => type.endsWith('.webhook')).parameters;

	async function send(body) {
		const response = await fetch(`${origin}/webhook/${path}`, {
			method: 'POST',
			// A kept connection may be closed by a busy n8n just when it is used again.
			headers: { 'content-type': 'application/json', connection: 'close' },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(120_000),
		});
		const text = await response.text();
		// n8n 2 listens some time after it has said so; until then nothing is executed.
		if (response.status === 404) return undefined;
		if (!response.ok) throw new Error(`Webhook ${path}: ${response.status} ${text}`);
		return JSON.parse(text);
	}
	const call = (body) => until(`webhook ${path}`, () => send(body));

	async function executionIds() {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
		const { results } = await rest('GET', `/executions?limit=100&filter=${filter}`);
		return results.map((execution) => execution.id);
	}

	async function begin(body) {
		const known = await executionIds();
		await call(body);
		return await until('the execution to begin', async () => {
			return (await executionIds()).find((one) => !known.includes(one));
		});
	}
	return { call, begin };
}
