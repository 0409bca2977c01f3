import { randomUUID } from 'node:crypto';
import type { FaultScript } from '../simulator/faults.cts';
import type { JsonObject } from '../simulator/json.cts';
import type { SimulatorOptions } from '../simulator/options.cts';
import { AGENT, setStage, urlExtract, type Stage } from './support/agent.cts';

let stage: Stage;

async function restage(options: SimulatorOptions = {}): Promise<void> {
	await stage.close();
	stage = await setStage(options);
}

beforeEach(async () => {
	stage = await setStage();
});
afterEach(() => stage.close());

const start = (waitOptions: object = {}, more: object = {}) =>
	urlExtract(stage.simulator, {
		waitOptions: { pollIntervalSeconds: 0.02, ...waitOptions },
		// A single place, so that each test knows which requests to expect.
		options: { resultPath: '/api/v2/extract/result/{id}' },
		...more,
	});

const documentResult = (resultId: string, more: object = {}) => ({
	resource: 'document',
	operation: 'getResult',
	resultId,
	waitOptions: { pollIntervalSeconds: 0.02 },
	...more,
});

/** A document job that was started by somebody else. */
const foreignJob = () =>
	stage.simulator.jobs.start({
		task: { kind: 'document', schema: { price: 'Price' }, extended: false },
		creditsUsed: 1,
		screenshotCount: 0,
	}).id;

const failure = async (parameters: object) => {
	const outcome = await stage.run(parameters);
	expect(outcome.status).toBe('error');
	expect(outcome.error).toBeDefined();
	const { message = '', description, httpCode } = outcome.error ?? {};
	return { message, description: description ?? '', httpCode, outcome };
};

const reads = () => stage.simulator.ledger.of('urlExtract.getResult');
const onlyStart = () => {
	const { starts } = stage.simulator.ledger;
	expect(stage.simulator.ledger.of('urlExtract.start')).toHaveLength(1);
	expect(starts).toHaveLength(1);
	return String(starts[0].jobId);
};

describe('a wait', () => {
	it('of a start lasts until the job is done', async () => {
		await restage({ jobDurationMs: 500 });
		const outcome = await stage.run(start());
		expect(outcome.items(AGENT)[0].json).toMatchObject({
			id: onlyStart(),
			done: true,
			data: { price: '€ 329.00' },
		});
		expect(reads().length).toBeGreaterThan(1);
	});

	it('of a GET lasts until the row is done', async () => {
		const runId = randomUUID();
		stage.simulator.jobs.addRun({
			runId,
			rows: [{ resultId: randomUUID(), json: { n: 1 }, doneAfterMs: 500 }],
		});
		const outcome = await stage.run({
			resource: 'runResult',
			operation: 'getFirst',
			runId,
			waitForCompletion: true,
			waitOptions: { pollIntervalSeconds: 0.02 },
		});
		expect(outcome.items(AGENT)[0].json).toMatchObject({ id: runId, done: true, data: { n: 1 } });
		expect(stage.simulator.ledger.of('runResult.getFirst').length).toBeGreaterThan(1);
	});

	it('looks at once for a result that was started before, and only once without a wait', async () => {
		await restage({ jobDurationMs: 60_000 });
		const id = foreignJob();
		const outcome = await stage.run(documentResult(id));
		expect(outcome.items(AGENT)[0].json).toMatchObject({ id, done: false });
		expect(stage.simulator.ledger.entries).toHaveLength(1);
	});
});

describe('at the end of the wait', () => {
	beforeEach(() => restage({ jobDurationMs: 60_000 }));

	it('the node fails with the ID of the job', async () => {
		const { message, description } = await failure(start({ maxWaitSeconds: 0.2 }));
		expect(message).toBe('The job was still in progress after 0.2 seconds');
		expect(description).toContain(`ID: ${onlyStart()}.`);
		expect(description).toContain('maxWaitSeconds');
	});

	it('the failure item has the ID of the job', async () => {
		const outcome = await stage.run(start({ maxWaitSeconds: 0.2 }), {
			node: { onError: 'continueRegularOutput' },
		});
		expect(outcome.items(AGENT).map(({ json }) => json)).toEqual([
			{
				error: {
					message: 'The job was still in progress after 0.2 seconds',
					description: expect.stringContaining('maxWaitSeconds') as string,
					resource: 'urlExtract',
					operation: 'start',
					id: onlyStart(),
				},
			},
		]);
	});

	it('returnInProgress returns the ID and done: false', async () => {
		const outcome = await stage.run(start({ maxWaitSeconds: 0.2, onTimeout: 'returnInProgress' }));
		expect(outcome.status).toBe('success');
		expect(outcome.items(AGENT)[0].json).toMatchObject({ id: onlyStart(), done: false });
		expect(outcome.hints(AGENT).map(({ message }) => message)).toEqual([
			'Fields asked for: price.',
			expect.stringContaining('1 job was still in progress') as string,
		]);
	});

	it('returnInProgress does so too for a job that was never seen', async () => {
		await restage({ notFoundMs: 60_000 });
		const outcome = await stage.run(start({ maxWaitSeconds: 0.2, onTimeout: 'returnInProgress' }));
		expect(outcome.items(AGENT).map(({ json }) => json)).toEqual([
			{ id: onlyStart(), message: 'The work has started', success: true, done: false },
		]);
	});

	it('a GET fails or returns alike', async () => {
		const id = foreignJob();
		const wait = { pollIntervalSeconds: 0.02, maxWaitSeconds: 0.1 };
		const waiting = { waitForCompletion: true, waitOptions: wait };
		const { description } = await failure(documentResult(id, waiting));
		expect(description).toContain(`ID: ${id}.`);
		const returning = { ...waiting, waitOptions: { ...wait, onTimeout: 'returnInProgress' } };
		const outcome = await stage.run(documentResult(id, returning));
		expect(outcome.items(AGENT)[0].json).toMatchObject({ id, done: false });
	});
});

describe('a result that is not found', () => {
	it('is tolerated right after the own start', async () => {
		await restage({ notFoundMs: 100 });
		const outcome = await stage.run(start());
		expect(outcome.items(AGENT)[0].json).toMatchObject({ id: onlyStart(), done: true });
		expect(reads()[0].status).toBe(404);
	});

	it('fails a GET at once', async () => {
		const id = randomUUID();
		const { message, httpCode, description } = await failure(documentResult(id));
		expect(message).toBe('The service has nothing under this ID (404): There is no such result');
		expect(httpCode).toBe('404');
		expect(description).toContain(id);
		expect(stage.simulator.ledger.entries).toHaveLength(1);
	});
});

describe('the wait is bounded', () => {
	const cases: [string, FaultScript, RegExp][] = [
		['hangs', { on: 'result', kind: 'hang', times: Infinity }, /did not answer in time/],
		['always answers 500', { on: 'result', status: 500, times: Infinity }, /trouble \(500\)/],
		[
			'asks for patience without end',
			{ on: 'result', status: 503, headers: { 'retry-after': '3600' }, times: Infinity },
			/trouble \(503\)/,
		],
		['resets every connection', { on: 'result', kind: 'reset', times: Infinity }, /broke off/],
		['always answers a web page', { on: 'result', body: '<html>', times: Infinity }, /not JSON/],
		['has no record', { on: 'result', body: { success: true }, times: Infinity }, /no result/],
	];

	it.each(cases)('when the service %s', async (_, fault, words) => {
		stage.simulator.faults.add(fault);
		const { message, description } = await failure(
			start({ maxWaitSeconds: 0.2 }, { batching: { requestTimeoutSeconds: 0.1 } }),
		);
		expect(message).toMatch(/^The job was still in progress after 0\.2 seconds; at last: /);
		expect(message).toMatch(words);
		expect(description).toContain(`ID: ${onlyStart()}.`);
	});

	it('when the service hangs and no time for a request is set', async () => {
		stage.simulator.faults.add({ on: 'result', kind: 'hang', times: Infinity });
		const { message } = await failure(start({ maxWaitSeconds: 0.2 }));
		expect(message).toMatch(/still in progress after 0\.2 seconds; at last: .*in time/);
	});
});

describe('a job that ends without a result', () => {
	it('success: false has the words of the service', async () => {
		stage.simulator.faults.add({
			on: 'result',
			body: { success: false, message: 'The page wants a login', result: { done: true } },
		});
		const { message, description } = await failure(start());
		expect(message).toBe('The job failed: The page wants a login');
		expect(description).toContain(onlyStart());
	});

	it('success: false without a record is an end as well', async () => {
		stage.simulator.faults.add({
			on: 'result',
			body: { success: false, message: 'Out of memory' },
			times: Infinity,
		});
		const { message } = await failure(start());
		expect(message).toBe('The job failed: Out of memory');
		expect(reads()).toHaveLength(1);
	});

	it('success: false without words says so', async () => {
		stage.simulator.faults.add({ on: 'result', body: { success: false } });
		const { message } = await failure(start());
		expect(message).toBe('The job failed and the service did not say why');
	});

	it.each<JsonObject>([{ done: true }, { done: true, json: null }])(
		'done without data: %j',
		async (result) => {
			stage.simulator.faults.add({
				on: 'result',
				body: { success: true, message: 'Ready', result },
			});
			const { message } = await failure(start());
			expect(message).toBe('The job is complete and holds no data: Ready');
		},
	);

	it('without a wait as well', async () => {
		stage.simulator.faults.add({ on: 'result', body: { success: false, message: 'No' } });
		const { message } = await failure(documentResult(foreignJob()));
		expect(message).toBe('The job failed: No');
	});
});

describe('an answer to a start that is none', () => {
	it.each<[string, FaultScript, RegExp]>([
		['no ID', { on: 'start', body: { success: true, result: {} } }, /sent no ID for it/],
		['no result', { on: 'start', body: { success: true, message: 'Ok' } }, /sent no ID for it/],
		['a web page', { on: 'start', body: '<html>Welcome</html>' }, /not JSON, a web page/],
		['an empty body', { on: 'start', body: '' }, /not JSON/],
		[
			'a refusal',
			{ on: 'start', body: { success: false, message: 'No credits' } },
			/^The service did not accept the job: No credits$/,
		],
	])('%s has its own message', async (what, fault, words) => {
		stage.simulator.faults.add(fault);
		const { message } = await failure(start());
		expect(message).toMatch(words);
		// Only an explicit refusal proves that nothing was started.
		expect(/may have been accepted/.test(message)).toBe(what !== 'a refusal');
		expect(stage.simulator.ledger.entries).toHaveLength(1);
	});
});

it('without a wait, a web page instead of a result is refused after some tries', async () => {
	stage.simulator.faults.add({ on: 'result', body: '<html>Welcome</html>', times: Infinity });
	const { message } = await failure(documentResult(foreignJob()));
	expect(message).toMatch(/not JSON, a web page/);
	expect(stage.simulator.ledger.entries.length).toBeGreaterThan(1);
});

describe('a poll', () => {
	/** Each waits half a second and more before it asks again, so they all wait together. */
	it('survives trouble that passes', async () => {
		const scripts: Record<string, FaultScript> = {
			'500': { on: 'result', status: 500 },
			'429': { on: 'result', status: 429, headers: { 'retry-after': '1' } },
			'408': { on: 'result', status: 408 },
			'425': { on: 'result', status: 425 },
			'malformed JSON': { on: 'result', body: '{"success": true, "result": {"do' },
			'a reset': { on: 'result', kind: 'reset' },
		};
		const survived = await Promise.all(
			Object.entries(scripts).map(async ([what, script]) => {
				const own = await setStage();
				const fault = own.simulator.faults.add(script);
				const outcome = await own.run(urlExtract(own.simulator));
				const { ledger } = own.simulator;
				const polls = ledger.of('urlExtract.getResult');
				await own.close();
				const [first, second] = polls;
				return [
					what,
					{
						status: outcome.status,
						done: outcome.items(AGENT)[0]?.json.done,
						hits: fault.hits,
						posts: ledger.of('urlExtract.start').length,
						// To the millisecond, timers may fire early.
						respectful: what !== '429' || second.at - first.at >= 990,
					},
				];
			}),
		);
		const expected = { status: 'success', done: true, hits: 1, posts: 1, respectful: true };
		expect(Object.fromEntries(survived)).toEqual(
			Object.fromEntries(Object.keys(scripts).map((what) => [what, expected])),
		);
	});

	it.each([400, 401, 403, 422])('does not survive a %d', async (status) => {
		stage.simulator.faults.add({ on: 'result', status, times: Infinity });
		const { httpCode, description } = await failure(start());
		expect(httpCode).toBe(String(status));
		expect(description).toContain(onlyStart());
		// n8n itself sends a 401 once more.
		expect(reads().length).toBeLessThanOrEqual(status === 401 ? 2 : 1);
	});
});

it('a long silence that the service asked for ends no later than the wait', async () => {
	await restage({ jobDurationMs: 60_000 });
	stage.simulator.faults.add({
		on: 'result',
		times: Infinity,
		status: 429,
		headers: { 'retry-after': '3600' },
	});
	const outcome = await stage.run(start({ pollIntervalSeconds: 0.1, maxWaitSeconds: 1 }), {
		inputItems: [{ json: {} }, { json: {} }, { json: {} }],
		node: { onError: 'continueRegularOutput' },
	});
	const failures = outcome.items(AGENT).map(({ json }) => json.error as { message: string });
	expect(failures).toHaveLength(3);
	for (const { message } of failures) {
		expect(message).toContain('still in progress after 1 seconds');
		expect(message).toContain('too many requests (429)');
	}
});
