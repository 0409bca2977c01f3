import { numbered, setStage, urlExtract, type Stage } from '../support/agent.cts';

let stage: Stage;
afterEach(() => stage.close());

/** Cancels once the simulator has received so many requests; tells when it did. */
function cancelAfter(requests: number): {
	onStarted: (control: { cancel(): void }) => void;
	at: () => number;
} {
	let atMs = 0;
	return {
		at: () => atMs,
		onStarted: ({ cancel }) => {
			const timer = setInterval(() => {
				if (stage.simulator.ledger.entries.length < requests) return;
				clearInterval(timer);
				atMs = Date.now();
				cancel();
			}, 5);
		},
	};
}

/** One second is what the contract allows; nothing may start later than that. */
async function expectSilenceAfter(atMs: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, 2_000));
	const late = stage.simulator.ledger.entries.filter(({ at }) => at > atMs + 1_000);
	expect(late.map(({ method, path, at }) => ({ method, path, afterMs: at - atMs }))).toEqual([]);
}

it('stops in the middle of a wait', async () => {
	stage = await setStage({ jobDurationMs: 60_000 });
	const cancel = cancelAfter(8);
	const outcome = await stage.run(urlExtract(stage.simulator), {
		inputItems: numbered(3),
		onStarted: cancel.onStarted,
	});
	expect(outcome.status).toBe('canceled');
	expect(Date.now() - cancel.at()).toBeLessThan(1_000);
	await expectSilenceAfter(cancel.at());
});

it('stops in a long pause between two looks', async () => {
	stage = await setStage({ jobDurationMs: 60_000 });
	const cancel = cancelAfter(1);
	const outcome = await stage.run(
		urlExtract(stage.simulator, { waitOptions: { pollIntervalSeconds: 30 } }),
		{ onStarted: cancel.onStarted },
	);
	expect(outcome.status).toBe('canceled');
	expect(Date.now() - cancel.at()).toBeLessThan(1_000);
});

it('stops while jobs are being started: no further one is', async () => {
	stage = await setStage({ jobDurationMs: 60_000 });
	stage.simulator.faults.add({ on: 'start', skip: 4, times: Infinity, kind: 'hang' });
	const cancel = cancelAfter(6);
	const outcome = await stage.run(
		urlExtract(stage.simulator, { waitForCompletion: false, batching: { maxConcurrentJobs: 2 } }),
		{ inputItems: numbered(30), onStarted: cancel.onStarted },
	);
	expect(outcome.status).toBe('canceled');
	await expectSilenceAfter(cancel.at());
	expect(stage.simulator.ledger.of('urlExtract.start')).toHaveLength(6);
});

it('stops in the middle of an upload', async () => {
	stage = await setStage({ jobDurationMs: 60_000 }, { binaryMode: 'filesystem' });
	stage.simulator.faults.add({ on: 'start', times: Infinity, kind: 'hang' });
	const data = await stage.engine.binary('a.pdf', 'application/pdf', Buffer.alloc(2_000_000, 1));
	const cancel = cancelAfter(1);
	const outcome = await stage.run(
		{ resource: 'document', operation: 'start' },
		{ inputItems: [{ json: {}, binary: { data } }], onStarted: cancel.onStarted },
	);
	expect(outcome.status).toBe('canceled');
	expect(Date.now() - cancel.at()).toBeLessThan(1_000);
});

it('stops although the node continues on fail, and produces no failure items', async () => {
	stage = await setStage({ jobDurationMs: 60_000 });
	const cancel = cancelAfter(4);
	const outcome = await stage.run(urlExtract(stage.simulator), {
		inputItems: numbered(2),
		node: { onError: 'continueRegularOutput' },
		onStarted: cancel.onStarted,
	});
	expect(outcome.status).toBe('canceled');
	expect(outcome.serialized).not.toContain('still in progress');
	expect(outcome.serialized).not.toContain('"description"');
});
