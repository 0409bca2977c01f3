import type {
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	JsonObject,
	JsonValue,
} from 'n8n-workflow';
import { badInput, shown, type ParameterName } from '../badInput';

const FIELDS: ParameterName = { displayName: 'Fields', name: 'schemaFields' };
const JSON_SCHEMA: ParameterName = { displayName: 'Schema (JSON)', name: 'schemaJson' };
const EXAMPLE: ParameterName = { displayName: 'Example Output (JSON)', name: 'schemaExample' };

/** Makes the schema the whole body. The schema is required. */
export async function sendSchemaAsBody(
	this: IExecuteSingleFunctions,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const schema = readSchema(this);
	if (schema === undefined) {
		throw badInput(this.getNode(), this.getItemIndex(), FIELDS, 'has no field', ADD_A_FIELD);
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

const ADD_A_FIELD = 'Add at least one field with the name that it should have in the result.';

/** The schema in whichever form the user entered it; `undefined` where none was entered. */
function readSchema(context: IExecuteSingleFunctions): IDataObject | undefined {
	switch (context.getNodeParameter('schemaMode', 'fields')) {
		case 'none':
			return undefined;
		case 'json':
			return readObject(context, JSON_SCHEMA);
		case 'example':
			return describeExample(readObject(context, EXAMPLE)) as IDataObject;
		default:
			return readFields(context);
	}
}

function readFields(context: IExecuteSingleFunctions): IDataObject | undefined {
	const fields = context.getNodeParameter('schemaFields.field', []) as Array<{
		name?: string;
		description?: string;
	}>;
	const refuse = (problem: string, advice: string) =>
		badInput(context.getNode(), context.getItemIndex(), FIELDS, problem, advice);

	const schema = new Map<string, string>();
	for (const [index, { name, description }] of fields.entries()) {
		const key = String(name ?? '').trim();
		if (key === '') throw refuse(`has no name for field ${index + 1}`, 'Give every field a name.');
		if (schema.has(key)) {
			throw refuse(`holds the name ${shown(key)} twice`, 'Give every field a name of its own.');
		}
		schema.set(key, String(description ?? ''));
	}
	return schema.size > 0 ? Object.fromEntries(schema) : undefined;
}

function readObject(context: IExecuteSingleFunctions, parameter: ParameterName): IDataObject {
	const refuse = (problem: string) =>
		badInput(
			context.getNode(),
			context.getItemIndex(),
			parameter,
			problem,
			'Enter a JSON object with at least one member, for example { "price": "Price with currency" }.',
		);
	let value = context.getNodeParameter(parameter.name, '') as unknown;
	if (typeof value === 'string') {
		if (value.trim() === '') throw refuse('is empty');
		try {
			value = JSON.parse(value);
		} catch (error) {
			throw refuse(`is not valid JSON: ${(error as Error).message}`);
		}
	}
	// A sample of several rows says the same as a sample of one.
	if (parameter === EXAMPLE && Array.isArray(value)) value = mergeRows(value);
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw refuse('is not a JSON object');
	}
	if (Object.keys(value).length === 0) throw refuse('is an empty object');
	return value as IDataObject;
}

/**
 * A sample turned into the schema form that the service documents: names with descriptions. The
 * description is the kind of value; the sample's values stay here.
 */
function describeExample(value: unknown): JsonValue {
	if (Array.isArray(value)) {
		const rows = value.filter(isObject);
		if (rows.length > 0) return [describeExample(mergeRows(rows))];
		return value.length > 0 ? [describeExample(value[0])] : ['any value'];
	}
	if (isObject(value)) {
		return Object.fromEntries(
			Object.entries(value).map(([name, member]) => [name, describeExample(member)]),
		) as JsonObject;
	}
	return kindOf(value);
}

function kindOf(value: unknown): string {
	if (typeof value === 'number') return Number.isInteger(value) ? 'whole number' : 'number';
	if (typeof value === 'boolean') return 'true or false';
	if (typeof value !== 'string') return 'any value';
	if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'date as YYYY-MM-DD';
	if (/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:?\d{2})?$/.test(value))
		return 'date and time (ISO 8601)';
	if (/^https?:\/\/\S+$/i.test(value)) return 'URL';
	if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return 'e-mail address';
	return 'text';
}

/** One row with every member that any of the rows has; the first value of each wins. */
function mergeRows(rows: unknown[]): unknown {
	const objects = rows.filter(isObject);
	return objects.length > 0 ? Object.assign({}, ...[...objects].reverse()) : rows;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
