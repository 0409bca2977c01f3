import type { Operation } from '../types';
import { sendSchemaAsMember } from '../../preSend/schema';
import { requireHttpUrl } from '../../preSend/url';
import { agentOptions, resultPath } from '../shared/options';
import { startParameters } from '../shared/parameters';
import { schemaParameters } from '../shared/schema';
import { resultPaths } from './resultPaths';

export const start: Operation = {
	option: {
		name: 'Start',
		value: 'start',
		action: 'Start a URL extraction',
		description: 'Extract data from a web page',
		routing: { request: { method: 'POST', url: '/api/v2/extract/start' } },
	},
	resultPaths,
	properties: [
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://example.com/products/42',
			description: 'Address of the page to extract from, beginning with http:// or https://',
			routing: { send: { type: 'query', property: 'url', preSend: [requireHttpUrl] } },
		},
		...schemaParameters(sendSchemaAsMember, { optional: true }),
		...startParameters([...agentOptions, resultPath]),
	],
};
