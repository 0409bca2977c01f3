import type { Resource } from '../types';
import { get } from './get';
import { getFirst } from './getFirst';

export const runResult: Resource = {
	option: {
		name: 'Run Result',
		value: 'runResult',
		description: 'A result row of a workflow run in the service',
	},
	operations: [get, getFirst],
};
