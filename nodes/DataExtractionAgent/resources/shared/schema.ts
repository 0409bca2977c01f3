import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyOptions,
	PreSendAction,
} from 'n8n-workflow';

const fields: INodePropertyOptions = {
	name: 'Fields',
	value: 'fields',
	description: 'List the fields to extract, each with a description',
};
const json: INodePropertyOptions = {
	name: 'JSON',
	value: 'json',
	description: 'Write the schema as JSON; it is sent as it is',
};
const example: INodePropertyOptions = {
	name: 'Example',
	value: 'example',
	description: 'Paste a sample of the wanted output; the schema is made from it',
};
const none: INodePropertyOptions = {
	name: 'None',
	value: 'none',
	description: 'Send no schema and let the agent decide what to extract',
};

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
			description: 'How to say what the agent should extract',
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
				? 'What to extract. Without any field the agent decides for itself.'
				: 'What to extract',
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
							description: 'What the agent should look for; the clearer, the better the result',
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
			description: 'The schema as a JSON object: names of fields with descriptions',
			displayOptions: { show: { ...show, schemaMode: ['json'] } },
		},
		{
			displayName: 'Example Output (JSON)',
			name: 'schemaExample',
			type: 'json',
			default: '',
			placeholder: 'e.g. { "name": "Espresso machine", "price": 249.9 }',
			description:
				'A sample of the wanted output. Names, nesting and types are taken from it; its values are not sent.',
			displayOptions: { show: { ...show, schemaMode: ['example'] } },
		},
	];
}
