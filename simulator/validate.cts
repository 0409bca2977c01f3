import { HttpProblem } from './problem.cts';
import { isJsonObject, type JsonObject } from './json.cts';

/** Where the simulated service takes a dataset's `query` and `method` from. */
export type InputsLocation = 'query' | 'body' | 'any';

/** Query parameters as received; a repeated one is a list. */
export type Query = Record<string, string | string[]>;

/** The parameters that document and URL starts share. */
export interface ExtractionOptions {
	model: string;
	extended: boolean;
	capScreenshots: number;
}

/** The inputs of a dataset start, wherever they came from. */
export interface DatasetInputs {
	query: string;
	method: string;
	schema: JsonObject;
}

const guidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns a path's identifier in lower case, or refuses it. */
export function checkGuid(name: string, value: string): string {
	if (!guidPattern.test(value)) throw new HttpProblem(400, `${name} is not a GUID`);
	return value.toLowerCase();
}

/** Refuses empty parameters: an option that the user has not set must not be sent at all. */
export function checkNoneEmpty(query: Query): void {
	for (const [name, value] of Object.entries(query)) {
		if ([value].flat().includes('')) throw new HttpProblem(400, `Parameter ${name} is empty`);
	}
}

/** Checks the parameters of a document or URL start. */
export function readExtractionOptions(query: Query): ExtractionOptions {
	single(query, 'additional_instructions');
	const cap = single(query, 'cap_screenshots') ?? '5';
	if (!/^\d{1,9}$/.test(cap)) {
		throw new HttpProblem(400, 'Parameter cap_screenshots must be a whole number');
	}
	return {
		model: oneOf(query, 'model', ['auto', 'large', 'small']) ?? 'auto',
		extended: oneOf(query, 'extended', ['true', 'false']) === 'true',
		capScreenshots: Number(cap),
	};
}

/** Checks the address of a URL start. */
export function readUrl(query: Query): string {
	const url = single(query, 'url');
	if (url === undefined) throw new HttpProblem(400, 'Parameter url is missing');
	if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
		throw new HttpProblem(400, 'Parameter url must be an absolute http(s) address');
	}
	return url;
}

/** Checks a document start's JSON body: a schema, or nothing. */
export function readDocumentSchema(body: unknown): JsonObject | undefined {
	return body === undefined ? undefined : objectOrRefuse(body, 'The body');
}

/** Checks a URL start's body: `{ schema }`, or nothing. */
export function readUrlSchema(body: unknown): JsonObject | undefined {
	if (body === undefined) return undefined;
	return objectOrRefuse(objectOrRefuse(body, 'The body').schema, 'Member schema of the body');
}

/** Checks a dataset start: an object of fields, or `{ query, method, schema }`. */
export function readDatasetInputs(
	query: Query,
	body: unknown,
	location: InputsLocation,
): DatasetInputs {
	const content = objectOrRefuse(body, 'The body');
	const wrapped = isWrapped(content) || location === 'body';
	const inBody = wrapped ? content : {};
	const inQuery = { query: single(query, 'query'), method: single(query, 'method') };
	if (wrapped && location === 'query') {
		throw new HttpProblem(400, 'query and method belong in the query string');
	}
	if (location === 'body' && (inQuery.query ?? inQuery.method) !== undefined) {
		throw new HttpProblem(400, 'query and method belong in the body');
	}
	const merged = {
		...stringMember(inBody, 'query'),
		...stringMember(inBody, 'method'),
		...definedOnly(inQuery),
	};
	const schema = wrapped ? objectOrRefuse(content.schema, 'Member schema of the body') : content;
	if (Object.keys(schema).length === 0) throw new HttpProblem(400, 'The schema has no fields');
	return {
		query: merged.query ?? '',
		method: oneOf(merged, 'method', ['simple', 'advanced']) ?? 'simple',
		schema,
	};
}

function isWrapped(body: JsonObject): boolean {
	const names = Object.keys(body);
	return isJsonObject(body.schema) && names.every((name) => wrapperMembers.includes(name));
}

const wrapperMembers = ['query', 'method', 'schema'];

function objectOrRefuse(value: unknown, what: string): JsonObject {
	if (!isJsonObject(value)) throw new HttpProblem(400, `${what} must be a JSON object`);
	return value;
}

function single(query: Query, name: string): string | undefined {
	const value: string | string[] | undefined = query[name];
	if (Array.isArray(value)) throw new HttpProblem(400, `Parameter ${name} is repeated`);
	return value;
}

function oneOf(query: Query, name: string, allowed: string[]): string | undefined {
	const value = single(query, name);
	if (value !== undefined && !allowed.includes(value)) {
		throw new HttpProblem(400, `Parameter ${name} must be one of: ${allowed.join(', ')}`);
	}
	return value;
}

function stringMember(body: JsonObject, name: string): Record<string, string> {
	const value: JsonObject[string] | undefined = body[name];
	if (value === undefined) return {};
	if (typeof value !== 'string' || value === '') {
		throw new HttpProblem(400, `Member ${name} of the body must be a text that is not empty`);
	}
	return { [name]: value };
}

function definedOnly(values: Record<string, string | undefined>): Record<string, string> {
	const result: Record<string, string> = {};
	for (const [name, value] of Object.entries(values)) {
		if (value !== undefined) result[name] = value;
	}
	return result;
}
