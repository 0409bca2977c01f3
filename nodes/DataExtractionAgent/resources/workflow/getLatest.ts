import type { Operation } from '../types';
import { workflowId } from '../shared/ids';
import { readParameters } from '../shared/parameters';

export const getLatest: Operation = {
	option: {
		name: 'Get Latest Result',
		value: 'getLatest',
		action: 'Get the latest result of a workflow',
		description: 'Read the latest result of a workflow in the service',
		routing: {
			request: { method: 'GET', url: '=/api/v2/workflow/{{$parameter.workflowId}}/latest.json' },
		},
	},
	properties: [workflowId, ...readParameters()],
};
