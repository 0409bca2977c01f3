import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Outcome, WorkflowJson } from '../harness/engine.cts';
import { agentNode, agentParameters, type Example } from './examples.cts';

/** What was extracted from one source. */
export interface Finding {
	/** The file, page, query or workflow that it comes from. */
	source: string;
	values: IDataObject;
}

/** The items of the node of this package, each with the input that n8n paired it with. */
export function findingsOf({ workflow }: Example, outcome: Outcome): Finding[] {
	const inputs = inputItems(workflow, outcome);
	return outcome.items(agentNode(workflow).name).map(({ json, pairedItem }) => ({
		source: sourceOf(agentParameters(workflow), inputs[indexOf(pairedItem)]),
		values: json,
	}));
}

/** What the node got; workflows are chains here. */
function inputItems(workflow: WorkflowJson, outcome: Outcome): INodeExecutionData[] {
	const run = outcome.nodeRuns(agentNode(workflow).name).at(-1);
	const previous = run?.source[0]?.previousNode;
	return previous === undefined ? [] : outcome.items(previous);
}

function indexOf(pairedItem: INodeExecutionData['pairedItem']): number {
	const [first] = [pairedItem ?? 0].flat();
	return typeof first === 'number' ? first : first.item;
}

function sourceOf(parameters: Record<string, unknown>, input?: INodeExecutionData): string {
	const [file] = Object.values(input?.binary ?? {});
	if (file !== undefined) return `file ${file.fileName ?? ''}`;
	if (typeof input?.json.url === 'string') return input.json.url;
	if (typeof parameters.query === 'string') return `query "${parameters.query}"`;
	return `workflow ${String(parameters.workflowId)}`;
}
