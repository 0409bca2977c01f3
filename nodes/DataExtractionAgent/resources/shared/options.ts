import type { INodeProperties } from 'n8n-workflow';
import { sendExtraQuery } from '../../preSend/extraQuery';

/** Options that steer the agent, as the service names them. */
export const agentOptions: INodeProperties[] = [
	{
		displayName: 'Additional Instructions',
		name: 'additionalInstructions',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. Use the price without VAT',
		description: 'Extra hints to the agent about what to extract',
		routing: {
			send: {
				type: 'query',
				property: 'additional_instructions',
				value: '={{ $value || undefined }}',
			},
		},
	},
	{
		displayName: 'Cap Screenshots',
		name: 'capScreenshots',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 5,
		description:
			'How many screenshots the agent may take. A higher value makes it scroll further down the page.',
		routing: { send: { type: 'query', property: 'cap_screenshots' } },
	},
	{
		displayName: 'Extended',
		name: 'extended',
		type: 'boolean',
		default: false,
		description: 'Whether to extract extended metadata too, such as URLs and images',
		routing: { send: { type: 'query', property: 'extended' } },
	},
	{
		displayName: 'Model',
		name: 'model',
		type: 'options',
		options: [
			{ name: 'Auto', value: 'auto' },
			{ name: 'Large', value: 'large', description: 'Slower, and may be more accurate' },
			{ name: 'Small', value: 'small', description: 'Faster, and may be less accurate' },
		],
		default: 'auto',
		description: 'The size of the AI model',
		routing: { send: { type: 'query', property: 'model' } },
	},
];

/** For inputs that the service has and does not document. */
export const extraQuery: INodeProperties = {
	displayName: 'Extra Query Parameters',
	name: 'extraQuery',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Parameter',
	default: {},
	description:
		'Inputs that the service has and this node does not offer. They are added to the address of the request.',
	options: [
		{
			displayName: 'Parameter',
			name: 'parameter',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. language',
				},
				{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			],
		},
	],
	routing: { send: { preSend: [sendExtraQuery] } },
};

/** Stands for the identifier in a path. */
const ID_MARK = '{id}';

/** Overrides the assumed location of a result. */
export const resultPath: INodeProperties = {
	displayName: 'Result Path',
	name: 'resultPath',
	type: 'string',
	default: '',
	placeholder: `e.g. /api/v2/extract/result/${ID_MARK}`,
	description: `Path from which the result is read, with ${ID_MARK} for the ID. The service does not document this path: without this option the node tries the likely ones and keeps the first that answers with a result.`,
};

/**
 * The options collection.
 *
 * @param options shown in alphabetical order
 * @param last shown, and sent, after the others
 */
export function optionsCollection(
	options: INodeProperties[],
	last: INodeProperties[] = [],
): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...[...options].sort(byDisplayName), ...last],
	};
}

/** Not with `localeCompare`: its first call loads the rules of a language, which takes milliseconds. */
function byDisplayName(a: INodeProperties, b: INodeProperties): number {
	return a.displayName < b.displayName ? -1 : 1;
}

/**
 * The same for an operation that reads. The routing tells n8n's own engine what `execute()` does by
 * itself; the differential test compares the two.
 */
export const resultPathOfRead: INodeProperties = {
	...resultPath,
	routing: {
		request: { url: '={{ $value ? $value.replaceAll("{id}", $parameter.resultId) : undefined }}' },
	},
};
