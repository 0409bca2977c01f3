import { AGENT, agentWorkflow, numbered, setStage, type Stage, TOKEN } from './support/agent.cts';
import {
	minimalParameters,
	onTheWire,
	operationNames,
	page,
	priceFields,
	type MinimalParameters,
	type OperationName,
	type WireRequest,
} from './support/operations.cts';
import { createEngine, type Engine } from '../harness/engine.cts';

/*
 * The engine ignores the declared `routing` of a node with `execute()`. Here n8n's own RoutingNode
 * makes the requests from the very same description, and they must be the same.
 */

let stage: Stage;
let declarative: Engine;
let minimal: MinimalParameters;

beforeAll(async () => {
	stage = await setStage({ jobDurationMs: 0 });
	minimal = minimalParameters(stage.simulator);
	declarative = await createEngine({
		withoutExecute: true,
		credentials: {
			dataExtractionAgentApi: { data: { baseUrl: stage.simulator.origin, accessToken: TOKEN } },
		},
	});
});

afterAll(async () => {
	declarative.close();
	await stage.close();
});

/** The requests of one run, in a stable order. */
async function requestsOf(engine: Engine, parameters: object, items = 1): Promise<WireRequest[]> {
	const { ledger } = stage.simulator;
	ledger.clear();
	const outcome = await engine.run(agentWorkflow(parameters), { inputItems: numbered(items) });
	expect({ status: outcome.status, error: outcome.error?.message }).toEqual({ status: 'success' });
	expect(outcome.items(AGENT)).toHaveLength(items);
	const requests = ledger.entries.map(onTheWire);
	return requests.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const invoiceSchema = {
	number: 'Invoice number',
	lines: [{ article: 'Name', price: { amount: 'Amount', currency: 'ISO code' } }],
	tags: ['text'],
};
const sample = {
	name: 'Coffee grinder',
	price: 329.5,
	stock: 3,
	available: true,
	since: '2024-05-01',
	checked: '2024-05-01T10:00:00Z',
	link: 'https://example.com/',
	contact: 'shop@example.com',
	nothing: null,
	empty: [],
	tags: ['new'],
	variants: [{ colour: 'red' }, { colour: 'blue', size: 4 }],
	maker: { name: 'Mira', address: { city: 'Bern' } },
};
const extraQuery = {
	parameter: [
		{ name: 'language', value: 'de' },
		{ name: 'region', value: 'ä & ö = ü?' },
	],
};
const agentOptions: Record<string, object> = {
	'additional instructions': { additionalInstructions: 'Net prices & no "VAT" – 50 %' },
	'empty additional instructions': { additionalInstructions: '' },
	'model auto': { model: 'auto' },
	'model large': { model: 'large' },
	'model small': { model: 'small' },
	extended: { extended: true },
	'not extended': { extended: false },
	'screenshots 0': { capScreenshots: 0 },
	'screenshots 12': { capScreenshots: 12 },
	'extra query': { extraQuery },
	'empty extra query': { extraQuery: {} },
	everything: {
		additionalInstructions: 'Net prices',
		model: 'small',
		extended: true,
		capScreenshots: 7,
		extraQuery,
	},
};

/** Parameter sets by operation and name, on top of the least that the operation needs. */
const sets: Partial<Record<OperationName, Record<string, object>>> = {
	'document.start': {
		'schema as fields': { documentInput: 'schema', schemaFields: priceFields },
		'schema as JSON text': {
			documentInput: 'schema',
			schemaMode: 'json',
			schemaJson: JSON.stringify(invoiceSchema),
		},
		'schema as JSON by expression': {
			documentInput: 'schema',
			schemaMode: 'json',
			schemaJson: '={{ ({ total: "Total of item " + $json.n }) }}',
		},
		'schema by example': {
			documentInput: 'schema',
			schemaMode: 'example',
			schemaExample: JSON.stringify(sample),
		},
		...optionSets({ documentInput: 'none' }),
		...optionSets({ documentInput: 'schema', schemaFields: priceFields }, 'with schema: '),
	},
	'urlExtract.start': {
		'schema as fields': { schemaMode: 'fields', schemaFields: priceFields },
		'no field': { schemaMode: 'fields', schemaFields: {} },
		'schema as JSON text': { schemaMode: 'json', schemaJson: JSON.stringify(invoiceSchema) },
		'schema by example': { schemaMode: 'example', schemaExample: JSON.stringify(sample) },
		'schema by example rows': { schemaMode: 'example', schemaExample: JSON.stringify([sample]) },
		...optionSets({}),
		'with resultPath': { options: { resultPath: '/elsewhere/{id}' } },
	},
	'dataset.start': {
		'schema as JSON text': { schemaMode: 'json', schemaJson: JSON.stringify(invoiceSchema) },
		'schema by example': { schemaMode: 'example', schemaExample: JSON.stringify(sample) },
		query: { query: 'The ten longest rivers of Europe' },
		'empty query': { query: '' },
		'method simple': { method: 'simple' },
		'method advanced': { method: 'advanced' },
		'query and method': { query: 'Rivers', method: 'advanced' },
		'query and method in the query': {
			query: 'Rivers',
			method: 'advanced',
			options: { inputsLocation: 'query' },
		},
		'query and method in the body': {
			query: 'Rivers',
			method: 'advanced',
			options: { inputsLocation: 'body' },
		},
		'only the query in the body': { query: 'Rivers', options: { inputsLocation: 'body' } },
		'only the method in the body': { method: 'advanced', options: { inputsLocation: 'body' } },
		'nothing but the schema in the body': { options: { inputsLocation: 'body' } },
		'example in the body': {
			query: 'Rivers',
			schemaMode: 'example',
			schemaExample: JSON.stringify(sample),
			options: { inputsLocation: 'body' },
		},
		'extra query': { query: 'Rivers', options: { extraQuery } },
		'extra query beside the body': {
			query: 'Rivers',
			method: 'advanced',
			options: { extraQuery, inputsLocation: 'body' },
		},
		'with resultPath': { options: { resultPath: '/elsewhere/{id}' } },
	},
	'urlExtract.getResult': {
		'own resultPath': { options: { resultPath: '/api/v2/extract/result/{id}' } },
		'resultPath of another operation': { options: { resultPath: '/api/v2/results/{id}/first' } },
		'empty resultPath': { options: { resultPath: '' } },
		'ID twice in resultPath': { options: { resultPath: '/api/v2/results/{id}/{id}' } },
	},
	'dataset.getResult': {
		'own resultPath': { options: { resultPath: '/api/v2/dataset/result/{id}' } },
		'empty resultPath': { options: { resultPath: '' } },
		'ID twice in resultPath': { options: { resultPath: '/api/v2/results/{id}/{id}' } },
	},
	'runResult.get': { 'wait options': { waitOptions: { maxWaitSeconds: 1 } } },
};

function optionSets(base: object, prefix = ''): Record<string, object> {
	return Object.fromEntries(
		Object.entries(agentOptions).map(([name, options]) => [prefix + name, { ...base, options }]),
	);
}

const cases = operationNames.flatMap((operation) =>
	[['nothing optional', {}] as const, ...Object.entries(sets[operation] ?? {})].map(
		([name, parameters]) => [operation, name, parameters] as const,
	),
);

describe('execute() sends what n8n’s own RoutingNode sends', () => {
	test.each(cases)('%s: %s', async (operation, _, more) => {
		const { faults } = stage.simulator;
		// The answer does not matter here, only that no candidate path is tried after the first.
		if (operation === 'urlExtract.getResult' || operation === 'dataset.getResult') {
			const result = { done: false, id: 'x' };
			faults.add({ on: 'result', times: Infinity, body: { message: '', success: true, result } });
		}
		const unknownPlace = JSON.stringify(more).includes('/{id}/{id}');
		const parameters = { ...minimal[operation], ...more };
		try {
			const declared = await requestsOf(declarative, parameters);
			const executed = await requestsOf(stage.engine, parameters);
			expect(declared).toHaveLength(1);
			expect(executed).toEqual(declared);
			if (unknownPlace) expect(executed[0].path.match(/[\da-f]{8}-/g)).toHaveLength(2);
		} finally {
			faults.clear();
		}
	});

	test('for several items with expressions', async () => {
		const parameters = {
			...minimal['urlExtract.start'],
			url: `={{ "${page(stage.simulator)}?item=" + $json.n }}`,
			schemaMode: 'fields',
			schemaFields: {
				field: [{ name: '={{ "field" + $json.n }}', description: '={{ $json.n }}' }],
			},
			options: { capScreenshots: '={{ $json.n }}', model: '={{ ["auto", "large"][$json.n % 2] }}' },
		};
		const declared = await requestsOf(declarative, parameters, 3);
		const executed = await requestsOf(stage.engine, parameters, 3);
		expect(executed).toHaveLength(3);
		expect(new Set(executed.map(({ query }) => query.url)).size).toBe(3);
		expect(executed).toEqual(declared);
	});

	test.each(['/', '///', ' ', '/api/v2', '/API/v2// '])(
		'with "%s" behind the base URL',
		async (suffix) => {
			const credentials = {
				dataExtractionAgentApi: {
					data: { baseUrl: `${stage.simulator.origin}${suffix}`, accessToken: TOKEN },
				},
			};
			const engines = [
				await createEngine({ withoutExecute: true, credentials }),
				await createEngine({ credentials }),
			];
			try {
				const declared = await requestsOf(engines[0], minimal['workflow.getLatest']);
				expect(await requestsOf(engines[1], minimal['workflow.getLatest'])).toEqual(declared);
				expect(declared).toHaveLength(1);
			} finally {
				for (const engine of engines) engine.close();
			}
		},
	);

	test('and the comparison is not blind: another parameter makes another request', async () => {
		const base = minimal['urlExtract.start'];
		const one = await requestsOf(declarative, { ...base, options: { model: 'large' } });
		const other = await requestsOf(stage.engine, { ...base, options: { model: 'small' } });
		expect(other).not.toEqual(one);
	});
});
