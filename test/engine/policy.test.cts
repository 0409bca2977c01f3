import { AGENT, numbered, setStage, urlExtract, type Stage } from '../support/agent.cts';

let stage: Stage;
afterEach(() => stage.close());

it('stops new starts at the first failure, lets running ones settle, and names every ID', async () => {
	stage = await setStage({ jobDurationMs: 30_000 });
	// The third start is refused at once, while the second is still on its way.
	stage.simulator.faults.add({ on: 'start', skip: 1, delayMs: 300 });
	stage.simulator.faults.add({
		on: 'start',
		skip: 1,
		status: 422,
		body: { message: 'No such page' },
	});
	const outcome = await stage.run(
		urlExtract(stage.simulator, { batching: { maxConcurrentJobs: 3 } }),
		{ inputItems: numbered(20) },
	);
	expect(outcome.status).toBe('error');
	expect(outcome.error?.message).toContain('No such page');
	expect(outcome.error?.context?.itemIndex).toBe(2);
	expect(stage.simulator.ledger.of('urlExtract.start')).toHaveLength(3);
	expect(stage.simulator.ledger.starts).toHaveLength(2);
	for (const { jobId } of stage.simulator.ledger.starts) {
		expect(outcome.error?.description).toContain(jobId);
	}
});

it('gives every item its result or its failure where the node continues', async () => {
	stage = await setStage({ jobDurationMs: 30 });
	stage.simulator.faults.add({ on: 'start', times: Infinity, probability: 0.3, status: 422 });
	const outcome = await stage.run(urlExtract(stage.simulator), {
		inputItems: numbered(40),
		node: { onError: 'continueRegularOutput' },
	});
	const items = outcome.items(AGENT);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		numbered(40).map((_, item) => ({ item })),
	);
	const failed = items.filter(({ json }) => json.error);
	expect(failed.length).toBeGreaterThan(3);
	expect(failed.length + stage.simulator.ledger.starts.length).toBe(40);
});

it('hints at jobs still in progress and at credits', async () => {
	stage = await setStage({
		jobDurationMs: (job) => (job.task.kind === 'urlExtract' ? 20 : 60_000),
	});
	const done = await stage.run(urlExtract(stage.simulator), { inputItems: numbered(3) });
	expect(done.hints(AGENT).map(({ message }) => message)).toEqual([
		'Fields asked for: price.',
		expect.stringMatching(/^Credits used: 3, remaining: \d+\.$/),
	]);
	const waiting = await stage.run(
		{
			resource: 'dataset',
			operation: 'start',
			query: 'rivers',
			schemaFields: { field: [{ name: 'name', description: '' }] },
			waitOptions: {
				maxWaitSeconds: 0.1,
				pollIntervalSeconds: 0.05,
				onTimeout: 'returnInProgress',
			},
		},
		{ inputItems: numbered(2) },
	);
	expect(waiting.hints(AGENT).map(({ message }) => message)).toContainEqual(
		expect.stringContaining('2 jobs were still in progress'),
	);
});
