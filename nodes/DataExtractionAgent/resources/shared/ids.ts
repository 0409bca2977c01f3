import type { INodeProperties } from 'n8n-workflow';

function id(displayName: string, name: string, description: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 3f2b8c1e-5d47-4a90-9b36-8e1f0c2d7a64',
		description,
	};
}

/** The identifiers of the service; all are GUIDs. */
export const resultId = id('Result ID', 'resultId', 'ID that the start operation returned');
export const rowId = id('Result ID', 'resultId', 'ID of the result row of the workflow run');
export const runId = id('Run ID', 'runId', 'ID of the workflow run');
export const workflowId = id('Workflow ID', 'workflowId', 'ID of the workflow in the service');
