import { createEngine, type NodeJson } from '../../harness/engine.cts';
import { answerAndExit } from '../lib/children.cts';
import { type Cost, Probe } from '../lib/probe.cts';
import { sequentialNode } from '../lib/sequentialNode.cts';
import { credentials, loadHttpRequest } from '../lib/subjects.cts';

/** One node to be run on many items, in n8n's engine, in a process of its own. */
export interface EngineTask {
	node: NodeJson;
	items: number;
	/** The content of every item. */
	item?: object;
	/** Items of the run before, which loads everything that an n8n at work has loaded. */
	warmUpItems?: number;
	/** Whether our node's declarations are left to n8n's RoutingNode. */
	declarative?: boolean;
	origin: string;
	token: string;
}

async function main(task: EngineTask): Promise<Cost> {
	const { node, items, item = {}, warmUpItems = 0, origin, token } = task;
	const probe = new Probe();
	const engine = await createEngine({
		credentials: credentials(origin, token),
		withoutExecute: task.declarative ?? false,
		nodeTypes: {
			'bench.before': probe.before,
			'bench.behind': probe.behind,
			'bench.sequential': sequentialNode,
			...(node.type.endsWith('.httpRequest') && { [node.type]: loadHttpRequest() }),
		},
	});
	const link = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const workflow = {
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
			{ name: 'Before', type: 'bench.before', typeVersion: 1 },
			node,
			{ name: 'Behind', type: 'bench.behind', typeVersion: 1 },
		],
		connections: { Start: link('Before'), Before: link(node.name), [node.name]: link('Behind') },
	};
	const run = async (count: number) => {
		const inputItems = Array.from({ length: count }, () => ({ json: { ...item } }));
		const outcome = await engine.run(workflow, { inputItems });
		if (outcome.error) throw new Error(outcome.error.message);
		const { length } = outcome.items(node.name);
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

void main(JSON.parse(process.argv[2]) as EngineTask).then(answerAndExit);
