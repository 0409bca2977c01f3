import type { Resource } from '../types';
import * as operations from './operations';

export const workflow: Resource = {
	option: { name: 'Workflow', value: 'workflow', description: 'A workflow in the service' },
	operations: Object.values(operations),
};
