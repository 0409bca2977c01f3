import type { Operation } from '../types';
import { resultId } from '../shared/ids';
import { resultPathOfRead } from '../shared/options';
import { readParameters } from '../shared/parameters';
import { resultPaths } from './resultPaths';

export const getResult: Operation = {
	option: {
		name: 'Get Result',
		value: 'getResult',
		action: 'Get the result of a dataset build',
		description: 'Read the result of a dataset build that was started before',
		routing: { request: { method: 'GET', url: '=/api/v2/dataset/result/{{$parameter.resultId}}' } },
	},
	resultPaths,
	properties: [resultId, ...readParameters([resultPathOfRead])],
};
