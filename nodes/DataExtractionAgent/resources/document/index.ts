import type { Resource } from '../types';
import { getResult } from './getResult';
import { start } from './start';

export const document: Resource = {
	option: {
		name: 'Document',
		value: 'document',
		description: 'One file, such as a PDF or an image',
	},
	operations: [start, getResult],
};
