import { isJsonObject, type Json, type JsonObject } from '../json.cts';

/** What a schema asks for, whichever of the two schema forms it was written in. */
export type Shape =
	| { kind: 'value'; description: string; type: 'text' | 'number' | 'boolean' }
	| { kind: 'object'; fields: Record<string, Shape> }
	| { kind: 'list'; item: Shape };

const jsonSchemaTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** Understands a JSON Schema, or an object of field names with descriptions. */
export function shapeOf(schema: Json): Shape {
	if (Array.isArray(schema)) return { kind: 'list', item: shapeOf(schema[0] ?? '') };
	if (isJsonObject(schema)) {
		return isJsonSchema(schema) ? jsonSchemaShape(schema) : objectShape(schema, shapeOf);
	}
	const type = typeof schema;
	if (type === 'number' || type === 'boolean') return { kind: 'value', description: '', type };
	return described(String(schema ?? ''));
}

const kinds = '(whole number|number|true or false)';
const kindInBrackets = new RegExp(`^(.*)\\(${kinds}\\)$`);
const kindAlone = new RegExp(`^()${kinds}$`);

/** A description can end with the kind of value in words: "Price with currency (number)". */
function described(text: string): Shape {
	const [, description = text, kind] = kindInBrackets.exec(text) ?? kindAlone.exec(text) ?? [];
	if (kind === undefined) return { kind: 'value', description, type: 'text' };
	return { kind: 'value', description, type: kind === 'true or false' ? 'boolean' : 'number' };
}

function objectShape(members: JsonObject, shape: (member: Json) => Shape): Shape {
	const fields = Object.entries(members).map(([name, member]) => [name, shape(member)] as const);
	return { kind: 'object', fields: Object.fromEntries(fields) };
}

/** `{ type: "The type of the pump" }` is a field named `type`, not a JSON Schema. */
function isJsonSchema(schema: JsonObject): boolean {
	if (isJsonObject(schema.properties)) return true;
	const type = typeOf(schema);
	if (type === 'object' || type === 'array') return 'type' in schema;
	return type !== undefined && !Object.values(schema).some((member) => isJsonObject(member));
}

function typeOf(schema: JsonObject): string | undefined {
	const types = [schema.type].flat().filter((type) => jsonSchemaTypes.includes(String(type)));
	return types.map(String).find((type) => type !== 'null');
}

function jsonSchemaShape(schema: Json): Shape {
	if (!isJsonObject(schema)) return shapeOf(schema);
	if (isJsonObject(schema.properties)) return objectShape(schema.properties, jsonSchemaShape);
	const type = typeOf(schema);
	if (type === 'array') return { kind: 'list', item: jsonSchemaShape(schema.items ?? {}) };
	if (type === 'object') return { kind: 'object', fields: {} };
	const description = [schema.title, schema.description].filter((text) => typeof text === 'string');
	return { kind: 'value', description: description.join(' '), type: valueType(type) };
}

function valueType(type: string | undefined): 'text' | 'number' | 'boolean' {
	if (type === 'number' || type === 'integer') return 'number';
	return type === 'boolean' ? 'boolean' : 'text';
}
