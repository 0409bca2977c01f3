import type { Resource } from '../types';
import * as operations from './operations';

export const dataset: Resource = {
	option: { name: 'Dataset', value: 'dataset', description: 'Rows that an agent collects for you' },
	operations: Object.values(operations),
};
