import type { Resource } from '../types';
import * as operations from './operations';

export const urlExtract: Resource = {
	option: { name: 'URL Extract', value: 'urlExtract', description: 'One web page' },
	operations: Object.values(operations),
};
