import type { Resource } from '../types';
import { getResult } from './getResult';
import { start } from './start';

export const dataset: Resource = {
	option: { name: 'Dataset', value: 'dataset', description: 'Rows that an agent collects for you' },
	operations: [start, getResult],
};
