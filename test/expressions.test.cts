import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { demoRunId, demoResultIds } from '../simulator/demo-data.cts';
import type { LedgerEntry } from '../simulator/ledger.cts';
import { AGENT, setStage, type Stage } from './support/agent.cts';
import { minimalParameters, page, type MinimalParameters } from './support/operations.cts';

/* Expressions, one item after the other, wherever a user would try one. */

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

interface Run {
	requests: LedgerEntry[];
	items: INodeExecutionData[];
}

/** Runs the node on items that hold these members; requests are in the order of the items. */
async function runOn(inputs: IDataObject[], parameters: object): Promise<Run> {
	const outcome = await stage.run(
		{ batching: { maxConcurrentJobs: 1 }, ...parameters },
		{ inputItems: inputs.map((json) => ({ json })) },
	);
	expect({ status: outcome.status, error: outcome.error?.message }).toEqual({ status: 'success' });
	const { entries } = stage.simulator.ledger;
	return {
		requests: entries.filter(({ operation }) => operation !== 'page'),
		items: outcome.items(AGENT),
	};
}

/** What is entered in a parameter to take its value from the item. */
const from = (name: string) => `={{ $json.${name} }}`;

describe('each item has its own', () => {
	test('fields: name, description and type', async () => {
		const { requests } = await runOn(
			[
				{ name: 'price', description: 'Price', type: 'number' },
				{ name: ' stock ', description: '', type: 'integer' },
				{ name: 'page', description: 7, type: 'any' },
			],
			{
				...minimal['dataset.start'],
				schemaFields: {
					field: [{ name: from('name'), description: from('description'), type: from('type') }],
				},
			},
		);
		expect(requests.map(({ body }) => body)).toEqual([
			{ price: 'Price (number)' },
			{ stock: 'whole number' },
			{ page: '7' },
		]);
	});

	test.each<[form: string, schemas: IDataObject[string][], sent: object[]]>([
		['json', [{ a: 'A' }, '{ "b": "B" }'], [{ a: 'A' }, { b: 'B' }]],
		[
			'example',
			[{ c: '2025-01-01' }, [{ d: 1 }, { e: true }], '{ "f": "g" }'],
			[{ c: 'date as YYYY-MM-DD' }, { d: 'whole number', e: 'true or false' }, { f: 'text' }],
		],
	])('schema as an object or a text: %s', async (schemaMode, schemas, sent) => {
		const { requests } = await runOn(
			schemas.map((schema) => ({ schema })),
			{
				...minimal['urlExtract.start'],
				schemaMode,
				schemaJson: from('schema'),
				schemaExample: from('schema'),
			},
		);
		expect(requests.map(({ body }) => body)).toEqual(sent.map((schema) => ({ schema })));
	});

	test('example with dates of the expression language', async () => {
		const { requests } = await runOn([{}], {
			...minimal['dataset.start'],
			schemaMode: 'example',
			schemaExample: '={{ ({ since: $now, until: new Date(0) }) }}',
		});
		expect(requests[0].body).toEqual({
			since: 'date and time (ISO 8601)',
			until: 'date and time (ISO 8601)',
		});
	});

	test('page', async () => {
		const address = page(stage.simulator);
		const { requests } = await runOn(
			[{ url: ` ${address} \n` }, { url: `${address}?b=c d`.replace(' ', '%20') }],
			{
				...minimal['urlExtract.start'],
				url: from('url'),
			},
		);
		expect(requests.map(({ query }) => query.url)).toEqual([address, `${address}?b=c%20d`]);
	});

	test('query and method', async () => {
		const { requests } = await runOn(
			[
				{ query: 'Rivers', method: 'advanced' },
				{ query: 42, method: 'simple' },
				{ query: null, method: 'simple' },
			],
			{ ...minimal['dataset.start'], query: from('query'), method: from('method') },
		);
		expect(requests.map(({ query }) => query)).toEqual([
			{ query: 'Rivers', method: 'advanced' },
			{ query: '42' },
			{},
		]);
	});

	const agentOptions = [
		{ additionalInstructions: 'Net prices', model: 'large', extended: true, capScreenshots: 3 },
		{ additionalInstructions: '', model: 'auto', extended: 'false', capScreenshots: '7' },
	];
	const sent = [
		{
			additional_instructions: 'Net prices',
			model: 'large',
			extended: 'true',
			cap_screenshots: '3',
			language: 'de',
		},
		{ model: 'auto', extended: 'false', cap_screenshots: '7', language: 'fr' },
	];

	test('options', async () => {
		const { requests } = await runOn(
			agentOptions.map((one, n) => ({ ...one, language: ['de', 'fr'][n] })),
			{
				...minimal['document.start'],
				options: {
					additionalInstructions: from('additionalInstructions'),
					model: from('model'),
					extended: from('extended'),
					capScreenshots: from('capScreenshots'),
					extraQuery: { parameter: [{ name: '={{ "lang" + "uage" }}', value: from('language') }] },
				},
			},
		);
		expect(requests.map(({ query }) => query)).toEqual(sent);
	});

	test('place of the result', async () => {
		const { requests } = await runOn(
			[{ path: '/api/v2/dataset/result/{id}' }, { path: '/api/v2/results/{id}/first' }],
			{
				...minimal['dataset.start'],
				options: { resultPath: from('path') },
				waitForCompletion: true,
				waitOptions: {
					pollIntervalSeconds: 0.02,
					maxWaitSeconds: 0.2,
					onTimeout: 'returnInProgress',
				},
			},
		);
		const reads = requests.filter(({ method }) => method === 'GET').map(({ path }) => path);
		expect(reads[0]).toMatch(/\/dataset\/result\/[\da-f-]{36}$/);
		expect(reads.at(-1)).toMatch(/\/results\/[\da-f-]{36}\/first$/);
	});

	test('switch to wait, wait options and form of the output', async () => {
		const { items } = await runOn(
			[
				{ wait: true, output: 'data', split: false, seconds: '0.02' },
				{ wait: 'false', output: 'simplified', split: true, seconds: 1 },
				{ wait: 'true', output: 'full', split: 'false', seconds: 0.02 },
			],
			{
				...minimal['document.start'],
				documentInput: 'none',
				waitForCompletion: from('wait'),
				output: from('output'),
				splitIntoItems: from('split'),
				downloadScreenshots: from('split'),
				waitOptions: {
					pollIntervalSeconds: from('seconds'),
					maxWaitSeconds: '={{ 20 + $itemIndex }}',
					onTimeout: '={{ "error" }}',
				},
			},
		);
		expect(items).toHaveLength(3);
		expect(items[0].json).not.toHaveProperty('done');
		expect(items[1].json).toMatchObject({ done: false, success: true });
		expect(items[2].json).toMatchObject({ result: { done: true } });
	});

	test('identifiers, with spaces around them', async () => {
		const { requests } = await runOn(
			[{ id: ` ${demoResultIds[0]}` }, { id: `${demoResultIds[1].toUpperCase()}\n` }],
			{ ...minimal['runResult.get'], runId: `= ${demoRunId} `, resultId: from('id') },
		);
		expect(requests.map(({ path }) => path.split('/').at(-1))).toEqual([
			demoResultIds[0],
			demoResultIds[1].toUpperCase(),
		]);
	});

	test('limits, of which the first item’s count', async () => {
		const { items } = await runOn([{ n: 2 }, { n: '3' }], {
			...minimal['workflow.getLatest'],
			batching: {
				maxConcurrentJobs: from('n'),
				maxRequestsPerSecond: '={{ 50 }}',
				requestTimeoutSeconds: '={{ "5" }}',
			},
		});
		expect(items).toHaveLength(2);
	});

	test('binary field', async () => {
		const binary = {
			data: await stage.engine.binary('a.pdf', 'application/pdf', Buffer.from('a')),
			photo: await stage.engine.binary('b.png', 'image/png', Buffer.from('b')),
		};
		const outcome = await stage.run(
			{
				...minimal['document.start'],
				documentInput: 'file',
				binaryPropertyName: from('field'),
				batching: { maxConcurrentJobs: 1 },
			},
			{
				inputItems: [
					{ json: { field: ' photo ' }, binary },
					{ json: { field: 'data,photo' }, binary },
					{ json: { field: '*' }, binary },
				],
			},
		);
		expect(outcome.error?.message).toBeUndefined();
		expect(stage.simulator.ledger.starts).toHaveLength(5);
		expect(outcome.items(AGENT).map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 1, 2, 2].map((item) => ({ item })),
		);
	});
});
