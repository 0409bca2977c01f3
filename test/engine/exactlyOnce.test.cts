import {
	AGENT,
	agentWorkflow,
	FAILED,
	numbered,
	setStage,
	SUCCESS,
	urlExtract,
	type Stage,
} from '../support/agent.cts';

let stage: Stage;
beforeEach(async () => {
	stage = await setStage();
});
afterEach(() => stage.close());

const posts = () => stage.simulator.ledger.of('urlExtract.start');

const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

it('Retry On Fail waits for the jobs that were started before', async () => {
	// Every look of the first try fails for good; the second try finds the results.
	stage.simulator.faults.add({ on: 'result', times: 6, status: 403 });
	const outcome = await stage.run(urlExtract(stage.simulator), {
		inputItems: numbered(6),
		node: retrying,
	});
	expect(outcome.error).toBeUndefined();
	expect(outcome.items(AGENT)).toHaveLength(6);
	expect(posts()).toHaveLength(6);
});

it('Retry On Fail after a failure in the middle of the starts pays for each item once', async () => {
	stage.simulator.faults.add({ on: 'start', skip: 5, status: 422, body: { message: 'Busy' } });
	const outcome = await stage.run(
		urlExtract(stage.simulator, { batching: { maxConcurrentJobs: 3 } }),
		{ inputItems: numbered(10), node: retrying },
	);
	expect(outcome.error).toBeUndefined();
	expect(stage.simulator.ledger.starts).toHaveLength(10);
	expect(new Set(outcome.items(AGENT).map(({ json }) => json.id)).size).toBe(10);
});

it('"Retry execution" starts nothing that was started before', async () => {
	stage.simulator.faults.add({ on: 'result', times: Infinity, status: 403 });
	const failed = await stage.run(urlExtract(stage.simulator), { inputItems: numbered(4) });
	expect(failed.status).toBe('error');
	expect(posts()).toHaveLength(4);

	stage.simulator.faults.clear();
	const retried = await stage.run(urlExtract(stage.simulator), { retryOf: failed });
	expect(retried.error).toBeUndefined();
	expect(retried.items(AGENT)).toHaveLength(4);
	expect(posts()).toHaveLength(4);
	expect(
		retried
			.items(AGENT)
			.map(({ json }) => json.id)
			.sort(),
	).toEqual(stage.simulator.ledger.starts.map(({ jobId }) => jobId).sort());
});

it('a wait that ran out goes on in "Retry execution"', async () => {
	await stage.close();
	stage = await setStage({ jobDurationMs: 600 });
	const parameters = urlExtract(stage.simulator, {
		waitOptions: { pollIntervalSeconds: 0.05, maxWaitSeconds: 0.4 },
	});
	const failed = await stage.run(parameters);
	expect(failed.error?.message).toContain('still in progress after 0.4 seconds');
	const retried = await stage.run(parameters, { retryOf: failed });
	expect(retried.items(AGENT)[0].json.done).toBe(true);
	expect(posts()).toHaveLength(1);
});

it('a changed parameter makes another job', async () => {
	stage.simulator.faults.add({ on: 'result', status: 403 });
	const failed = await stage.run(urlExtract(stage.simulator));
	const retried = await stage.run(
		urlExtract(stage.simulator, { url: `${stage.simulator.origin}/pages/milk-frother.html` }),
		{ retryOf: failed },
	);
	expect(retried.error).toBeUndefined();
	expect(posts()).toHaveLength(2);
});

it('a job that failed is started anew', async () => {
	stage.simulator.faults.add({
		on: 'result',
		body: { success: false, message: 'The page is gone' },
	});
	// With one place to look, "success: false" is the service's last word on the job.
	const outcome = await stage.run(
		urlExtract(stage.simulator, { options: { resultPath: '/api/v2/extract/result/{id}' } }),
		{ node: retrying },
	);
	expect(outcome.items(AGENT)[0].json.done).toBe(true);
	expect(posts()).toHaveLength(2);
});

it('continue-on-fail with Retry On Fail starts only the failed item again', async () => {
	stage.simulator.faults.add({ on: 'start', status: 422, body: { message: 'Not now' } });
	const outcome = await stage.run(
		urlExtract(stage.simulator, { batching: { maxConcurrentJobs: 1 } }),
		{ inputItems: numbered(3), node: { ...retrying, onError: 'continueErrorOutput' } },
	);
	expect(outcome.items(SUCCESS)).toHaveLength(3);
	expect(outcome.items(FAILED)).toHaveLength(0);
	expect(stage.simulator.ledger.starts).toHaveLength(3);
});

it.each([
	['a 429', { status: 429 }, 2],
	['a 500', { status: 500 }, 1],
	['a reset', { kind: 'reset' as const }, 1],
	['a reset after the job was accepted', { kind: 'resetAfterAccept' as const }, 1],
])('repeats a start after %s only if it cannot have been accepted', async (_, fault, count) => {
	stage.simulator.faults.add({ on: 'start', ...fault });
	const outcome = await stage.run(urlExtract(stage.simulator));
	expect(posts()).toHaveLength(count);
	if (count === 1) expect(outcome.error?.message).toContain('The job may have been accepted');
	else expect(outcome.error).toBeUndefined();
});

it('each run of a node in one execution starts jobs of its own', async () => {
	// The first run keeps its identifier, because its item failed; the second must not take it up.
	stage.simulator.faults.add({ on: 'result', status: 403 });
	const { nodes, connections, ...workflow } = agentWorkflow(urlExtract(stage.simulator), {
		onError: 'continueRegularOutput',
	});
	const noOp = { type: 'n8n-nodes-base.noOp', typeVersion: 1 };
	const to = (...names: string[]) => ({
		main: [names.map((node) => ({ node, type: 'main', index: 0 }))],
	});
	const outcome = await stage.engine.run({
		...workflow,
		nodes: [...nodes, { name: 'A', ...noOp }, { name: 'B', ...noOp }],
		connections: { ...connections, Start: to('A', 'B'), A: to(AGENT), B: to(AGENT) },
	});
	expect(outcome.nodeRuns(AGENT)).toHaveLength(2);
	expect(outcome.items(AGENT, 0, 0)[0].json.error).toBeDefined();
	expect(outcome.items(AGENT, 0, 1)[0].json.done).toBe(true);
	expect(posts()).toHaveLength(2);
});

it('forgets what it has delivered', async () => {
	const outcome = await stage.run(urlExtract(stage.simulator), { inputItems: numbered(3) });
	expect(outcome.run.data.executionData?.contextData[`node:${AGENT}`] ?? {}).toEqual({});
});
