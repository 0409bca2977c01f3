import type { Operation } from '../types';
import { resultId } from '../shared/ids';
import { readParameters } from '../shared/parameters';
import { resultPaths } from './resultPaths';

export const getResult: Operation = {
	option: {
		name: 'Get Result',
		value: 'getResult',
		action: 'Get the result of a document extraction',
		description: 'Read the result of a document extraction that was started before',
		routing: {
			request: { method: 'GET', url: '=/api/v2/document/result/{{$parameter.resultId}}' },
		},
	},
	resultPaths,
	properties: [resultId, ...readParameters()],
};
