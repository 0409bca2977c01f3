import type { Resource } from '../types';
import * as operations from './operations';

export const document: Resource = {
	option: {
		name: 'Document',
		value: 'document',
		description: 'One file, such as a PDF or an image',
	},
	operations: Object.values(operations),
};
