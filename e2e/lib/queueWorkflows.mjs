import { readExample } from './examples.mjs';
import { webhookNode } from './webhooks.mjs';

/** A webhook and the agent, which starts a job for the page in the request and waits for it. */
export function oneNodeWorkflow({ name, credential }, path, responseMode) {
	const agent = 'Data Extraction Agent';
	const field = ['name', 'price'].map((one) => ({ name: one, description: one }));
	return {
		name: path,
		nodes: [
			webhookNode({ name: 'Webhook', position: [0, 0] }, path, responseMode),
			{
				id: crypto.randomUUID(),
				name: agent,
				type: `${name}.dataExtractionAgent`,
				typeVersion: 1,
				position: [220, 0],
				parameters: {
					resource: 'urlExtract',
					operation: 'start',
					url: '={{ $json.body.url }}',
					schemaFields: { field },
				},
				credentials: { dataExtractionAgentApi: { id: credential.id, name: credential.name } },
			},
		],
		connections: { Webhook: { main: [[{ node: agent, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

/** The example of long jobs; a webhook gives it the pages, and it ends after two rounds. */
export async function longJobsWorkflow(context, path) {
	const workflow = await readExample(context, 'long-jobs');
	const nodeOf = (type) => workflow.nodes.find((node) => node.type === `n8n-nodes-base.${type}`);
	nodeOf('set').parameters.jsonOutput = '={{ { urls: $json.body.urls } }}';
	const [, limit] = nodeOf('if').parameters.conditions.conditions;
	limit.rightValue = 1;
	const trigger = nodeOf('manualTrigger');
	Object.assign(trigger, webhookNode(trigger, path, 'onReceived'));
	return workflow;
}
