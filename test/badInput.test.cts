import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { createEngine, type Outcome } from '../harness/engine.cts';
import { demoResultIds, demoRunId, demoWorkflowId } from '../simulator/demo-data.cts';
import {
	AGENT,
	agentWorkflow,
	FAILED,
	setStage,
	type Stage,
	SUCCESS,
	TOKEN,
} from './support/agent.cts';
import { expectDocumented } from './support/messageTables.cts';
import {
	minimalParameters,
	type MinimalParameters,
	type OperationName,
	page,
	priceFields,
} from './support/operations.cts';

let stage: Stage;
let minimal: MinimalParameters;

beforeAll(async () => {
	stage = await setStage({ jobDurationMs: 0 });
	minimal = minimalParameters(stage.simulator);
});

beforeEach(() => {
	stage.simulator.ledger.clear();
});

afterAll(async () => {
	await stage.close();
});

/** One bad value, and a good one that the items beside it have. */
interface Case {
	name: string;
	operation: OperationName;
	/** Technical name of the parameter that is to blame. */
	parameter: string;
	/** Where the value stands: the whole parameter, or inside it. */
	place: (value: string) => object;
	bad: unknown;
	good: unknown;
	/** What the message must say besides the names. */
	says: RegExp;
}

/** The bad value comes from the item, so that only one item is bad. */
const VALUE = '={{ $json.value }}';

const cases: Case[] = [];

function add(
	operation: OperationName,
	parameter: string,
	place: Case['place'],
	good: unknown,
	...bad: [value: unknown, says: RegExp][]
): void {
	for (const [value, says] of bad) {
		const shown = typeof value === 'string' ? JSON.stringify(value) : String(JSON.stringify(value));
		const name = `${parameter} of ${operation}: ${shown}`;
		cases.push({ name, operation, parameter, place, bad: value, good, says });
	}
}

const inside = (collection: string, name: string) => (value: string) => ({
	[collection]: { [name]: value },
});
const whole =
	(name: string, more: object = {}) =>
	(value: string) => ({ ...more, [name]: value });

const notGuid = /is not a GUID/;
const empty = /is empty/;

// Identifiers
add('runResult.getFirst', 'runId', whole('runId'), demoRunId, ['not-a-guid', notGuid], ['', empty]);
add(
	'runResult.get',
	'runId',
	whole('runId'),
	demoRunId,
	['2f6d1c58-93b4-4e0f-8a71-5c9e40b7d61', notGuid],
	['2f6d1c58-93b4-4e0f-8a71-5c9e40b7d612/first?', notGuid],
	[null, empty],
	[{ id: demoRunId }, /is not a text/],
);
add(
	'runResult.get',
	'resultId',
	whole('resultId'),
	demoResultIds[0],
	['first', notGuid],
	['../2f6d1c58-93b4-4e0f-8a71-5c9e40b7d612', notGuid],
	['   ', empty],
);
add(
	'workflow.getLatest',
	'workflowId',
	whole('workflowId'),
	demoWorkflowId,
	['{7b0f6f43-6a7e-4a43-9a8c-0a5b7c1d2e3f}', notGuid],
	['7b0f6f43%2D6a7e-4a43-9a8c-0a5b7c1d2e3f', notGuid],
	[42, notGuid],
	['', empty],
);

// Addresses
add(
	'urlExtract.start',
	'url',
	whole('url'),
	'https://example.com/',
	...['/products/42', 'example.com', 'ftp://example.com/a', 'https://example.com/a b'].map(
		(bad): [string, RegExp] => [bad, /is not an absolute http\(s\) address/],
	),
	...[
		'javascript:alert(1)',
		'https://',
		'https:///path',
		'http:example.com',
		'file:///etc/passwd',
	].map((bad): [string, RegExp] => [bad, /is not an absolute http\(s\) address/]),
	['', empty],
	[' \n ', empty],
	[null, empty],
	[['https://example.com/'], /is not a text/],
	[{ href: 'https://example.com/' }, /is not a text/],
);

// Texts
add('dataset.start', 'query', whole('query'), 'Rivers', [{ a: 1 }, /is not a text/]);
add(
	'urlExtract.start',
	'additionalInstructions',
	inside('options', 'additionalInstructions'),
	'Hurry',
	[['a', 'b'], /is not a text/],
);

// Schemas
const notObject = /is not a JSON object/;
const badObjects: [unknown, RegExp][] = [
	['{ "price": ', /is not valid JSON: /],
	['price', /is not valid JSON: /],
	["{ 'price': 'Price' }", /is not valid JSON: /],
	['"price"', notObject],
	['null', notObject],
	['42', notObject],
	[7, notObject],
	[true, notObject],
	['{}', /is an empty object/],
	[{}, /is an empty object/],
	['', empty],
	['  ', empty],
	['[]', notObject],
	['[1, 2]', notObject],
];
const goodSchema = { price: 'Price' };
for (const [operation, more] of [
	['document.start', { documentInput: 'schema' }],
	['urlExtract.start', {}],
	['dataset.start', {}],
] as const) {
	add(
		operation,
		'schemaJson',
		whole('schemaJson', { ...more, schemaMode: 'json' }),
		goodSchema,
		...badObjects,
		['[{ "price": "Price" }]', notObject],
		[[{ price: 'Price' }], notObject],
	);
	add(
		operation,
		'schemaExample',
		whole('schemaExample', { ...more, schemaMode: 'example' }),
		goodSchema,
		...badObjects,
		['[{}]', /is an empty object/],
	);
	const field = (fields: (value: string) => object[]) => (value: string) => ({
		...more,
		schemaMode: 'fields',
		schemaFields: { field: fields(value) },
	});
	add(
		operation,
		'schemaFields',
		field((name) => [{ name: 'first' }, { name, description: 'x' }]),
		'price',
		['', /has no name for field 2/],
		['  ', /has no name for field 2/],
		['first', /holds the name "first" twice/],
		[' first ', /holds the name "first" twice/],
	);
}

// Numbers
const numbers: [OperationName, string, string, ...[unknown, RegExp][]][] = [
	[
		'urlExtract.start',
		'options',
		'capScreenshots',
		[-1, /must be at least 0/],
		[1.5, /is not a whole number/],
		['many', /is not a number/],
		['Infinity', /is not a number/],
		[true, /is not a number/],
		[[3], /is not a number/],
		['', /is not a number/],
	],
	['document.start', 'options', 'capScreenshots', ['-3', /must be at least 0/]],
	['runResult.getFirst', 'batching', 'maxConcurrentJobs', [0, /at least 1/], [2.5, /whole number/]],
	['dataset.start', 'batching', 'maxConcurrentJobs', ['all', /is not a number/]],
	['workflow.getLatest', 'batching', 'maxRequestsPerSecond', [0, /at least/], [-2, /at least/]],
	['runResult.get', 'batching', 'maxRequestsPerSecond', ['fast', /is not a number/]],
	[
		'workflow.getLatest',
		'batching',
		'requestTimeoutSeconds',
		[0, /at least/],
		['1 s', /is not a num/],
	],
	['urlExtract.start', 'batching', 'requestTimeoutSeconds', [-1, /at least/]],
];
for (const [operation, collection, name, ...bad] of numbers) {
	add(operation, name, inside(collection, name), 3, ...bad);
}
const waitOptions = (name: string) => (value: string) => ({
	waitForCompletion: true,
	waitOptions: { pollIntervalSeconds: 0.02, [name]: value },
});
add(
	'runResult.getFirst',
	'maxWaitSeconds',
	waitOptions('maxWaitSeconds'),
	3,
	[0, /at least/],
	[-1, /at least/],
	['an hour', /is not a number/],
);
add(
	'workflow.getLatest',
	'pollIntervalSeconds',
	waitOptions('pollIntervalSeconds'),
	0.02,
	[0, /at least/],
	['often', /is not a number/],
	[{}, /is not a number/],
);

// Lists of values
add('runResult.getFirst', 'onTimeout', waitOptions('onTimeout'), 'error', [
	'ignore',
	/is not one of error, returnInProgress/,
]);
add(
	'dataset.start',
	'method',
	whole('method'),
	'advanced',
	['Advanced', /is not one of advanced, simple/],
	['', /is not one of/],
	[null, /is not one of/],
	[1, /is not one of/],
);
add(
	'urlExtract.start',
	'model',
	inside('options', 'model'),
	'small',
	['medium', /is not one of auto, large, small/],
	[['small'], /is not one of/],
);
add('document.start', 'model', inside('options', 'model'), 'auto', ['', /is not one of/]);
add(
	'workflow.getLatest',
	'output',
	whole('output'),
	'data',
	['csv', /is not one of data, full, simplified/],
	['', /is not one of/],
);

// Booleans
const notTruth = /is neither true nor false/;
add(
	'urlExtract.start',
	'extended',
	inside('options', 'extended'),
	true,
	['yes', notTruth],
	[1, notTruth],
);
for (const name of ['waitForCompletion', 'splitIntoItems', 'downloadScreenshots']) {
	add(
		'runResult.getFirst',
		name,
		whole(name),
		false,
		['', notTruth],
		['no', notTruth],
		[0, notTruth],
		[null, notTruth],
	);
}

// Paths of results
for (const operation of ['urlExtract.start', 'dataset.getResult'] as const) {
	const [resource] = operation.split('.');
	const place = resource === 'urlExtract' ? 'extract' : resource;
	const notPath = /is not a path that begins with one \//;
	add(
		operation,
		'resultPath',
		inside('options', 'resultPath'),
		`/api/v2/${place}/result/{id}`,
		['/api/v2/extract/result', /does not hold \{id\}/],
		['/api/v2/extract/result/{ID}', /does not hold \{id\}/],
		['https://evil.example/{id}', notPath],
		['//evil.example/{id}', notPath],
		['/\\evil.example/{id}', notPath],
		['\\\\evil.example/{id}', notPath],
		['@evil.example/{id}', notPath],
		['.evil.example/{id}', notPath],
		['api/v2/{id}', notPath],
		['/api /{id}', notPath],
		['/\t/evil.example/{id}', notPath],
		[{ path: '/{id}' }, /is not a text/],
	);
}

// Query parameters
const extra = (parameter: (value: string) => object[]) => (value: string) => ({
	options: { capScreenshots: 3, extraQuery: { parameter: parameter(value) } },
});
add(
	'urlExtract.start',
	'extraQuery',
	extra((name) => [
		{ name: 'language', value: 'de' },
		{ name, value: 'x' },
	]),
	'region',
	['language', /names "language", which is sent already/],
	[' language ', /names "language", which is sent already/],
	['url', /names "url", which is sent already/],
	['cap_screenshots', /names "cap_screenshots", which is sent already/],
	['', /has no name for parameter 2/],
);
add(
	'dataset.start',
	'extraQuery',
	(name) => ({
		query: 'Rivers',
		method: 'advanced',
		options: { extraQuery: { parameter: [{ name, value: 'x' }] } },
	}),
	'language',
	['query', /names "query", which is sent already/],
	['method', /names "method", which is sent already/],
);

/** Three items, of which the one in the middle is bad. */
function itemsOf({ bad, good }: Pick<Case, 'bad' | 'good'>): INodeExecutionData[] {
	return [good, bad, good].map((value, n) => ({ json: { n, value: value as string } }));
}

async function runCase(
	{ operation, place, bad, good }: Case,
	onError?: string,
	inputItems = itemsOf({ bad, good }),
): Promise<Outcome> {
	return await stage.run(
		{ ...minimal[operation], ...place(VALUE) },
		{ inputItems, executionTimeoutMs: 20_000, ...(onError && { node: { onError } }) },
	);
}

/** Which of the items asked for something, by what they asked for. */
function requestCount(): number {
	return stage.simulator.ledger.entries.filter(({ operation }) => operation !== 'page').length;
}

function expectMessage({ parameter, says }: Pick<Case, 'parameter' | 'says'>, message?: string) {
	expect(message).toContain(` (${parameter}) `);
	expect(message).toMatch(says);
	expect(message).toMatch(/ \[item 1\]$/);
}

/** The failure item of the contract. */
function failureOf(operation: OperationName) {
	const [resource, name] = operation.split('.');
	return {
		error: {
			message: expect.any(String),
			description: expect.stringMatching(/\S/),
			resource,
			operation: name,
		},
	};
}

const messageOf = ({ json }: INodeExecutionData) => (json.error as { message: string }).message;

describe('a bad item in the middle', () => {
	test('is tried with at least one bad value for each parameter that takes an expression', () => {
		expect(cases.length).toBeGreaterThan(100);
		expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
	});

	test.each(cases.map((one) => [one.name, one] as const))('%s', async (_, one) => {
		const stopped = await runCase(one);
		expect(stopped.status).toBe('error');
		expectMessage(one, stopped.error?.message);
		expect(stopped.error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 1 } });
		expect(stopped.items(AGENT)).toEqual([]);
		expect(requestCount()).toBe(0);

		const continued = await runCase(one, 'continueRegularOutput');
		expect(continued.status).toBe('success');
		expect(continued.error).toBeUndefined();
		const items = continued.items(AGENT);
		expect(items).toHaveLength(3);
		expect(items[1]).toEqual({ json: failureOf(one.operation), pairedItem: { item: 1 } });
		expectMessage(one, messageOf(items[1]));
		expectDocumented(items[1].json.error as IDataObject);
		for (const index of [0, 2]) {
			expect(items[index].json).not.toHaveProperty('error');
			expect(items[index].pairedItem).toEqual({ item: index });
		}
		// One request for each of the other two; waiting and screenshots would make more.
		expect(requestCount()).toBe(2);

		const split = await runCase(one, 'continueErrorOutput');
		expect(split.status).toBe('success');
		expect(split.items(SUCCESS).map(({ pairedItem }) => pairedItem)).toHaveLength(2);
		expect(split.items(FAILED)).toHaveLength(1);
		const [failed] = split.items(FAILED);
		expect(failed.json).toMatchObject(failureOf(one.operation));
		expectMessage(one, messageOf(failed));
		expect(requestCount()).toBe(4);
	});
});

describe('a bad value that cannot be an expression', () => {
	const rows: [OperationName, string, object, RegExp][] = [
		[
			'document.start',
			'documentInput',
			{ documentInput: 'both' },
			/is not one of file, none, schema/,
		],
		[
			'document.start',
			'schemaMode',
			{ documentInput: 'schema', schemaMode: 'none' },
			/is not one of example, fields, json/,
		],
		['dataset.start', 'schemaMode', { schemaMode: 'none' }, /is not one of example, fields, json/],
		[
			'urlExtract.start',
			'schemaMode',
			{ schemaMode: 'xml' },
			/is not one of example, fields, json, none/,
		],
		[
			'dataset.start',
			'inputsLocation',
			{ options: { inputsLocation: 'header' } },
			/is not one of body, query/,
		],
		['dataset.start', 'schemaFields', { schemaFields: {} }, /has no field/],
		[
			'document.start',
			'schemaFields',
			{ documentInput: 'schema', schemaFields: { field: [] } },
			/has no field/,
		],
	];

	test.each(rows)('%s: %s in %j', async (operation, parameter, parameters, says) => {
		const all = { ...minimal[operation], ...parameters };
		const stopped = await stage.run(all);
		expect(stopped.status).toBe('error');
		expect(stopped.error?.message).toContain(` (${parameter}) `);
		expect(stopped.error?.message).toMatch(says);
		expect(stopped.error?.message).toMatch(/ \[item 0\]$/);
		const continued = await stage.run(all, { node: { onError: 'continueRegularOutput' } });
		expect(continued.items(AGENT)).toEqual([
			{ json: failureOf(operation), pairedItem: { item: 0 } },
		]);
		expect(requestCount()).toBe(0);
	});

	test.each([
		['urlExtract.start', { url: '' }],
		['runResult.getFirst', { runId: '' }],
		['runResult.get', { resultId: '' }],
		['workflow.getLatest', { workflowId: '' }],
	] as const)('%s with %j is refused by the engine itself', async (operation, parameters) => {
		const outcome = await stage.run({ ...minimal[operation], ...parameters });
		expect(outcome.status).toBe('error');
		expect(outcome.error?.message).toMatch(/issues/);
		expect(outcome.nodeRuns(AGENT)).toEqual([]);
		expect(requestCount()).toBe(0);
	});
});

describe('files', () => {
	const good = ['data', 'copy'];
	const rows: [
		name: string,
		binaryPropertyName: string,
		bad: string[],
		says: RegExp,
		lists: RegExp,
	][] = [
		[
			'no binary data at all',
			'data',
			[],
			/names "data", which this item does not have/,
			/no binary data/,
		],
		['no binary data for *', '*', [], /is \*, and this item has no binary data/, /no binary data/],
		[
			'another field',
			'data',
			['invoice', 'photo'],
			/names "data"/,
			/binary fields: invoice, photo\./,
		],
		[
			'one of a list',
			'data, copy',
			['data', 'photo'],
			/names "copy"/,
			/binary fields: data, photo\./,
		],
		[
			'a field of every object',
			'={{ $json.n === 1 ? "constructor" : "data" }}',
			good,
			/names "constructor"/,
			/binary fields: data, copy\./,
		],
		[
			'an empty name',
			'={{ $json.n === 1 ? "" : "data" }}',
			good,
			/is empty/,
			/binary fields: data, copy\./,
		],
		[
			'nothing but commas',
			'={{ $json.n === 1 ? " , ," : "data" }}',
			good,
			/is empty/,
			/binary fields: data, copy\./,
		],
		[
			'an object',
			'={{ $json.n === 1 ? { a: 1 } : "data" }}',
			good,
			/is not a text/,
			/single value/,
		],
		['an empty file', 'data', ['data!'], /names "data", whose file is empty/, /Check the node/],
		[
			'an empty file in a list',
			'copy,data',
			['copy', 'data!'],
			/names "data", whose file is empty/,
			/Check the node/,
		],
		[
			'an empty file among all',
			'*',
			['copy', 'data!'],
			/names "data", whose file is empty/,
			/Check the node/,
		],
	];

	/** Fields by name; an exclamation mark stands for an empty file. */
	async function binary(names: string[]): Promise<IBinaryKeyData> {
		const files: IBinaryKeyData = {};
		for (const name of names) {
			const content = Buffer.from(name.endsWith('!') ? '' : name);
			files[name.replace('!', '')] = await stage.engine.binary('a.pdf', 'application/pdf', content);
		}
		return files;
	}

	test.each(rows)('%s', async (_, binaryPropertyName, bad, says, lists) => {
		const inputItems: INodeExecutionData[] = [];
		for (const [n, names] of [good, bad, good].entries()) {
			inputItems.push({ json: { n }, ...(names.length > 0 && { binary: await binary(names) }) });
		}
		const parameters = {
			...minimal['document.start'],
			documentInput: 'file',
			binaryPropertyName,
		};
		const expected = { parameter: 'binaryPropertyName', says };
		const stopped = await stage.run(parameters, { inputItems });
		expectMessage(expected, stopped.error?.message);
		expect(stopped.error?.description).toMatch(lists);
		expect(requestCount()).toBe(0);

		const continued = await stage.run(parameters, {
			inputItems,
			node: { onError: 'continueRegularOutput' },
		});
		const failures = continued.items(AGENT).filter(({ json }) => 'error' in json);
		expect(failures).toEqual([{ json: failureOf('document.start'), pairedItem: { item: 1 } }]);
		expectMessage(expected, messageOf(failures[0]));
		expectDocumented(failures[0].json.error as IDataObject);
		const jobsPerItem =
			binaryPropertyName === '*' ||
			(binaryPropertyName.includes(',') && !binaryPropertyName.startsWith('='))
				? 2
				: 1;
		expect(requestCount()).toBe(2 * jobsPerItem);

		const split = await stage.run(parameters, {
			inputItems,
			node: { onError: 'continueErrorOutput' },
		});
		expect(split.items(FAILED).map(({ json }) => json)).toEqual([
			{ n: 1, ...failureOf('document.start') },
		]);
		expect(split.items(SUCCESS)).toHaveLength(2 * jobsPerItem);
	});
});

describe('the credential', () => {
	const rows: [string, { baseUrl?: string; accessToken?: string }, string][] = [
		['no base URL', { baseUrl: '' }, 'baseUrl'],
		['a blank base URL', { baseUrl: '  ' }, 'baseUrl'],
		['another scheme', { baseUrl: 'ftp://127.0.0.1' }, 'baseUrl'],
		['no scheme', { baseUrl: 'api.example.com' }, 'baseUrl'],
		['a relative address', { baseUrl: '/api' }, 'baseUrl'],
		['no host', { baseUrl: 'https://' }, 'baseUrl'],
		['a user in the address', { baseUrl: 'http://user:secret@127.0.0.1:9' }, 'baseUrl'],
		['a query', { baseUrl: 'http://127.0.0.1:9/?a=1' }, 'baseUrl'],
		['a fragment', { baseUrl: 'http://127.0.0.1:9/#a' }, 'baseUrl'],
		['no token', { accessToken: '' }, 'accessToken'],
		['a line break in the token', { accessToken: `${TOKEN}\n` }, 'accessToken'],
		['a header after the token', { accessToken: `${TOKEN}\r\nX-Evil: 1` }, 'accessToken'],
		['a space in the token', { accessToken: 'a b' }, 'accessToken'],
		['the word Bearer before the token', { accessToken: `Bearer ${TOKEN}` }, 'accessToken'],
		['a letter that no header can hold', { accessToken: 'tökén' }, 'accessToken'],
	];

	test.each(rows)('%s', async (_, data, field) => {
		const engine = await createEngine({
			credentials: {
				dataExtractionAgentApi: {
					data: { baseUrl: stage.simulator.origin, accessToken: TOKEN, ...data },
				},
			},
		});
		const parameters = {
			...minimal['urlExtract.start'],
			url: page(stage.simulator),
			schemaFields: priceFields,
		};
		const inputItems = itemsOf({ good: 1, bad: 2 });
		try {
			const stopped = await engine.run(agentWorkflow(parameters), { inputItems });
			expect(stopped.status).toBe('error');
			expect(stopped.error?.message).toContain(` (${field}) of the credential `);
			const token = data.accessToken ?? '';
			if (token !== '') expect(JSON.stringify(stopped.error?.message)).not.toContain(token.trim());

			const continued = await engine.run(
				agentWorkflow(parameters, { onError: 'continueRegularOutput' }),
				{ inputItems },
			);
			expect(continued.items(AGENT)).toEqual(
				[0, 1, 2].map((item) => ({
					json: failureOf('urlExtract.start'),
					pairedItem: { item },
				})),
			);
			for (const item of continued.items(AGENT)) {
				expect(messageOf(item)).toContain(`(${field})`);
				expectDocumented(item.json.error as IDataObject);
			}

			const split = await engine.run(
				agentWorkflow(parameters, { onError: 'continueErrorOutput' }),
				{ inputItems },
			);
			expect(split.items(FAILED)).toHaveLength(3);
			expect(split.items(SUCCESS)).toEqual([]);
			expect(requestCount()).toBe(0);
		} finally {
			engine.close();
		}
	});
});

describe('several bad items', () => {
	const parameters = () => ({ ...minimal['runResult.getFirst'], runId: VALUE });
	const inputItems: INodeExecutionData[] = ['x', demoRunId, 'y'].map((value) => ({
		json: { value },
	}));

	test('the first one is named, and nothing is sent', async () => {
		const outcome = await stage.run(parameters(), { inputItems });
		expect(outcome.error?.message).toMatch(/\(runId\) is not a GUID: "x" \[item 0\]$/);
		expect(requestCount()).toBe(0);
	});

	test('each is named where the node continues', async () => {
		const outcome = await stage.run(parameters(), {
			inputItems,
			node: { onError: 'continueRegularOutput' },
		});
		const items = outcome.items(AGENT);
		expect(messageOf(items[0])).toMatch(/"x" \[item 0\]$/);
		expect(items[1].json).toMatchObject({ id: demoRunId, done: true });
		expect(messageOf(items[2])).toMatch(/"y" \[item 2\]$/);
		expect(requestCount()).toBe(1);
	});

	test('the older setting "Continue On Fail" does the same', async () => {
		const outcome = await stage.run(parameters(), { inputItems, node: { continueOnFail: true } });
		expect(outcome.items(AGENT).map(({ json }) => 'error' in json)).toEqual([true, false, true]);
	});

	test('no request at all where every item is bad', async () => {
		const outcome = await stage.run(parameters(), {
			inputItems: [{ json: { value: 'x' } }, { json: { value: 'y' } }],
			node: { onError: 'continueErrorOutput' },
		});
		expect(outcome.items(FAILED)).toHaveLength(2);
		expect(requestCount()).toBe(0);
	});
});
