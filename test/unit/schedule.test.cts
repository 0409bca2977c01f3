import fc from 'fast-check';
import {
	backoffMs,
	nextPollMs,
	retryAfterMs,
} from '../../nodes/DataExtractionAgent/engine/schedule.ts';

const random = fc.double({ min: 0, max: 1, noNaN: true });
const elapsed = fc.integer({ min: 0, max: 10 * 3_600_000 });
const left = fc.integer({ min: -60_000, max: 3_600_000 });
const gap = fc.option(fc.integer({ min: 10, max: 120_000 }), { nil: undefined });
const retryAfter = fc.option(fc.integer({ min: 0, max: 600_000 }), { nil: undefined });
const state = fc.record({
	elapsedMs: elapsed,
	leftMs: left,
	intervalMs: gap,
	retryAfterMs: retryAfter,
});

/** No deadline in sight. */
const leftMs = Number.MAX_SAFE_INTEGER;

describe('nextPollMs', () => {
	it('never goes beyond the deadline, and never back in time', () => {
		fc.assert(
			fc.property(state, random, (poll, chance) => {
				const ms = nextPollMs(poll, chance);
				expect(ms).toBeGreaterThanOrEqual(0);
				expect(ms).toBeLessThanOrEqual(Math.max(0, poll.leftMs));
			}),
		);
	});

	it('is never shorter than Retry-After, unless the wait ends before', () => {
		fc.assert(
			fc.property(state, random, (poll, chance) => {
				const wanted = Math.min(poll.retryAfterMs ?? 0, Math.max(0, poll.leftMs));
				expect(nextPollMs(poll, chance)).toBeGreaterThanOrEqual(wanted);
			}),
		);
	});

	it('grows with the time elapsed', () => {
		const begun = elapsed.map((elapsedMs) => elapsedMs + 1);
		fc.assert(
			fc.property(begun, begun, random, (a, b, chance) => {
				const [early, late] = [Math.min(a, b), Math.max(a, b)].map((elapsedMs) =>
					nextPollMs({ elapsedMs, leftMs }, chance),
				);
				expect(late).toBeGreaterThanOrEqual(early);
			}),
		);
		const at = (elapsedMs: number) => nextPollMs({ elapsedMs, leftMs }, 0.5);
		expect(at(30_000)).toBeGreaterThan(at(10_000));
	});

	describe('when durations are known', () => {
		const durations = fc
			.array(fc.integer({ min: 1, max: 3_600_000 }), { minLength: 6, maxLength: 200 })
			.map((durationsMs) => durationsMs.sort((a, b) => a - b));

		it('keeps to the deadline, to Retry-After and to its bounds', () => {
			fc.assert(
				fc.property(elapsed, durations, random, (elapsedMs, durationsMs, chance) => {
					const state = { elapsedMs, durationsMs };
					const ms = nextPollMs({ ...state, leftMs }, chance);
					expect(ms).toBeGreaterThanOrEqual(400);
					expect(ms).toBeLessThanOrEqual(120_000);
					expect(nextPollMs({ ...state, leftMs: 70 }, chance)).toBe(70);
					expect(nextPollMs({ ...state, leftMs, retryAfterMs: 121_000 }, chance)).toBe(121_000);
				}),
			);
		});

		it('looks just after the time at which jobs like this one were done', () => {
			const durationsMs = Array<number>(100).fill(30_000);
			const ms = nextPollMs({ elapsedMs: 1_000, leftMs, durationsMs }, 0.5);
			expect(1_000 + ms).toBeGreaterThanOrEqual(30_000);
			expect(1_000 + ms).toBeLessThan(32_000);
		});

		it('trusts nothing before three jobs have finished', () => {
			const state = { elapsedMs: 5_000, leftMs };
			expect(nextPollMs({ ...state, durationsMs: [60_000, 60_000, 60_000, 60_000] }, 0.5)).toBe(
				nextPollMs(state, 0.5),
			);
		});

		it('goes on as if nothing were known where a job takes longer than all others', () => {
			const state = { elapsedMs: 20_000, leftMs };
			const durationsMs = Array<number>(10).fill(10_000);
			expect(nextPollMs({ ...state, durationsMs }, 0.5)).toBe(nextPollMs(state, 0.5));
		});
	});

	it('looks when another job was seen to be done, and not at once where that is now', () => {
		const at = (elapsedMs: number) =>
			nextPollMs({ elapsedMs, leftMs, seenDoneMs: [5_000, 9_000] }, 0.5);
		expect(at(4_200)).toBe(800);
		expect(at(4_900)).toBe(400);
		expect(at(8_000)).toBe(1_000);
		expect(at(9_000)).toBe(nextPollMs({ elapsedMs: 9_000, leftMs }, 0.5));
	});

	it('asks after about a second at first, and after 15 seconds at most, within the jitter', () => {
		fc.assert(
			fc.property(elapsed, random, (elapsedMs, chance) => {
				const ms = nextPollMs({ elapsedMs, leftMs }, chance);
				expect(ms).toBeGreaterThanOrEqual(elapsedMs === 0 ? 700 : 420);
				expect(ms).toBeLessThanOrEqual(19_500);
				const middle = nextPollMs({ elapsedMs, leftMs }, 0.5);
				expect(Math.abs(ms - middle)).toBeLessThanOrEqual(middle * 0.3 + 1e-6);
			}),
		);
		expect(nextPollMs({ elapsedMs: 0, leftMs }, 0.5)).toBe(1000);
		expect(nextPollMs({ elapsedMs: 1e9, leftMs }, 0.5)).toBe(15_000);
	});

	it('spreads jobs that were started together', () => {
		const at = (chance: number) => nextPollMs({ elapsedMs: 0, leftMs }, chance);
		expect([at(0), at(1)]).toEqual([700, 1300]);
	});

	it("keeps the user's interval as it is", () => {
		fc.assert(
			fc.property(
				elapsed,
				fc.integer({ min: 10, max: 120_000 }),
				random,
				(elapsedMs, ms, chance) => {
					expect(nextPollMs({ elapsedMs, leftMs, intervalMs: ms }, chance)).toBe(ms);
				},
			),
		);
	});
});

describe('backoffMs', () => {
	it('lies between half and whole of a doubling time of 30 seconds at most', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 5000 }), random, (tries, chance) => {
				const whole = Math.min(500 * 2 ** (tries - 1), 30_000);
				const ms = backoffMs(tries, chance);
				expect(ms).toBeGreaterThanOrEqual(whole / 2);
				expect(ms).toBeLessThanOrEqual(whole);
			}),
		);
	});

	it('uses the whole range', () => {
		expect([backoffMs(1, 0), backoffMs(1, 1), backoffMs(3, 0), backoffMs(3, 1)]).toEqual([
			250, 500, 1000, 2000,
		]);
	});
});

describe('retryAfterMs', () => {
	const nowMs = Date.UTC(2026, 0, 31, 23, 59, 50);

	it('reads seconds', () => {
		fc.assert(
			fc.property(fc.nat(), (seconds) => {
				expect(retryAfterMs(String(seconds), nowMs)).toBe(seconds * 1000);
				expect(retryAfterMs([String(seconds)], nowMs)).toBe(seconds * 1000);
				expect(retryAfterMs(seconds, nowMs)).toBe(seconds * 1000);
				expect(retryAfterMs(` ${seconds} `, nowMs)).toBe(seconds * 1000);
			}),
		);
	});

	it('reads an HTTP date', () => {
		fc.assert(
			fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (seconds) => {
				const date = new Date(nowMs + seconds * 1000).toUTCString();
				expect(retryAfterMs(date, nowMs)).toBe(Math.max(0, seconds * 1000));
			}),
		);
	});

	it('is 0 where there is nothing to read', () => {
		for (const header of [undefined, null, '', 'soon', [], {}, 'NaN', '1e', 'Infinity']) {
			expect(retryAfterMs(header, nowMs)).toBe(0);
		}
	});

	it('is never negative or not a number, whatever a header says', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.anything()), (header) => {
				fc.pre(isPrintable(header));
				expect(retryAfterMs(header, nowMs)).toBeGreaterThanOrEqual(0);
			}),
		);
	});
});

/** `String()` itself fails for objects without a prototype, which no header is. */
function isPrintable(value: unknown): boolean {
	try {
		String(Array.isArray(value) ? (value[0] as unknown) : value);
		return true;
	} catch {
		return false;
	}
}
