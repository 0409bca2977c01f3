import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { LedgerEntry } from '../simulator/ledger.cts';
import { demoResultIds, demoRunId, demoWorkflowId } from '../simulator/demo-data.cts';
import { AGENT, numbered, setStage, type Stage, TOKEN } from './support/agent.cts';
import {
	minimalParameters,
	type MinimalParameters,
	onTheWire,
	operationNames,
	type OperationName,
	page,
	priceFields,
	priceSchema,
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

afterEach(() => {
	stage.simulator.faults.clear();
});

afterAll(async () => {
	await stage.close();
});

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Runs an operation with its least parameters and these, and expects it to succeed. */
async function succeed(
	operation: OperationName,
	more: object = {},
	inputItems?: INodeExecutionData[],
): Promise<{ items: INodeExecutionData[]; requests: LedgerEntry[] }> {
	const outcome = await stage.run(
		{ ...minimal[operation], ...more },
		// A run that does not end is to fail here, not to hold up the tests after it.
		{ inputItems, executionTimeoutMs: 10_000 },
	);
	expect({ status: outcome.status, error: outcome.error?.message }).toEqual({ status: 'success' });
	return {
		items: outcome.items(AGENT),
		requests: stage.simulator.ledger.entries.filter(ofTheNode),
	};
}

/** The simulated agent reads its pages from the simulator, too. */
const ofTheNode = ({ operation }: LedgerEntry) => operation !== 'page';

/** The one request of a run with one item. */
async function requestOf(operation: OperationName, more: object = {}): Promise<LedgerEntry> {
	const { requests } = await succeed(operation, more);
	expect(requests).toHaveLength(1);
	return requests[0];
}

/** The identifier that the minimal parameters ask for. */
function resultIdOf(operation: OperationName): string {
	return (minimal[operation] as unknown as { resultId: string }).resultId;
}

describe('the nine requests', () => {
	const paths: Record<OperationName, () => string> = {
		'document.start': () => 'POST /api/v2/document/start',
		'document.getResult': () => `GET /api/v2/document/result/${resultIdOf('document.getResult')}`,
		'urlExtract.start': () => 'POST /api/v2/extract/start',
		'urlExtract.getResult': () =>
			`GET /api/v2/extract/result/${resultIdOf('urlExtract.getResult')}`,
		'dataset.start': () => 'POST /api/v2/dataset/start',
		'dataset.getResult': () => `GET /api/v2/dataset/result/${resultIdOf('dataset.getResult')}`,
		'runResult.get': () => `GET /api/v2/results/${demoRunId}/${demoResultIds[1]}`,
		'runResult.getFirst': () => `GET /api/v2/results/${demoRunId}/first`,
		'workflow.getLatest': () => `GET /api/v2/workflow/${demoWorkflowId}/latest.json`,
	};

	test.each(operationNames.filter((name) => name !== 'document.getResult'))(
		'%s: method, path, query, body and headers, with nothing optional',
		async (operation) => {
			const request = onTheWire(await requestOf(operation));
			const [method, path] = paths[operation]().split(' ');
			const body = operation === 'dataset.start' ? priceSchema : undefined;
			expect(request).toEqual({
				method,
				path,
				query: operation === 'urlExtract.start' ? { url: page(stage.simulator) } : {},
				body,
				parts: 0,
				authorization: `Bearer ${TOKEN}`,
				accept: 'application/json',
				contentType: body && 'application/json',
			});
		},
	);

	test('document.getResult: method, path, query, body and headers', async () => {
		// A job without a file fails in the simulator; the answer is of no interest here.
		const outcome = await stage.run(minimal['document.getResult'], {
			node: { onError: 'continueRegularOutput' },
		});
		expect(outcome.status).toBe('success');
		const [method, path] = paths['document.getResult']().split(' ');
		expect(stage.simulator.ledger.entries.map(onTheWire)).toEqual([
			{
				method,
				path,
				query: {},
				body: undefined,
				parts: 0,
				authorization: `Bearer ${TOKEN}`,
				accept: 'application/json',
				contentType: undefined,
			},
		]);
	});

	test.each(['document.start', 'urlExtract.start', 'dataset.start'] as const)(
		'%s returns the identifier when it does not wait',
		async (operation) => {
			const { items, requests } = await succeed(operation);
			expect(items).toEqual([
				{
					json: {
						id: requests[0].jobId,
						message: 'The work has started',
						success: true,
						done: false,
					},
					pairedItem: { item: 0 },
				},
			]);
			expect(requests[0].jobId).toMatch(guid);
		},
	);

	test.each<[OperationName, () => string, object]>([
		['urlExtract.getResult', () => resultIdOf('urlExtract.getResult'), { price: '€ 329.00' }],
		[
			'runResult.get',
			() => demoResultIds[1],
			{ product: 'Mira 64 coffee grinder', price: '€ 329.00' },
		],
		[
			'runResult.getFirst',
			() => demoRunId,
			{ product: 'Aurora One espresso machine', price: '€ 649.00' },
		],
		[
			'workflow.getLatest',
			() => demoWorkflowId,
			{
				products: [
					{ product: 'Aurora One espresso machine', price: '€ 649.00' },
					{ product: 'Mira 64 coffee grinder', price: '€ 329.00' },
				],
			},
		],
	])('%s returns the result, simplified', async (operation, id, data) => {
		const { items } = await succeed(operation);
		expect(items).toEqual([
			{
				json: {
					id: id(),
					done: true,
					changed: operation === 'workflow.getLatest',
					when: expect.any(Number),
					credits: { remaining: expect.any(Number), used: expect.any(Number) },
					details: expect.stringMatching(/^Read /),
					screenshots: expect.any(Array),
					data,
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test('dataset.getResult returns the result, simplified', async () => {
		const { items } = await succeed('dataset.getResult');
		expect(items).toHaveLength(1);
		const { id, done, data } = items[0].json;
		expect({ id, done }).toEqual({ id: resultIdOf('dataset.getResult'), done: true });
		const { rows } = data as { rows: IDataObject[] };
		expect(rows.length).toBeGreaterThan(1);
		expect(Object.keys(rows[0])).toEqual(['name']);
	});

	test('IDs are sent as they are, also in capitals and with spaces around them', async () => {
		const id = demoRunId.toUpperCase();
		const request = await requestOf('runResult.getFirst', { runId: `  ${id}\n` });
		expect(request.path).toBe(`/api/v2/results/${id}/first`);
	});
});

describe('options of the agent', () => {
	const options = {
		additionalInstructions: 'Net prices & no "VAT" – 50 %\nSecond line',
		model: 'large',
		extended: true,
		capScreenshots: 9,
	};
	const asSent = {
		additional_instructions: 'Net prices & no "VAT" – 50 %\nSecond line',
		model: 'large',
		extended: 'true',
		cap_screenshots: '9',
	};
	const alone: [object, Record<string, string>][] = [
		[{}, {}],
		[
			{ additionalInstructions: options.additionalInstructions },
			{ additional_instructions: asSent.additional_instructions },
		],
		[{ model: 'auto' }, { model: 'auto' }],
		[{ model: 'large' }, { model: 'large' }],
		[{ model: 'small' }, { model: 'small' }],
		[{ extended: true }, { extended: 'true' }],
		[{ extended: false }, { extended: 'false' }],
		[{ capScreenshots: 0 }, { cap_screenshots: '0' }],
		[{ capScreenshots: 5 }, { cap_screenshots: '5' }],
		[{ capScreenshots: 12 }, { cap_screenshots: '12' }],
		// What is set and empty is not sent.
		[{ additionalInstructions: '' }, {}],
		[{ additionalInstructions: '  ' }, {}],
		[{ additionalInstructions: '={{ undefined }}' }, {}],
		[{ model: '={{ null }}', extended: '={{ null }}', capScreenshots: '={{ null }}' }, {}],
		[{ extraQuery: {} }, {}],
		[{ extraQuery: { parameter: [] } }, {}],
		// Expressions and imported workflows bring texts.
		[
			{ extended: '={{ "true" }}', capScreenshots: '={{ "7" }}' },
			{ extended: 'true', cap_screenshots: '7' },
		],
		[{ extraQuery: { parameter: [{ name: 'language', value: 'de' }] } }, { language: 'de' }],
		[
			{
				...options,
				extraQuery: {
					parameter: [
						{ name: ' a b ', value: 'ä&ö=?' },
						{ name: 'x', value: '1' },
					],
				},
			},
			{ ...asSent, 'a b': 'ä&ö=?', x: '1' },
		],
		[
			{
				extraQuery: {
					parameter: [
						{ name: 'model', value: 'huge-2' },
						{ name: 'toString', value: 'c' },
					],
				},
			},
			{ model: 'huge-2', toString: 'c' },
		],
	];

	test.each(alone)('documents: %j', async (set, query) => {
		if (query.model === 'huge-2') acceptAnything();
		const request = await requestOf('document.start', { options: set });
		expect({ ...request.query }).toEqual(query);
	});

	test.each(alone)('URLs: %j', async (set, query) => {
		if (query.model === 'huge-2') acceptAnything();
		const request = await requestOf('urlExtract.start', { options: set });
		expect({ ...request.query }).toEqual({ url: page(stage.simulator), ...query });
	});

	/** The real service may know what the simulator does not. */
	function acceptAnything() {
		stage.simulator.faults.add({
			on: 'start',
			body: { message: 'ok', success: true, result: { id: demoRunId } },
		});
	}

	test('expressions are resolved for each item', async () => {
		const { requests } = await succeed(
			'urlExtract.start',
			{
				options: {
					model: '={{ ["auto", "large", "small"][$json.n] }}',
					capScreenshots: '={{ $json.n }}',
					extended: '={{ $json.n === 1 }}',
					additionalInstructions: '={{ $json.n === 2 ? "Hurry" : "" }}',
				},
				batching: { maxConcurrentJobs: 1 },
			},
			numbered(3),
		);
		const url = page(stage.simulator);
		expect(requests.map(({ query }) => ({ ...query }))).toEqual([
			{ url, model: 'auto', cap_screenshots: '0', extended: 'false' },
			{ url, model: 'large', cap_screenshots: '1', extended: 'true' },
			{
				url,
				model: 'small',
				cap_screenshots: '2',
				extended: 'false',
				additional_instructions: 'Hurry',
			},
		]);
	});
});

describe('document.start', () => {
	const invoice = readFileSync('examples/inputs/invoice.pdf');
	const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

	async function withFiles(
		files: Record<string, Buffer>,
		parameters: object,
	): Promise<{ items: INodeExecutionData[]; requests: LedgerEntry[] }> {
		const binary: INodeExecutionData['binary'] = {};
		for (const [field, content] of Object.entries(files)) {
			binary[field] = await stage.engine.binary(`${field}.pdf`, 'application/pdf', content);
		}
		return await succeed('document.start', { documentInput: undefined, ...parameters }, [
			{ json: {}, binary },
		]);
	}

	test('sends the file of the field "data", as the one part "file", by default', async () => {
		const { items, requests } = await withFiles({ data: invoice }, {});
		expect(requests).toHaveLength(1);
		const [request] = requests;
		expect(request).toMatchObject({
			method: 'POST',
			path: '/api/v2/document/start',
			query: {},
			parts: 1,
			file: {
				fieldName: 'file',
				fileName: 'data.pdf',
				mimeType: 'application/pdf',
				size: invoice.length,
				sha256: sha256(invoice),
			},
		});
		expect(request.body).toBeUndefined();
		expect(request.headers['content-type']).toMatch(/^multipart\/form-data; boundary=\S+$/);
		expect(request.headers.authorization).toBe(`Bearer ${TOKEN}`);
		expect(request.headers.accept).toBe('application/json');
		expect(items[0].json).toEqual({
			id: request.jobId,
			message: 'The work has started',
			success: true,
			done: false,
		});
	});

	test('sends the options beside the file, and no schema', async () => {
		const { requests } = await withFiles(
			{ data: invoice },
			{
				schemaMode: 'fields',
				schemaFields: priceFields,
				options: { model: 'small', extended: true },
			},
		);
		expect({ ...requests[0].query }).toEqual({ model: 'small', extended: 'true' });
		expect(requests[0].parts).toBe(1);
		expect(requests[0].file?.sha256).toBe(sha256(invoice));
	});

	test.each([
		['b', ['b']],
		['b, a', ['b', 'a']],
		[' a ,, b ,a', ['a', 'b']],
		['*', ['a', 'b', 'c']],
		['={{ "c" }}', ['c']],
	])('binaryPropertyName %j makes one job per file', async (binaryPropertyName, fields) => {
		const files = { a: Buffer.from('A'), b: Buffer.from('BB'), c: Buffer.from('CCC') };
		const { items, requests } = await withFiles(files, {
			binaryPropertyName,
			batching: { maxConcurrentJobs: 1 },
		});
		expect(requests.map(({ file }) => file?.fileName)).toEqual(fields.map((name) => `${name}.pdf`));
		expect(requests.map(({ file }) => file?.sha256)).toEqual(
			fields.map((name) => sha256(files[name as keyof typeof files])),
		);
		expect(requests.every(({ parts }) => parts === 1)).toBe(true);
		expect(items.map(({ json }) => json.id)).toEqual(requests.map(({ jobId }) => jobId));
		// Several jobs of one item have to be told apart; the answer to a single start is as documented.
		expect(items.map(({ json }) => (json.file as IDataObject | undefined)?.field)).toEqual(
			fields.length > 1 ? fields : [undefined],
		);
		expect(items.every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(true);
	});

	test('waits and returns the result beside the file’s name', async () => {
		const { items, requests } = await withFiles(
			{ data: invoice },
			{ waitForCompletion: true, waitOptions: { pollIntervalSeconds: 0.02 } },
		);
		expect(requests.map(({ operation }) => operation)).toEqual([
			'document.start',
			'document.getResult',
		]);
		expect(requests[1].path).toBe(`/api/v2/document/result/${String(requests[0].jobId)}`);
		expect(items[0].json).toMatchObject({
			id: requests[0].jobId,
			done: true,
			data: expect.any(Object),
			file: { field: 'data' },
		});
	});

	test('sends a schema as JSON, and no file', async () => {
		const binary = { data: await stage.engine.binary('a.pdf', 'application/pdf', invoice) };
		const { requests } = await succeed(
			'document.start',
			{ documentInput: 'schema', schemaFields: priceFields },
			[{ json: {}, binary }],
		);
		expect(onTheWire(requests[0])).toMatchObject({
			body: priceSchema,
			parts: 0,
			contentType: 'application/json',
		});
	});

	test('sends neither file nor schema', async () => {
		const binary = { data: await stage.engine.binary('a.pdf', 'application/pdf', invoice) };
		const { requests } = await succeed(
			'document.start',
			{ documentInput: 'none', schemaFields: priceFields },
			[{ json: {}, binary }],
		);
		expect(onTheWire(requests[0])).toMatchObject({ body: undefined, parts: 0 });
		expect(requests[0].headers['content-type']).toBeUndefined();
		expect(requests[0].headers['content-length'] ?? '0').toBe('0');
	});
});

describe('schemas', () => {
	/** Where each operation puts the schema. */
	const places: [OperationName, object, (schema: unknown) => unknown][] = [
		['document.start', { documentInput: 'schema' }, (schema) => schema],
		['urlExtract.start', {}, (schema) => ({ schema })],
		['dataset.start', {}, (schema) => schema],
		[
			'dataset.start',
			{ query: 'Rivers', method: 'advanced', options: { inputsLocation: 'body' } },
			(schema) => ({ query: 'Rivers', method: 'advanced', schema }),
		],
	];

	const nested = { total: 'Sum', lines: [{ article: 'Name', price: { amount: 'Amount' } }] };
	const forms: [string, object, unknown][] = [
		['fields', { schemaFields: priceFields }, priceSchema],
		[
			'several fields, trimmed, one without a description',
			{
				schemaMode: 'fields',
				schemaFields: {
					field: [
						{ name: ' name ', description: ' Name ' },
						{ name: 'price', description: '' },
						{ name: 'toString' },
					],
				},
			},
			{ name: 'Name', price: '', toString: '' },
		],
		[
			'fields with types, as words behind the description',
			{
				schemaFields: {
					field: [
						{ name: 'any', description: 'What it is', type: 'any' },
						{ name: 'price', description: 'Price with currency', type: 'number' },
						{ name: 'stock', type: 'integer' },
						{ name: 'available', description: 'In stock', type: 'boolean' },
						{ name: 'since', description: 'First sold', type: 'date' },
						{ name: 'checked', description: 'Last seen', type: 'dateTime' },
						{ name: 'contact', description: 'Shop', type: 'email' },
						{ name: 'link', description: 'Picture', type: 'url' },
						{ name: 'colours', description: 'Colours to choose from', type: 'list' },
						{ name: 'maker', description: 'Maker', type: 'text' },
					],
				},
			},
			{
				any: 'What it is',
				price: 'Price with currency (number)',
				stock: 'whole number',
				available: 'In stock (true or false)',
				since: 'First sold (date as YYYY-MM-DD)',
				checked: 'Last seen (date and time (ISO 8601))',
				contact: 'Shop (e-mail address)',
				link: 'Picture (URL)',
				colours: 'Colours to choose from (list)',
				maker: 'Maker (text)',
			},
		],
		[
			'fields by expression',
			{ schemaFields: { field: [{ name: '={{ "a" + 1 }}', description: '={{ 1 + 1 }}' }] } },
			{ a1: '2' },
		],
		['JSON text', { schemaMode: 'json', schemaJson: JSON.stringify(nested) }, nested],
		[
			'JSON as an expression that gives an object',
			{ schemaMode: 'json', schemaJson: '={{ ({ a: "b", c: [{ d: "e" } ] }) }}' },
			{ a: 'b', c: [{ d: 'e' }] },
		],
		[
			'JSON as an expression within the text',
			{ schemaMode: 'json', schemaJson: '={ "a": "{{ "b" + 1 }}" }' },
			{ a: 'b1' },
		],
		[
			'an example',
			{
				schemaMode: 'example',
				schemaExample: JSON.stringify({
					name: 'Coffee grinder',
					price: 329.5,
					stock: 3,
					available: false,
					since: '2024-05-01',
					checked: '2024-05-01T10:00:00.000Z',
					link: 'https://example.com/',
					contact: 'shop@example.com',
					nothing: null,
				}),
			},
			{
				name: 'text',
				price: 'number',
				stock: 'whole number',
				available: 'true or false',
				since: 'date as YYYY-MM-DD',
				checked: 'date and time (ISO 8601)',
				link: 'URL',
				contact: 'e-mail address',
				nothing: 'any value',
			},
		],
		[
			'a nested example with lists',
			{
				schemaMode: 'example',
				schemaExample: JSON.stringify({
					maker: { name: 'Mira', address: { city: 'Bern', zip: 3000 } },
					tags: ['new', 'red'],
					variants: [{ colour: 'red' }, { colour: 'blue', sizes: [1.5] }],
					empty: [],
				}),
			},
			{
				maker: { name: 'text', address: { city: 'text', zip: 'whole number' } },
				tags: ['text'],
				variants: [{ colour: 'text', sizes: ['number'] }],
				empty: ['any value'],
			},
		],
		[
			'an example of several rows',
			{ schemaMode: 'example', schemaExample: '[{ "a": 1 }, { "a": "x", "b": "2020-01-01" }]' },
			{ a: 'whole number or text', b: 'date as YYYY-MM-DD' },
		],
		[
			'an example as an expression that gives an object',
			{ schemaMode: 'example', schemaExample: '={{ ({ a: [1, 2] }) }}' },
			{ a: ['whole number'] },
		],
	];

	const cases = places.flatMap(([operation, base, place]) =>
		forms.map(([form, parameters, schema]) => {
			const inBody = 'options' in base ? ' (inputs in the body)' : '';
			return [
				`${operation}${inBody}`,
				form,
				operation,
				{ ...base, ...parameters },
				place(schema),
			] as const;
		}),
	);

	test.each(cases)('%s with %s', async (_name, _form, operation, parameters, body) => {
		const request = await requestOf(operation, { schemaMode: 'fields', ...parameters });
		expect(request.body).toEqual(body);
		// `toEqual` is lenient with what JSON cannot tell apart, and with order.
		expect(JSON.stringify(request.body)).toBe(JSON.stringify(body));
		expect(request.headers['content-type']).toBe('application/json');
	});

	test('no value of an example leaves the machine', async () => {
		const { body } = await requestOf('dataset.start', {
			schemaMode: 'example',
			schemaExample: '{ "name": "Secret-1", "list": ["Secret-2"], "o": [{ "p": "Secret-3" }] }',
		});
		expect(JSON.stringify(body)).not.toContain('Secret');
	});

	test.each([
		['none', { schemaMode: 'none', schemaFields: priceFields }],
		['no field', { schemaMode: 'fields', schemaFields: {} }],
		['an empty list of fields', { schemaMode: 'fields', schemaFields: { field: [] } }],
	])('a URL extraction works without a schema: %s', async (_, parameters) => {
		const request = await requestOf('urlExtract.start', parameters);
		expect(request.body).toBeUndefined();
		expect(request.headers['content-type']).toBeUndefined();
	});

	test.each(['constructor', 'prototype', '__proto__', 'hasOwnProperty', 'a.b', 'a[0]', 'ä "x"'])(
		'a field may be called %s',
		async (name) => {
			// n8n's HTTP client, axios, leaves some of these out of objects: here, the team of a race.
			const { body } = await requestOf('dataset.start', {
				schemaFields: { field: [{ name, description: 'Team' }] },
			});
			expect(JSON.stringify(body)).toBe(`{${JSON.stringify(name)}:"Team"}`);
		},
	);

	test('what belongs to another form is not looked at', async () => {
		const { body } = await requestOf('dataset.start', {
			schemaMode: 'json',
			schemaJson: '{ "a": "b" }',
			schemaFields: { field: [{ name: '' }] },
			schemaExample: 'no JSON',
		});
		expect(body).toEqual({ a: 'b' });
	});

	test('is another one for each item, from an expression that gives an object', async () => {
		const { requests } = await succeed(
			'dataset.start',
			{
				schemaMode: 'json',
				schemaJson: '={{ ({ ["field" + $json.n]: "Field " + $json.n }) }}',
				batching: { maxConcurrentJobs: 1 },
			},
			numbered(3),
		);
		expect(requests.map(({ body }) => body)).toEqual([
			{ field0: 'Field 0' },
			{ field1: 'Field 1' },
			{ field2: 'Field 2' },
		]);
	});
});

describe('dataset.start', () => {
	const extraQuery = { parameter: [{ name: 'language', value: 'de' }] };
	const wrapped = { schema: priceSchema };

	test.each<[string, object, object, object]>([
		['nothing', {}, {}, priceSchema],
		['an empty query', { query: ' ' }, {}, priceSchema],
		['a query', { query: 'Long rivers' }, { query: 'Long rivers' }, priceSchema],
		['the method simple', { method: 'simple' }, {}, priceSchema],
		['the method advanced', { method: 'advanced' }, { method: 'advanced' }, priceSchema],
		[
			'the method by expression',
			{ method: '={{ "advanced" }}' },
			{ method: 'advanced' },
			priceSchema,
		],
		[
			'both, in the query',
			{ query: 'Q', method: 'advanced', options: { inputsLocation: 'query' } },
			{ query: 'Q', method: 'advanced' },
			priceSchema,
		],
		[
			'both, in the body',
			{ query: 'Q', method: 'advanced', options: { inputsLocation: 'body' } },
			{},
			{ query: 'Q', method: 'advanced', ...wrapped },
		],
		[
			'a query in the body, method simple',
			{ query: 'Q', method: 'simple', options: { inputsLocation: 'body' } },
			{},
			{ query: 'Q', ...wrapped },
		],
		['nothing in the body', { options: { inputsLocation: 'body' } }, {}, wrapped],
		[
			'more query parameters',
			{ query: 'Q', options: { extraQuery } },
			{ query: 'Q', language: 'de' },
			priceSchema,
		],
		[
			'more query parameters beside the inputs in the body',
			{ query: 'Q', options: { extraQuery, inputsLocation: 'body' } },
			{ language: 'de' },
			{ query: 'Q', ...wrapped },
		],
		[
			'an extra query parameter of an input’s name, which stays in the query',
			{
				options: {
					extraQuery: {
						parameter: [
							{ name: 'limit', value: '3' },
							{ name: 'query', value: 'Q' },
						],
					},
					inputsLocation: 'body',
				},
			},
			{ limit: '3', query: 'Q' },
			wrapped,
		],
	])('sends %s', async (_, parameters, query, body) => {
		const request = await requestOf('dataset.start', parameters);
		expect({ ...request.query }).toEqual(query);
		expect(request.body).toEqual(body);
	});
});

describe('resultPath', () => {
	const own = { urlExtract: '/own/{id}/extract', dataset: '/own/dataset/{id}' };
	let custom: Stage;

	beforeAll(async () => {
		custom = await setStage({ jobDurationMs: 0, resultPath: own });
	});

	afterAll(async () => {
		await custom.close();
	});

	test.each(['urlExtract', 'dataset'] as const)(
		'%s: both operations read there only',
		async (resource) => {
			const { ledger } = custom.simulator;
			ledger.clear();
			const options = { resultPath: own[resource] };
			const started = await custom.run({
				...minimalParameters(custom.simulator)[`${resource}.start`],
				options,
				waitForCompletion: true,
				waitOptions: { pollIntervalSeconds: 0.02 },
				query: 'Rivers of Europe',
			});
			expect(started.error?.message).toBeUndefined();
			const { id, done } = started.items(AGENT)[0].json;
			expect(done).toBe(true);
			const path = own[resource].replace('{id}', String(id));
			const reads = ledger.entries.filter(({ method }) => method === 'GET');
			expect(
				new Set(reads.filter(({ operation }) => operation !== 'page').map((one) => one.path)),
			).toEqual(new Set([path]));
			// It is a matter of this node alone.
			expect(ledger.of(`${resource}.start`)[0].query).not.toHaveProperty('resultPath');

			ledger.clear();
			const read = await custom.run({ resource, operation: 'getResult', resultId: id, options });
			expect(read.items(AGENT)[0].json).toMatchObject({ id, done: true });
			expect(ledger.entries.map((one) => one.path)).toEqual([path]);
			expect(onTheWire(ledger.entries[0])).toMatchObject({
				method: 'GET',
				query: {},
				authorization: `Bearer ${TOKEN}`,
				accept: 'application/json',
			});
		},
	);

	test('may hold the ID more than once', async () => {
		const id = demoResultIds[0];
		stage.simulator.jobs.addRun({ runId: id, rows: [{ resultId: id, json: { a: 1 } }] });
		const request = await requestOf('urlExtract.getResult', {
			resultId: id,
			options: { resultPath: '/api/v2/results/{id}/{id}' },
		});
		expect(request.path).toBe(`/api/v2/results/${id}/${id}`);
	});

	test.each(['', '   '])('is automatic where it is %j', async (resultPath) => {
		const request = await requestOf('dataset.getResult', { options: { resultPath } });
		expect(request.path).toBe(`/api/v2/dataset/result/${resultIdOf('dataset.getResult')}`);
	});
});

describe('waiting', () => {
	const waiting = { waitForCompletion: true, waitOptions: { pollIntervalSeconds: 0.02 } };
	const inProgress = (id: string) => ({
		body: { message: 'In progress', success: true, result: { id, done: false } },
	});

	test('starts wait unless told otherwise', async () => {
		const { items, requests } = await succeed('urlExtract.start', {
			waitForCompletion: undefined,
			waitOptions: waiting.waitOptions,
			schemaMode: 'fields',
			schemaFields: priceFields,
		});
		expect(requests.filter(({ operation }) => operation === 'urlExtract.getResult')).toHaveLength(
			1,
		);
		expect(items[0].json).toMatchObject({ done: true, data: { price: '€ 329.00' } });
	});

	test.each([
		'urlExtract.getResult',
		'dataset.getResult',
		'runResult.get',
		'runResult.getFirst',
		'workflow.getLatest',
	] as const)('%s reads once unless told to wait', async (operation) => {
		const { faults, ledger } = stage.simulator;
		faults.add({ on: 'result', times: 2, ...inProgress('x') });
		const once = await succeed(operation);
		expect(once.requests).toHaveLength(1);
		expect(once.items[0].json).toMatchObject({ done: false });
		ledger.clear();
		const waited = await succeed(operation, waiting);
		expect(waited.requests).toHaveLength(2);
		expect(new Set(waited.requests.map(({ path }) => path)).size).toBe(1);
		expect(waited.items[0].json).toMatchObject({ done: true });
	});

	test('waitForCompletion can be an expression, for each item', async () => {
		const { items, requests } = await succeed(
			'urlExtract.start',
			{
				url: `={{ "${page(stage.simulator)}?" + $json.n }}`,
				waitForCompletion: '={{ $json.n === 1 }}',
				waitOptions: waiting.waitOptions,
				output: 'data',
			},
			numbered(3),
		);
		expect(items[0].json).toMatchObject({ done: false, success: true });
		expect(items[1].json).not.toHaveProperty('done');
		expect(items[2].json).toMatchObject({ done: false, success: true });
		expect(requests.filter(({ operation }) => operation === 'urlExtract.getResult')).toHaveLength(
			1,
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	test.each(['=true', '={{ "true" }}'])(
		'waitForCompletion %j waits, and what belongs to waiting counts',
		async (waitForCompletion) => {
			// In the editor, `true` in the expression field is the text "true".
			const { items } = await succeed('urlExtract.getResult', {
				waitForCompletion,
				waitOptions: {
					maxWaitSeconds: 0.05,
					pollIntervalSeconds: 0.02,
					onTimeout: 'returnInProgress',
				},
				...forever(),
			});
			expect(items[0].json).toMatchObject({ done: false });
		},
	);

	test('waitForCompletion as the text "true" keeps the output of a start', async () => {
		const { items } = await succeed('urlExtract.start', {
			waitForCompletion: '=true',
			waitOptions: waiting.waitOptions,
			schemaMode: 'fields',
			schemaFields: priceFields,
			output: 'data',
		});
		expect(items[0].json).toEqual({ price: '€ 329.00' });
	});

	function forever(): object {
		stage.simulator.faults.add({ on: 'result', times: Infinity, ...inProgress('x') });
		return {};
	}

	test.each([
		'document.start',
		'urlExtract.start',
		'dataset.start',
		'runResult.get',
		'runResult.getFirst',
		'workflow.getLatest',
		'document.getResult',
		'urlExtract.getResult',
		'dataset.getResult',
	] as const)('%s: maxWaitSeconds, and both ways to end a wait', async (operation) => {
		forever();
		const waitOptions = { maxWaitSeconds: 0.15, pollIntervalSeconds: 0.03 };
		const startedAt = Date.now();
		const parameters = { ...minimal[operation], waitForCompletion: true };
		const failed = await stage.run({ ...parameters, waitOptions });
		expect(failed.error?.message).toBe('The job was still in progress after 0.15 seconds');
		const { items } = await succeed(operation, {
			waitForCompletion: true,
			waitOptions: { ...waitOptions, onTimeout: 'returnInProgress' },
		});
		expect(items[0].json).toMatchObject({ id: expect.stringMatching(guid), done: false });
		const explicit = await stage.run({
			...parameters,
			waitOptions: { ...waitOptions, onTimeout: 'error' },
		});
		expect(explicit.error?.message).toBe('The job was still in progress after 0.15 seconds');
		expect(Date.now() - startedAt).toBeGreaterThanOrEqual(3 * 150);
		expect(Date.now() - startedAt).toBeLessThan(5_000);
	});

	test('pollIntervalSeconds is the time between two looks', async () => {
		forever();
		const { requests } = await succeed('runResult.getFirst', {
			waitForCompletion: true,
			waitOptions: {
				pollIntervalSeconds: 0.1,
				maxWaitSeconds: 0.55,
				onTimeout: 'returnInProgress',
			},
		});
		const gaps = requests.slice(1, -1).map(({ at }, index) => at - requests[index].at);
		expect(gaps.length).toBeGreaterThanOrEqual(3);
		for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(90);
	});
});

describe('output', () => {
	const products = [
		{ product: 'Aurora One espresso machine', price: '€ 649.00' },
		{ product: 'Mira 64 coffee grinder', price: '€ 329.00' },
	];

	test('data', async () => {
		const { items } = await succeed('workflow.getLatest', { output: 'data' });
		expect(items.map(({ json }) => json)).toEqual([{ products }]);
	});

	test('full', async () => {
		const { items } = await succeed('workflow.getLatest', { output: 'full' });
		expect(items.map(({ json }) => json)).toEqual([
			{
				message: 'Finished',
				success: true,
				result: {
					id: demoResultIds[0],
					done: true,
					changed: true,
					when: expect.any(Number),
					credits: { remaining: expect.any(Number), used: 0 },
					details: { descr: 'Read by the workflow' },
					screenshots: [],
					json: { products },
				},
			},
		]);
	});

	test('can be an expression, for each item', async () => {
		const { items } = await succeed(
			'runResult.getFirst',
			{ output: '={{ ["data", "full", "simplified"][$json.n] }}' },
			numbered(3),
		);
		expect(items[0].json).toEqual(products[0]);
		expect(items[1].json).toHaveProperty('result.json', products[0]);
		expect(items[2].json).toHaveProperty('data', products[0]);
	});

	test.each(['data', 'simplified', 'full'])('%s, split into items', async (output) => {
		const { items } = await succeed('workflow.getLatest', { output, splitIntoItems: true });
		const at = { data: '', simplified: 'data', full: 'result.json' }[output] ?? '';
		expect(items).toHaveLength(2);
		for (const [index, product] of products.entries()) {
			if (at === '') expect(items[index].json).toEqual(product);
			else expect(items[index].json).toHaveProperty(at, product);
			expect(items[index].pairedItem).toEqual({ item: 0 });
		}
	});

	test('downloadScreenshots attaches the files', async () => {
		const parameters = {
			waitForCompletion: true,
			waitOptions: { pollIntervalSeconds: 0.02 },
		};
		const without = await succeed('urlExtract.start', parameters);
		expect(without.items[0].binary).toBeUndefined();
		expect(stage.simulator.ledger.of('screenshot')).toEqual([]);
		const { items } = await succeed('urlExtract.start', {
			...parameters,
			downloadScreenshots: true,
		});
		expect(Object.keys(items[0].binary ?? {})).toEqual(['screenshot_0', 'screenshot_1']);
		expect(stage.simulator.ledger.of('screenshot')).toHaveLength(2);
	});
});

describe('batching', () => {
	test('maxConcurrentJobs 1 works on one item after the other; by default several at once', async () => {
		const { faults, ledger } = stage.simulator;
		faults.add({ on: 'result', times: Infinity, delayMs: 60 });
		const gaps = () =>
			ledger.entries.slice(1).map(({ at }, index) => at - ledger.entries[index].at);
		await succeed('runResult.getFirst', { batching: { maxConcurrentJobs: 1 } }, numbered(3));
		expect(Math.min(...gaps())).toBeGreaterThanOrEqual(55);
		ledger.clear();
		await succeed('runResult.getFirst', {}, numbered(3));
		expect(ledger.entries[2].at - ledger.entries[0].at).toBeLessThan(60);
	});

	test('maxRequestsPerSecond spreads the requests', async () => {
		const { requests } = await succeed(
			'runResult.getFirst',
			{ batching: { maxRequestsPerSecond: 20 } },
			numbered(9),
		);
		// The first one of all arrives late, because its connection is opened.
		expect(requests[8].at - requests[1].at).toBeGreaterThanOrEqual(300);
	});

	test('requestTimeoutSeconds ends a request that is not answered', async () => {
		stage.simulator.faults.add({ on: 'start', kind: 'hang' });
		const startedAt = Date.now();
		const outcome = await stage.run({
			...minimal['dataset.start'],
			batching: { requestTimeoutSeconds: 0.2 },
		});
		expect(outcome.status).toBe('error');
		expect(outcome.error?.message).toMatch(/may have been accepted/);
		expect(Date.now() - startedAt).toBeGreaterThanOrEqual(190);
		expect(Date.now() - startedAt).toBeLessThan(5_000);
		expect(stage.simulator.ledger.entries).toHaveLength(1);
	});

	test('a time-out longer than any timer can hold is no time-out at all', async () => {
		stage.simulator.faults.add({ on: 'result', delayMs: 100 });
		const { items } = await succeed('runResult.getFirst', {
			batching: { requestTimeoutSeconds: 1e9 },
		});
		expect(items[0].json).toMatchObject({ done: true });
		expect(stage.simulator.ledger.entries).toHaveLength(1);
	});
});

describe('expressions in parameters', () => {
	test('the URL is another one for each item', async () => {
		const inputItems = ['coffee-grinder', 'espresso-machine', 'milk-frother'].map((name) => ({
			json: { url: `${stage.simulator.origin}/pages/${name}.html` },
		}));
		const { items, requests } = await succeed(
			'urlExtract.start',
			{ url: '={{ $json.url }}' },
			inputItems,
		);
		const byUrl = new Map(requests.map((request) => [request.query.url, request.jobId]));
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(
			inputItems.map(({ json }, item) => [byUrl.get(json.url), { item }]),
		);
	});

	test('the IDs are others for each item', async () => {
		const { items } = await succeed(
			'runResult.get',
			{ runId: '={{ $json.run }}', resultId: '={{ $json.row }}', output: 'data' },
			demoResultIds.map((row) => ({ json: { run: demoRunId, row } })),
		);
		expect(items.map(({ json }) => json.price)).toEqual(['€ 649.00', '€ 329.00']);
	});

	test('a result is read with the ID that a start returned', async () => {
		const started = await succeed('urlExtract.start', {}, numbered(2));
		const { items } = await succeed(
			'urlExtract.getResult',
			{ resultId: '={{ $json.id }}' },
			started.items.map(({ json }) => ({ json })),
		);
		expect(items.map(({ json }) => json.id)).toEqual(started.items.map(({ json }) => json.id));
	});
});

describe('Custom API Call', () => {
	const operation = '__CUSTOM_API_CALL__';
	test.each([
		...['document', 'urlExtract', 'dataset', 'runResult', 'workflow'].map((resource) => {
			return ['operation', { resource, operation }] as const;
		}),
		// Chosen as resource, it leaves no operation to choose.
		['resource', { resource: operation }] as const,
	])('as %s of %j is refused with the way out', async (name, parameters) => {
		const outcome = await stage.run(parameters);
		expect(outcome.status).toBe('error');
		expect(outcome.error?.message).toMatch(/Custom API Call.*\[item 0\]/);
		expect(outcome.error?.message).toContain(` (${name}) `);
		expect(outcome.error?.description).toMatch(/HTTP Request node/);
		const continued = await stage.run(parameters, { node: { onError: 'continueRegularOutput' } });
		expect(continued.items(AGENT)[0].json).toMatchObject({
			error: {
				message: expect.stringMatching(/Custom API Call/),
				[name]: operation,
			},
		});
		expect(stage.simulator.ledger.entries).toEqual([]);
	});
});
