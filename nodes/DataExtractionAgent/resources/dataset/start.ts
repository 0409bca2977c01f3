import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../types';
import { sendInputsInBody } from '../../preSend/datasetInputs';
import { sendSchemaAsBody } from '../../preSend/schema';
import { resultPath } from '../shared/options';
import { startParameters } from '../shared/parameters';
import { schemaParameters } from '../shared/schema';
import { resultPaths } from './resultPaths';

const inputsLocation: INodeProperties = {
	displayName: 'Inputs Location',
	name: 'inputsLocation',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Body',
			value: 'body',
			description: 'With the schema: { query, method, schema }',
		},
		{ name: 'Query', value: 'query', description: 'In the address; the body is the schema' },
	],
	default: 'query',
	description:
		'Where Query and Method are sent. The service does not document it: the query string is an assumption. Try Body if the service seems to ignore them.',
	routing: { send: { preSend: [sendInputsInBody] } },
};

export const start: Operation = {
	option: {
		name: 'Start',
		value: 'start',
		action: 'Start a dataset build',
		description: 'Send an agent to build a dataset',
		routing: { request: { method: 'POST', url: '/api/v2/dataset/start' } },
	},
	resultPaths,
	properties: [
		{
			displayName: 'Query',
			name: 'query',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. The ten longest rivers of Europe',
			description: 'What the dataset should be about',
			routing: { send: { type: 'query', property: 'query', value: '={{ $value || undefined }}' } },
		},
		{
			displayName: 'Method',
			name: 'method',
			type: 'options',
			options: [
				{
					name: 'Advanced',
					value: 'advanced',
					description: 'May give better results and uses more credits',
					routing: { send: { type: 'query', property: 'method', value: 'advanced' } },
				},
				{ name: 'Simple', value: 'simple', description: 'Uses fewer credits' },
			],
			default: 'simple',
			description: 'How thoroughly the agent works',
		},
		...schemaParameters(sendSchemaAsBody),
		...startParameters([inputsLocation, resultPath]),
	],
};
