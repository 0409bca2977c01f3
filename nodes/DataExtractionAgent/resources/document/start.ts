import type { Operation } from '../types';
import { sendSchemaAsBody } from '../../preSend/schema';
import { agentOptions } from '../shared/options';
import { startParameters } from '../shared/parameters';
import { schemaParameters } from '../shared/schema';
import { resultPaths } from './resultPaths';

export const start: Operation = {
	option: {
		name: 'Start',
		value: 'start',
		action: 'Start a document extraction',
		description: 'Extract data from a file, such as a PDF or an image',
		routing: { request: { method: 'POST', url: '/api/v2/document/start' } },
	},
	resultPaths,
	properties: [
		{
			displayName: 'Send',
			name: 'documentInput',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'File',
					value: 'file',
					description:
						'A file from the input item. If you want certain fields, name them in Additional Instructions.',
				},
				{
					name: 'Nothing',
					value: 'none',
					description: 'Neither a file nor a schema',
				},
				{ name: 'Schema', value: 'schema', description: 'The fields to extract, without a file' },
			],
			default: 'file',
			description: 'What the service gets: it takes a file or a schema, not both',
		},
		{
			displayName: 'Input Binary Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			placeholder: 'e.g. data',
			hint: 'The name of the input field containing the file. To start one job per file, enter several names, separated by commas, or * for all files.',
			description: 'The input field that holds the file to extract from',
			displayOptions: { show: { documentInput: ['file'] } },
		},
		...schemaParameters(sendSchemaAsBody, { show: { documentInput: ['schema'] } }),
		...startParameters(agentOptions),
	],
};
