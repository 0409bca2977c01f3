import type { Resource } from '../types';
import * as operations from './operations';

export const runResult: Resource = {
	option: {
		name: 'Run Result',
		value: 'runResult',
		description: 'A result row of a workflow run in the service',
	},
	operations: Object.values(operations),
};
