import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeJson, WorkflowJson } from '../harness/engine.cts';
import { demoWorkflowId } from '../simulator/demo-data.cts';
import type { Service } from './service.cts';

/** An example workflow, made to fit the service. */
export interface Example {
	/** Path of the file, as the user finds it. */
	path: string;
	name: string;
	workflow: WorkflowJson;
}

/** Type of the node that this package is about. */
export const agentType = 'n8n-nodes-data-extraction-agent.dataExtractionAgent';

/** Where the example looks for its pages: what `npm run simulator` serves. */
const writtenOrigin = 'http://127.0.0.1:3456';

/** The examples in the order in which the demo runs them. */
export const exampleFiles = [
	'invoice-from-pdf.json',
	'prices-from-pages.json',
	'dataset-of-rivers.json',
	'latest-result-of-a-workflow.json',
];

/** Reads an example; the addresses and the workflow ID in it become those of the service. */
export async function loadExample(file: string, service: Service): Promise<Example> {
	const path = join('examples', file);
	const { pagesOrigin = writtenOrigin, workflowId = demoWorkflowId, urls } = service;
	const text = await readFile(path, 'utf8');
	const workflow = JSON.parse(text.replaceAll(writtenOrigin, pagesOrigin)) as WorkflowJson;
	for (const node of workflow.nodes) {
		const parameters = node.parameters as Record<string, unknown>;
		if (parameters.workflowId !== undefined) parameters.workflowId = workflowId;
		if (urls !== undefined && parameters.jsonOutput !== undefined) {
			parameters.jsonOutput = JSON.stringify({ urls });
		}
	}
	return { path, name: workflow.name ?? file, workflow };
}

/** Whether the service has what an example needs. */
export function canRun({ workflow }: Example, service: Service): boolean {
	return service.workflowId !== undefined || !('workflowId' in agentParameters(workflow));
}

/** The node of this package in an example. */
export function agentNode({ nodes }: WorkflowJson): NodeJson {
	const node = nodes.find(({ type }) => type === agentType);
	if (node === undefined) throw new Error(`The example has no node of type ${agentType}`);
	return node;
}

/** Its parameters. */
export function agentParameters(workflow: WorkflowJson): Record<string, unknown> {
	return (agentNode(workflow).parameters ?? {}) as Record<string, unknown>;
}
