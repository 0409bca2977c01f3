import type { IConnections, INode, IWorkflowSettings } from 'n8n-workflow';

/** A node of an exported workflow; as loose as an imported JSON file is typed. */
export interface NodeJson {
	id?: string;
	name: string;
	type: string;
	typeVersion: number;
	position?: number[];
	parameters?: object;
	credentials?: object;
	disabled?: boolean;
	onError?: string;
	continueOnFail?: boolean;
	retryOnFail?: boolean;
	maxTries?: number;
	waitBetweenTries?: number;
	executeOnce?: boolean;
	alwaysOutputData?: boolean;
}

/** An exported workflow. */
export interface WorkflowJson {
	name?: string;
	nodes: NodeJson[];
	connections: object;
	settings?: object;
}

/** A copy with everything that n8n expects: a run changes the nodes that it is given. */
export function normalize(workflow: WorkflowJson) {
	const { name, nodes, connections, settings } = structuredClone(workflow);
	return {
		name: name ?? 'Harness workflow',
		nodes: nodes.map((node, index) => ({
			id: `node-${String(index)}`,
			position: [0, 0],
			parameters: {},
			...node,
		})) as unknown as INode[],
		connections: connections as IConnections,
		settings: { executionOrder: 'v1', ...settings } as IWorkflowSettings,
	};
}

/** The parts of an exported workflow that the engine needs. */
export type NormalizedWorkflow = ReturnType<typeof normalize>;
