import { AGENT, numbered, setStage, urlExtract, type Stage } from '../support/agent.cts';

let stage: Stage;
afterEach(() => stage.close());

/** How many jobs were in progress at the busiest moment. */
function busiest({ simulator }: Stage, durationMs: number): number {
	const startsMs = simulator.ledger.starts.map(({ at }) => at);
	return Math.max(
		...startsMs.map(
			(atMs) => startsMs.filter((otherMs) => otherMs <= atMs && otherMs > atMs - durationMs).length,
		),
	);
}

it('keeps as many jobs in flight as allowed, and no more', async () => {
	stage = await setStage({ jobDurationMs: 200 });
	const outcome = await stage.run(
		urlExtract(stage.simulator, { batching: { maxConcurrentJobs: 4 } }),
		{ inputItems: numbered(12) },
	);
	expect(outcome.error).toBeUndefined();
	expect(stage.simulator.ledger.starts).toHaveLength(12);
	expect(busiest(stage, 200)).toBe(4);
});

it('works on ten jobs at a time unless told otherwise', async () => {
	stage = await setStage({ jobDurationMs: 300 });
	await stage.run(urlExtract(stage.simulator), { inputItems: numbered(20) });
	expect(busiest(stage, 300)).toBe(10);
});

it('gives results in the order of the input, whatever finished first', async () => {
	let started = 0;
	stage = await setStage({ jobDurationMs: () => 300 - 25 * started++ });
	const outcome = await stage.run(
		{
			...urlExtract(stage.simulator),
			url: `=${stage.simulator.origin}/pages/coffee-grinder.html?n={{ $json.n }}`,
		},
		{ inputItems: numbered(10) },
	);
	const idOf = new Map(
		stage.simulator.ledger.starts.map(({ jobId, query }) => [
			new URL(String(query.url)).searchParams.get('n'),
			jobId,
		]),
	);
	expect(outcome.items(AGENT).map(({ json }) => json.id)).toEqual(
		numbered(10).map(({ json }) => idOf.get(String(json.n))),
	);
	expect(outcome.items(AGENT).map(({ pairedItem }) => pairedItem)).toEqual(
		numbered(10).map((_, item) => ({ item })),
	);
});

it('costs one duration for as many jobs as may be in flight, not the sum', async () => {
	const durationMs = 1_000;
	stage = await setStage({ jobDurationMs: durationMs });
	await stage.run(urlExtract(stage.simulator, { batching: { maxConcurrentJobs: 50 } }), {
		inputItems: numbered(50),
	});
	const { entries } = stage.simulator.ledger;
	const tookMs =
		Math.max(...entries.map(({ at }) => at)) - Math.min(...entries.map(({ at }) => at));
	// A relation within this run: far from 50 durations, even on a slow machine.
	expect(tookMs).toBeLessThan(10 * durationMs);
});

it('never sends more requests per second than allowed', async () => {
	stage = await setStage({ jobDurationMs: 50 });
	await stage.run(
		urlExtract(stage.simulator, { batching: { maxConcurrentJobs: 20, maxRequestsPerSecond: 20 } }),
		{ inputItems: numbered(15) },
	);
	const asked = stage.simulator.ledger.entries.filter(({ operation }) => operation !== 'page');
	expect(asked.length).toBeGreaterThanOrEqual(30);
	const spanMs = asked[asked.length - 1].at - asked[0].at;
	// n requests need (n - 1) gaps of 50 ms; timers may be a few milliseconds early.
	expect(spanMs).toBeGreaterThan((asked.length - 1) * 50 * 0.95);
});

it('slows the whole run down when the service refuses, and keeps silent as it was asked to', async () => {
	stage = await setStage({ jobDurationMs: 20 });
	stage.simulator.faults.add({
		on: 'any',
		skip: 6,
		times: 2,
		status: 429,
		headers: { 'retry-after': '1' },
		body: { success: false, message: 'Too many' },
	});
	const outcome = await stage.run(
		urlExtract(stage.simulator, { batching: { maxConcurrentJobs: 2 } }),
		{ inputItems: numbered(12) },
	);
	expect(outcome.items(AGENT)).toHaveLength(12);
	const entries = stage.simulator.ledger.entries.filter(({ operation }) => operation !== 'page');
	const refused = entries.filter(({ fault }) => fault !== undefined);
	expect(refused).toHaveLength(2);
	const silentFromMs = refused[1].at + 20;
	const silentUntilMs = refused[1].at + 950;
	expect(entries.filter(({ at }) => at > silentFromMs && at < silentUntilMs)).toEqual([]);
	expect(stage.simulator.ledger.starts).toHaveLength(12);
});
