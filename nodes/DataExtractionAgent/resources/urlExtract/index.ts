import type { Resource } from '../types';
import { getResult } from './getResult';
import { start } from './start';

export const urlExtract: Resource = {
	option: { name: 'URL Extract', value: 'urlExtract', description: 'One web page' },
	operations: [start, getResult],
};
