import { createEngine, type NodeJson } from '../../harness/engine.cts';
import { answerAndExit } from '../lib/children.cts';
import { type Cost, Probe } from '../lib/probe.cts';
import { sequentialNode } from '../lib/sequentialNode.cts';
import { credentials, loadHttpRequest, loadLoop, loopNode } from '../lib/subjects.cts';

/** One node to be run on many items, in n8n's engine, in a process of its own. */
export interface EngineTask {
	node: NodeJson;
	items: number;
	/** The content of every item. */
	item?: object;
	/** Items of the run before, which loads everything that an n8n at work has loaded. */
	warmUpItems?: number;
	/** Gives the node so many items at a time, in n8n's Loop Over Items. */
	loopOver?: number;
	/** Whether our node's declarations are left to n8n's RoutingNode. */
	declarative?: boolean;
	origin: string;
	token: string;
}

async function main(task: EngineTask): Promise<Cost> {
	const { node, items, item = {}, warmUpItems = 0, loopOver, origin, token } = task;
	const probe = new Probe();
	const engine = await createEngine({
		credentials: credentials(origin, token),
		withoutExecute: task.declarative ?? false,
		nodeTypes: {
			'bench.before': probe.before,
			'bench.behind': probe.behind,
			'bench.sequential': sequentialNode,
			...(node.type.endsWith('.httpRequest') && { [node.type]: loadHttpRequest() }),
			...(loopOver !== undefined && { [loopNode(loopOver).type]: loadLoop() }),
		},
	});
	const workflow = loopOver === undefined ? straight(node) : looped(node, loopOver);
	const run = async (count: number) => {
		const inputItems = Array.from({ length: count }, () => ({ json: { ...item } }));
		const outcome = await engine.run(workflow, { inputItems });
		if (outcome.error) throw new Error(outcome.error.message);
		const { length } = outcome.items('Behind');
		if (length !== count)
			throw new Error(`${String(count)} items went in, ${String(length)} came out`);
	};
	try {
		if (warmUpItems > 0) await run(warmUpItems);
		global.gc?.();
		await run(items);
		return probe.cost;
	} finally {
		engine.close();
	}
}

const link = (node: string) => [{ node, type: 'main', index: 0 }];

const around: NodeJson[] = [
	{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
	{ name: 'Before', type: 'bench.before', typeVersion: 1 },
	{ name: 'Behind', type: 'bench.behind', typeVersion: 1 },
];

function straight(node: NodeJson) {
	return {
		nodes: [...around, node],
		connections: {
			Start: { main: [link('Before')] },
			Before: { main: [link(node.name)] },
			[node.name]: { main: [link('Behind')] },
		},
	};
}

function looped(node: NodeJson, batchSize: number) {
	const loop = loopNode(batchSize);
	return {
		nodes: [...around, loop, node],
		connections: {
			Start: { main: [link('Before')] },
			Before: { main: [link(loop.name)] },
			[loop.name]: { main: [link('Behind'), link(node.name)] },
			[node.name]: { main: [link(loop.name)] },
		},
	};
}

void main(JSON.parse(process.argv[2]) as EngineTask).then(answerAndExit);
