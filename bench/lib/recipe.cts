import type { NodeJson } from '../../harness/engine.cts';
import { httpRequestNode, ourNode, startJobs } from './subjects.cts';
import type { WholeWorkflow } from './wholeN8n.cts';

const trigger: NodeJson = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 };
const link = (node: string) => ({ node, type: 'main', index: 0 });

/** What one builds without a package: start, wait, look, and wait again for what is not done. */
export function recipe(origin: string, items: number, waitSeconds: number): WholeWorkflow {
	const result = `=${origin}/api/v2/document/result/{{ $json.result.id }}`;
	return {
		items,
		last: 'Done',
		nodes: [
			trigger,
			{
				...httpRequestNode({ method: 'POST', url: `${origin}/api/v2/document/start`, options: {} }),
				name: 'Start Job',
			},
			{
				name: 'Wait',
				type: 'n8n-nodes-base.wait',
				typeVersion: 1.1,
				parameters: { amount: waitSeconds, unit: 'seconds' },
			},
			{ ...httpRequestNode({ url: result, options: {} }), name: 'Look' },
			{ name: 'Is Done', type: 'n8n-nodes-base.if', typeVersion: 2, parameters: isDone },
			{ name: 'Done', type: 'n8n-nodes-base.noOp', typeVersion: 1 },
		],
		connections: {
			Start: { main: [[link('Start Job')]] },
			'Start Job': { main: [[link('Wait')]] },
			Wait: { main: [[link('Look')]] },
			Look: { main: [[link('Is Done')]] },
			'Is Done': { main: [[link('Done')], [link('Wait')]] },
		},
	};
}

const isDone = {
	conditions: {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 1 },
		combinator: 'and',
		conditions: [
			{
				id: 'done',
				leftValue: '={{ $json.result.done }}',
				rightValue: '',
				operator: { type: 'boolean', operation: 'true', singleValue: true },
			},
		],
	},
};

/** The same with our node. */
export function withOurNode(items: number, maxConcurrentJobs: number): WholeWorkflow {
	return {
		items,
		last: 'Subject',
		nodes: [trigger, ourNode(startJobs(maxConcurrentJobs))],
		connections: { Start: { main: [[link('Subject')]] } },
	};
}
