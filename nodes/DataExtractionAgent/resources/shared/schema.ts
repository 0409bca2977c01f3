import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyOptions,
	PreSendAction,
} from 'n8n-workflow';

const fields: INodePropertyOptions = {
	name: 'Fields',
	value: 'fields',
	description: 'List the fields to extract, each with a description and maybe a type',
};
const json: INodePropertyOptions = {
	name: 'JSON',
	value: 'json',
	description: 'Write names and descriptions as JSON, also nested ones; it is sent as it is',
};
const example: INodePropertyOptions = {
	name: 'Example',
	value: 'example',
	description: 'Paste a sample of the wanted output, from which the schema is made',
};
const none: INodePropertyOptions = {
	name: 'None',
	value: 'none',
	description: 'Send no schema and let the agent decide what to extract',
};

/** The values are known to `schema/kinds.ts`, which has the words that are sent. */
const types: INodePropertyOptions[] = [
	{ name: 'Any', value: 'any', description: 'Whatever the agent finds' },
	{ name: 'Boolean', value: 'boolean', description: 'True or false' },
	{ name: 'Date', value: 'date', description: 'Such as 2025-12-31' },
	{ name: 'Date and Time', value: 'dateTime', description: 'Such as 2025-12-31T08:30:00Z' },
	{ name: 'Email', value: 'email' },
	{ name: 'List', value: 'list', description: 'Several values' },
	{ name: 'Number', value: 'number', description: 'Such as 249.9' },
	{ name: 'Text', value: 'text' },
	{ name: 'URL', value: 'url' },
	{ name: 'Whole Number', value: 'integer', description: 'Such as 42' },
];

/**
 * The forms in which a user can say what to extract.
 *
 * @param send puts the schema where the operation wants it in the request
 * @param optional whether the operation works without a schema
 * @param show when the operation sends a schema at all
 */
export function schemaParameters(
	send: PreSendAction,
	{ optional = false, show = {} }: { optional?: boolean; show?: IDisplayOptions['show'] } = {},
): INodeProperties[] {
	return [
		{
			displayName: 'Schema',
			name: 'schemaMode',
			type: 'options',
			noDataExpression: true,
			options: optional ? [example, fields, json, none] : [example, fields, json],
			default: 'fields',
			description:
				'How to say what the agent should extract. The result has the names that you give here.',
			displayOptions: { show },
			routing: { send: { preSend: [send] } },
		},
		{
			displayName: 'Fields',
			name: 'schemaFields',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Field',
			default: {},
			description: optional
				? 'What to extract, one entry per value. Without any field the agent decides for itself.'
				: 'What to extract, one entry per value',
			displayOptions: { show: { ...show, schemaMode: ['fields'] } },
			options: [
				{
					displayName: 'Field',
					name: 'field',
					values: [
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: 'e.g. price',
							description: 'Name of the field in the result',
						},
						{
							displayName: 'Description',
							name: 'description',
							type: 'string',
							default: '',
							placeholder: 'e.g. Price with currency, without shipping',
							description:
								'What the agent should look for. It reads this like an instruction: say which value you mean, in which form, and what to leave out.',
						},
						{
							displayName: 'Type',
							name: 'type',
							type: 'options',
							options: types,
							default: 'any',
							description:
								'The kind of value that you want. The service has no types: the type is sent in words behind the description, such as "Price with currency (number)".',
						},
					],
				},
			],
		},
		{
			displayName: 'Schema (JSON)',
			name: 'schemaJson',
			type: 'json',
			default: '',
			placeholder: 'e.g. { "price": "Price with currency" }',
			description:
				'Names of fields with descriptions, which the agent reads like instructions. Use { } for an object inside, and [ ] around the description of one entry for a list. A JSON Schema is sent as it is, too.',
			displayOptions: { show: { ...show, schemaMode: ['json'] } },
		},
		{
			displayName: 'Example Output (JSON)',
			name: 'schemaExample',
			type: 'json',
			default: '',
			placeholder: 'e.g. { "name": "Espresso machine", "price": 249.9 }',
			description:
				'A sample of the wanted output. Names, nesting, lists and types are taken from it; its values are not sent. Several samples in [ ] count together.',
			displayOptions: { show: { ...show, schemaMode: ['example'] } },
		},
	];
}
