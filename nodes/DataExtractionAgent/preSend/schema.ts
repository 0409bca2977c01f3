import type { IDataObject, IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { badInput, shown, type ParameterName } from '../badInput';
import { describeSamples } from '../schema/example';
import { parseJson, type JsonMistake } from '../schema/jsonText';
import { isKind, kindWords } from '../schema/kinds';

const FIELDS: ParameterName = { displayName: 'Fields', name: 'schemaFields' };

/** A parameter that takes JSON, with what to enter there. */
interface JsonParameter extends ParameterName {
	advice: string;
}

const JSON_SCHEMA: JsonParameter = {
	displayName: 'Schema (JSON)',
	name: 'schemaJson',
	advice:
		'Enter names of fields with descriptions in curly brackets, for example { "price": "Price with currency" }.',
};
const EXAMPLE: JsonParameter = {
	displayName: 'Example Output (JSON)',
	name: 'schemaExample',
	advice:
		'Enter a sample of one result in curly brackets, for example { "name": "Espresso machine", "price": 249.9 }.',
};

/** Makes the schema the whole body. The schema is required. */
export async function sendSchemaAsBody(
	this: IExecuteSingleFunctions,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const schema = readSchema(this);
	if (schema === undefined) {
		throw badInput(
			this.getNode(),
			this.getItemIndex(),
			FIELDS,
			'has no field',
			'Add at least one field with the name that it should have in the result.',
		);
	}
	return { ...request, body: schema };
}

/** Puts the schema under `schema`. Without a schema no body is sent. */
export async function sendSchemaAsMember(
	this: IExecuteSingleFunctions,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const schema = readSchema(this);
	return schema === undefined ? request : { ...request, body: { schema } };
}

/** The schema in whichever form the user entered it; `undefined` where none was entered. */
function readSchema(context: IExecuteSingleFunctions): IDataObject | undefined {
	switch (context.getNodeParameter('schemaMode', 'fields')) {
		case 'none':
			return undefined;
		case 'json':
			return readJson(context);
		case 'example':
			return readExample(context);
		default:
			return readFields(context);
	}
}

function readFields(context: IExecuteSingleFunctions): IDataObject | undefined {
	const fields = context.getNodeParameter('schemaFields.field', []) as Array<{
		name?: string;
		description?: string;
		type?: string;
	}>;
	const refuse = (problem: string, advice: string) =>
		badInput(context.getNode(), context.getItemIndex(), FIELDS, problem, advice);

	const schema = new Map<string, string>();
	for (const [index, { name, description, type }] of fields.entries()) {
		const key = String(name ?? '').trim();
		if (key === '') throw refuse(`has no name for field ${index + 1}`, 'Give every field a name.');
		if (schema.has(key)) {
			throw refuse(`holds the name ${shown(key)} twice`, 'Give every field a name of its own.');
		}
		schema.set(key, inWords(String(description ?? ''), type));
	}
	return schema.size > 0 ? Object.fromEntries(schema) : undefined;
}

/** The description with the type behind it: the service documents no other place for a type. */
function inWords(description: string, type: unknown): string {
	if (!isKind(type)) return description;
	return description === '' ? kindWords[type] : `${description} (${kindWords[type]})`;
}

function readJson(context: IExecuteSingleFunctions): IDataObject {
	return requireMembers(context, JSON_SCHEMA, readValue(context, JSON_SCHEMA));
}

function readExample(context: IExecuteSingleFunctions): IDataObject {
	const value = readValue(context, EXAMPLE);
	// A sample of several rows says the same as a sample of one.
	const rows = Array.isArray(value) ? value.filter(isObject) : [value];
	const filled = rows.find((row) => isObject(row) && Object.keys(row).length > 0);
	requireMembers(context, EXAMPLE, filled ?? rows[0]);
	return describeSamples(rows) as IDataObject;
}

/** The value of a JSON parameter: what an expression gave, or what the text says. */
function readValue(context: IExecuteSingleFunctions, parameter: JsonParameter): unknown {
	const value: unknown = context.getNodeParameter(parameter.name, '');
	// Dates of an expression become texts, as they do when they are sent.
	if (typeof value !== 'string') return JSON.parse(JSON.stringify(value) ?? 'null') as unknown;
	if (value.trim() === '') throw refuse(context, parameter, 'is empty');
	try {
		return parseJson(value);
	} catch (mistake) {
		throw refuse(context, parameter, `is not valid JSON: ${(mistake as JsonMistake).message}`);
	}
}

function requireMembers(
	context: IExecuteSingleFunctions,
	parameter: JsonParameter,
	value: unknown,
): IDataObject {
	if (!isObject(value)) throw refuse(context, parameter, 'is not a JSON object');
	if (Object.keys(value).length === 0) throw refuse(context, parameter, 'is an empty object');
	return value;
}

function refuse(context: IExecuteSingleFunctions, parameter: JsonParameter, problem: string) {
	return badInput(context.getNode(), context.getItemIndex(), parameter, problem, parameter.advice);
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
