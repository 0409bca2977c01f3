import type { Operation } from '../types';
import { rowId, runId } from '../shared/ids';
import { readParameters } from '../shared/parameters';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a result of a workflow run',
		description: 'Read one result row of a workflow run',
		routing: {
			request: {
				method: 'GET',
				url: '=/api/v2/results/{{$parameter.runId}}/{{$parameter.resultId}}',
			},
		},
	},
	properties: [runId, rowId, ...readParameters()],
};
