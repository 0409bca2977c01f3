import type { IExecuteFunctions } from 'n8n-workflow';
import { Halt } from '../../nodes/DataExtractionAgent/engine/halt.ts';
import { Pace } from '../../nodes/DataExtractionAgent/engine/pace.ts';

/** What a halt asks of its context. */
function halt(canceled = new AbortController()): Halt {
	return new Halt({
		getExecutionCancelSignal: () => canceled.signal,
		getExecutionId: () => '1',
	} as unknown as IExecuteFunctions);
}

describe('Pace', () => {
	beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
	afterEach(() => jest.useRealTimers());

	it('lets the event loop come round while many requests start', async () => {
		const pace = new Pace(halt());
		let started = 0;
		const all = Array.from({ length: 10 }, () => pace.turn(Infinity).then(() => started++));
		const startedByTurn: number[] = [];
		for (let turn = 0; turn < 3; turn++) {
			await new Promise(setImmediate);
			startedByTurn.push(started);
			jest.runOnlyPendingTimers();
		}
		await Promise.all(all);
		expect(startedByTurn).toEqual([3, 7, 10]);
	});

	it('ends all that wait for their turn when the user stops the execution', async () => {
		const canceled = new AbortController();
		const pace = new Pace(halt(canceled));
		const all = Promise.allSettled(Array.from({ length: 100 }, () => pace.turn(Infinity)));
		await jest.advanceTimersByTimeAsync(0);
		canceled.abort();
		await jest.advanceTimersByTimeAsync(1);
		const outcomes = await all;
		expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(10);
		expect(outcomes.at(-1)).toMatchObject({ reason: { name: 'ManualExecutionCancelledError' } });
	});
});
