import type { Resource } from '../types';
import { getLatest } from './getLatest';

export const workflow: Resource = {
	option: { name: 'Workflow', value: 'workflow', description: 'A workflow in the service' },
	operations: [getLatest],
};
