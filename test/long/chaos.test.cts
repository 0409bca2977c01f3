import { AGENT, numbered, setStage, TOKEN, urlExtract, type Stage } from '../support/agent.cts';

let stage: Stage;
afterEach(() => stage.close());

it('gets 200 results in order out of a service in a bad way, and pays for 200 jobs', async () => {
	stage = await setStage({ jobDurationMs: 200, notFoundMs: 100 });
	const { faults } = stage.simulator;
	faults.add({ on: 'result', times: Infinity, probability: 0.05, status: 500 });
	faults.add({ on: 'result', times: Infinity, probability: 0.03, kind: 'reset' });
	faults.add({
		on: 'result',
		times: Infinity,
		probability: 0.03,
		status: 200,
		headers: { 'content-type': 'application/json' },
		body: '{"success": true, "result": {"done"',
	});
	faults.add({
		on: 'any',
		times: Infinity,
		probability: 0.05,
		status: 429,
		headers: { 'retry-after': '0.2' },
	});
	const outcome = await stage.run(
		urlExtract(stage.simulator, {
			waitOptions: { pollIntervalSeconds: 0.2 },
			batching: { maxConcurrentJobs: 50 },
		}),
		{ inputItems: numbered(200) },
	);
	expect(outcome.error).toBeUndefined();
	const items = outcome.items(AGENT);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		numbered(200).map((_, item) => ({ item })),
	);
	expect(items.every(({ json }) => json.done === true)).toBe(true);
	expect(new Set(items.map(({ json }) => json.id)).size).toBe(200);
	expect(stage.simulator.ledger.starts).toHaveLength(200);
	expect(outcome.serialized).not.toContain(TOKEN);
	expect(outcome.logs.join('\n')).not.toContain(TOKEN);
}, 120_000);
