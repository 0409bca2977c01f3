import type { FaultScript } from '../simulator/faults.cts';
import type { SimulatorOptions } from '../simulator/options.cts';
import { AGENT, numbered, setStage, urlExtract, type Stage } from './support/agent.cts';

let stage: Stage | undefined;

afterEach(async () => {
	await stage?.close();
	stage = undefined;
});

async function at(options: SimulatorOptions): Promise<Stage> {
	stage = await setStage({ jobDurationMs: 20, ...options });
	return stage;
}

const wait = { pollIntervalSeconds: 0.02, maxWaitSeconds: 5 };
const sequential = { maxConcurrentJobs: 1 };

const kinds = {
	urlExtract: {
		candidates: [
			'/api/v2/extract/result/{id}',
			'/api/v2/results/{id}/first',
			'/api/v2/document/result/{id}',
		],
		start: ({ simulator }: Stage, more: object = {}) =>
			urlExtract(simulator, { waitOptions: wait, batching: sequential, ...more }),
	},
	dataset: {
		candidates: [
			'/api/v2/dataset/result/{id}',
			'/api/v2/results/{id}/first',
			'/api/v2/document/result/{id}',
		],
		start: (_: Stage, more: object = {}) => ({
			resource: 'dataset',
			operation: 'start',
			query: 'rivers',
			schemaFields: { field: [{ name: 'river', description: 'Name of the river' }] },
			waitOptions: wait,
			batching: sequential,
			...more,
		}),
	},
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

/** How often each place was asked, with `{id}` for the identifiers. */
function asked({ simulator }: Stage): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { method, path } of simulator.ledger.entries) {
		if (method !== 'GET' || path.startsWith('/pages/')) continue;
		const place = path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, '{id}');
		counts[place] = (counts[place] ?? 0) + 1;
	}
	return counts;
}

const everyKindAndPlace = kindNames.flatMap((kind) =>
	kinds[kind].candidates.map((place, index): [Kind, string, number] => [kind, place, index]),
);

describe('a result', () => {
	it.each(everyKindAndPlace)('of %s is found at %s', async (kind, place, index) => {
		const here = await at({ resultPath: { [kind]: place } });
		const { candidates, start } = kinds[kind];
		const outcome = await here.run(start(here), { inputItems: numbered(3) });
		expect(outcome.error).toBeUndefined();
		expect(outcome.items(AGENT).map(({ json }) => json.done)).toEqual([true, true, true]);

		// The places before the right one were asked for the first item only.
		const counts = asked(here);
		for (const wrong of candidates.slice(0, index)) expect(counts[wrong]).toBe(1);
		expect(counts[place]).toBeGreaterThanOrEqual(3);
		for (const unneeded of candidates.slice(index + 1)) expect(counts[unneeded]).toBeUndefined();
	});

	it.each(everyKindAndPlace)('of %s is read by its ID at %s', async (kind, place, index) => {
		const here = await at({ resultPath: { [kind]: place } });
		const { candidates, start } = kinds[kind];
		const started = await here.run(start(here, { waitForCompletion: false }));
		const { id } = started.items(AGENT)[0].json;
		const outcome = await here.run({
			resource: kind,
			operation: 'getResult',
			resultId: id,
			waitForCompletion: true,
			waitOptions: wait,
		});
		expect(outcome.items(AGENT)[0].json).toMatchObject({ id, done: true });
		const counts = asked(here);
		expect(Object.keys(counts)).toEqual(candidates.slice(0, index + 1));
		for (const wrong of candidates.slice(0, index)) expect(counts[wrong]).toBe(1);
	});
});

it('a place is looked for again in the next run', async () => {
	const { candidates, start } = kinds.urlExtract;
	const here = await at({ resultPath: { urlExtract: candidates[1] } });
	await here.run(start(here));
	await here.run(start(here));
	expect(asked(here)[candidates[0]]).toBe(2);
});

it('the round is repeated until the job can be read', async () => {
	const { candidates, start } = kinds.urlExtract;
	const here = await at({ resultPath: { urlExtract: candidates[2] }, notFoundMs: 100 });
	const outcome = await here.run(start(here));
	expect(outcome.items(AGENT)[0].json).toMatchObject({ done: true });
	const counts = asked(here);
	expect(counts[candidates[0]]).toBeGreaterThan(1);
	expect(counts[candidates[1]]).toBe(counts[candidates[0]]);
});

describe.each(kindNames)('an answer of the first place for %s', (kind) => {
	const { candidates, start } = kinds[kind];
	const first = (script: Omit<FaultScript, 'on'>): FaultScript => ({
		on: 'result',
		times: Infinity,
		match: ({ path }) => path.startsWith(candidates[0].replace('{id}', '')),
		...script,
	});

	it.each<[string, Omit<FaultScript, 'on'>]>([
		['a web page', { body: '<html>Welcome</html>' }],
		['JSON without a record', { body: { success: true, message: 'Hello' } }],
		['a record without done', { body: { success: true, result: { id: 'x' } } }],
		['an empty body', { body: '' }],
		...[400, 404, 405, 410, 422].map((status): [string, Omit<FaultScript, 'on'>] => [
			String(status),
			{ status },
		]),
	])('that is %s moves on', async (_, script) => {
		const here = await at({ resultPath: { [kind]: candidates[1] } });
		here.simulator.faults.add(first(script));
		const outcome = await here.run(start(here));
		expect(outcome.error).toBeUndefined();
		expect(outcome.items(AGENT)[0].json).toMatchObject({ done: true });
		expect(asked(here)[candidates[0]]).toBe(1);
	});

	it.each([401, 402, 403])('that is %d does not', async (status) => {
		const here = await at({ resultPath: { [kind]: candidates[1] } });
		here.simulator.faults.add(first({ status }));
		const outcome = await here.run(start(here));
		expect(outcome.error).toMatchObject({ httpCode: String(status) });
		expect(Object.keys(asked(here))).toEqual([candidates[0]]);
	});

	it.each([408, 425, 429, 500, 503])('that is %d does not, as long as it lasts', async (status) => {
		const here = await at({ resultPath: { [kind]: candidates[1] } });
		here.simulator.faults.add(first({ status }));
		const outcome = await here.run(start(here, { waitOptions: { ...wait, maxWaitSeconds: 0.1 } }));
		expect(outcome.error?.message).toMatch(`(${status})`);
		expect(Object.keys(asked(here))).toEqual([candidates[0]]);
	});

	it('that does not come at all does not', async () => {
		const here = await at({ resultPath: { [kind]: candidates[1] } });
		here.simulator.faults.add(first({ kind: 'reset' }));
		const outcome = await here.run(start(here, { waitOptions: { ...wait, maxWaitSeconds: 0.1 } }));
		expect(outcome.error?.message).toMatch(/broke off/);
		expect(Object.keys(asked(here))).toEqual([candidates[0]]);
	});
});

describe.each(kindNames)('resultPath of %s', (kind) => {
	const { candidates, start } = kinds[kind];
	const own = '/api/v2/elsewhere/{id}/latest';

	it('is asked, and nothing else', async () => {
		const here = await at({ resultPath: { [kind]: own } });
		const outcome = await here.run(start(here, { options: { resultPath: own } }));
		expect(outcome.items(AGENT)[0].json).toMatchObject({ done: true });
		expect(Object.keys(asked(here))).toEqual([own]);
	});

	it('is asked alone also where nothing is there', async () => {
		const here = await at({});
		const options = { resultPath: candidates[2] };
		const outcome = await here.run(
			start(here, { options, waitOptions: { ...wait, maxWaitSeconds: 0.1 } }),
		);
		expect(outcome.error?.message).toMatch(/nothing under this ID \(404\)/);
		expect(Object.keys(asked(here))).toEqual([candidates[2]]);
	});

	it('holds for a read too', async () => {
		const here = await at({ resultPath: { [kind]: own } });
		const started = await here.run(start(here, { waitForCompletion: false }));
		const outcome = await here.run({
			resource: kind,
			operation: 'getResult',
			resultId: started.items(AGENT)[0].json.id,
			options: { resultPath: own },
		});
		expect(outcome.error).toBeUndefined();
		expect(outcome.items(AGENT)).toHaveLength(1);
		expect(asked(here)).toEqual({ [own]: 1 });
	});

	it.each(['api/v2/{id}', '//other.example/{id}', '/\\other.example/{id}', '/api/v2/result', 'x'])(
		'%s is refused before any request',
		async (resultPath) => {
			const here = await at({});
			const outcome = await here.run(start(here, { options: { resultPath } }));
			expect(outcome.error?.message).toMatch(/^'Result Path' \(resultPath\) .*\[item 0\]$/);
			expect(here.simulator.ledger.entries).toEqual([]);
		},
	);
});

it.each(kindNames)('a result of %s that is nowhere: the places tried are named', async (kind) => {
	const { candidates, start } = kinds[kind];
	const here = await at({ resultPath: { [kind]: '/api/v2/elsewhere/{id}' } });
	const started = await here.run(start(here, { waitOptions: { ...wait, maxWaitSeconds: 0.1 } }));
	const read = await here.run({
		resource: kind,
		operation: 'getResult',
		resultId: '00000000-0000-4000-8000-000000000000',
	});
	for (const { error } of [started, read]) {
		expect(error?.message).toMatch(/No result was found under this ID \(404\)/);
		for (const place of candidates) expect(error?.description).toContain(place);
		expect(error?.description).toContain("'Result Path' (resultPath)");
	}
});

it('shows what the service says where no place holds a result', async () => {
	const { simulator, run } = await at({});
	simulator.faults.add({
		on: 'result',
		times: Infinity,
		body: { success: false, message: 'The page asks for a log-in' },
		match: ({ path }) => path.endsWith('/first'),
	});
	simulator.faults.add({
		on: 'result',
		times: Infinity,
		status: 404,
		body: { success: false, message: 'No such place' },
	});
	const { error } = await run(
		kinds.urlExtract.start({ simulator } as Stage, {
			waitOptions: { ...wait, maxWaitSeconds: 0.2 },
		}),
	);
	expect(error?.message).toContain('No result was found under this ID (404)');
	expect(error?.message).toContain('The page asks for a log-in');
});
