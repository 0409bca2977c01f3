import type { Operation } from '../types';
import { runId } from '../shared/ids';
import { readParameters } from '../shared/parameters';

export const getFirst: Operation = {
	option: {
		name: 'Get First',
		value: 'getFirst',
		action: 'Get the first result of a workflow run',
		description: 'Read the first result row of a workflow run, for workflows with a single input',
		routing: { request: { method: 'GET', url: '=/api/v2/results/{{$parameter.runId}}/first' } },
	},
	properties: [runId, ...readParameters()],
};
