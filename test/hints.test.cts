import { AGENT, numbered, setStage, type Stage } from './support/agent.cts';
import { minimalParameters, type MinimalParameters } from './support/operations.cts';

/* A start tells in the editor which fields it asked for; its items keep the contract's shape. */

let stage: Stage;
let minimal: MinimalParameters;

beforeAll(async () => {
	stage = await setStage({ jobDurationMs: 0 });
	minimal = minimalParameters(stage.simulator);
});

afterAll(async () => {
	await stage.close();
});

const names = (count: number) => Array.from({ length: count }, (_, n) => `field${n}`);

test.each<[what: string, parameters: () => object, asked: string | undefined]>([
	['fields', () => minimal['dataset.start'], 'price'],
	[
		'fields next to query and method',
		() => ({
			...minimal['dataset.start'],
			query: 'Rivers',
			method: 'advanced',
			options: { inputsLocation: 'body' },
		}),
		'price',
	],
	[
		'fields of a URL extraction',
		() => ({
			...minimal['urlExtract.start'],
			schemaMode: 'json',
			schemaJson: '{ "name": "Name", "schema": { "a": "A" } }',
		}),
		'name, schema',
	],
	[
		'fields of an example, by their outermost names',
		() => ({
			...minimal['document.start'],
			documentInput: 'schema',
			schemaMode: 'example',
			schemaExample: '{ "seller": { "name": "x" }, "lines": [{ "price": 1 }] }',
		}),
		'seller, lines',
	],
	[
		'the fields of all items, each once',
		() => ({
			...minimal['dataset.start'],
			schemaMode: 'json',
			schemaJson: '={{ ({ common: "x", ["own" + $json.n]: "y" }) }}',
		}),
		'common, own0, own1',
	],
	[
		'the first of many fields',
		() => ({
			...minimal['dataset.start'],
			schemaFields: { field: names(23).map((name) => ({ name })) },
		}),
		`${names(20).join(', ')} and 3 more`,
	],
	['nothing where the agent decides', () => minimal['urlExtract.start'], undefined],
	['nothing for a file', () => minimal['document.start'], undefined],
	['nothing for a read', () => minimal['workflow.getLatest'], undefined],
])('%s', async (_, parameters, asked) => {
	const outcome = await stage.run(parameters(), { inputItems: numbered(2) });
	expect({ status: outcome.status, error: outcome.error?.message }).toEqual({ status: 'success' });
	const hints = outcome.hints(AGENT).filter(({ message }) => message.startsWith('Fields'));
	expect(hints).toEqual(
		asked === undefined
			? []
			: [{ message: `Fields asked for: ${asked}.`, type: 'info', location: 'outputPane' }],
	);
	for (const { json } of outcome.items(AGENT)) expect(json).not.toHaveProperty('fields');
});
