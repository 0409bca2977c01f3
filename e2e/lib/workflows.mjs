import { randomUUID } from 'node:crypto';

/** The node that begins a workflow. */
export function triggerOf({ nodes }) {
	return nodes.find(({ type }) => /trigger$|\.emailReadImap$/i.test(type));
}

/** The same workflow, begun by another trigger that keeps the name of the old one. */
export function withTrigger(workflow, trigger) {
	const { id, name, position } = triggerOf(workflow);
	return withNode(workflow, name, () => ({ id, name, position, ...trigger }));
}

/** The same workflow with one node changed. */
export function withNode(workflow, name, change) {
	const nodes = workflow.nodes.map((node) => (node.name === name ? change(node) : node));
	return { ...workflow, nodes };
}

/** The same workflow with other parameters in one node. */
export function withParameters(workflow, name, parameters) {
	return withNode(workflow, name, (node) => ({
		...node,
		parameters: { ...node.parameters, ...parameters },
	}));
}

export const manually = {
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};

/** Answers with all items of the last node. */
export const byWebhook = (path) => ({
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	parameters: { path, responseMode: 'lastNode', responseData: 'allEntries', options: {} },
	webhookId: path,
});

export const everySecond = {
	type: 'n8n-nodes-base.scheduleTrigger',
	typeVersion: 1.2,
	parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } },
};

/** A workflow of a manual trigger and one node behind it, of that name. */
export function withOneNode(name, node) {
	const trigger = 'When clicking ‘Execute workflow’';
	return {
		name,
		nodes: [
			{ id: randomUUID(), name: trigger, position: [0, 0], ...manually },
			{ id: randomUUID(), name, position: [220, 0], typeVersion: 1, ...node },
		],
		connections: { [trigger]: { main: [[{ node: name, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}
