import fc from 'fast-check';
import { Durations } from '../../nodes/DataExtractionAgent/engine/durations.ts';
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

/** What is known after jobs were last seen in progress, and seen done, at these times. */
function after(...looks: [inProgressMs: number, doneMs: number][]): Durations {
	const durations = new Durations();
	for (const [inProgressMs, doneMs] of looks) {
		const job = durations.begin();
		durations.inProgress(job, inProgressMs);
		durations.done(job, doneMs);
	}
	return durations;
}

/** So many jobs are waited for, and nothing else is known. */
function waitingFor(jobs: number): Durations {
	const durations = new Durations();
	for (let job = 0; job < jobs; job++) durations.begin();
	return durations;
}

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
		const known = fc
			.array(
				fc.tuple(fc.integer({ min: 0, max: 3_600_000 }), fc.integer({ min: 1, max: 100_000 })),
				{ minLength: 1, maxLength: 100 },
			)
			.map((jobs) => after(...jobs.map(([ms, gapMs]): [number, number] => [ms, ms + gapMs])));

		it('keeps to the deadline, to Retry-After and to its bounds', () => {
			fc.assert(
				fc.property(elapsed, known, random, (elapsedMs, durations, chance) => {
					const poll = { elapsedMs, known: durations };
					const ms = nextPollMs({ ...poll, leftMs }, chance);
					expect(ms).toBeGreaterThanOrEqual(250);
					expect(ms).toBeLessThanOrEqual(120_000);
					expect(nextPollMs({ ...poll, leftMs: 70 }, chance)).toBe(70);
					expect(nextPollMs({ ...poll, leftMs, retryAfterMs: 121_000 }, chance)).toBe(121_000);
				}),
			);
		});

		it('looks just after the time at which the only other job was done, not all at once', () => {
			const at = (elapsedMs: number, chance: number) =>
				elapsedMs + nextPollMs({ elapsedMs, leftMs, known: after([10_000, 30_000]) }, chance);
			expect([at(28_500, 0), at(28_500, 1)]).toEqual([30_000, 30_100]);
			expect(at(29_900, 0.5)).toBe(30_150);
		});

		it('passes over the time in which no other job was done', () => {
			const close = Array.from({ length: 50 }, (_, job): [number, number] => [
				28_000 + job * 40,
				30_000 + job * 40,
			]);
			const at = (elapsedMs: number) =>
				elapsedMs + nextPollMs({ elapsedMs, leftMs, known: after(...close) }, 0.5);
			expect(at(0)).toBeGreaterThan(20_000);
			expect(at(at(0))).toBeGreaterThan(28_000);
			expect(at(at(0))).toBeLessThan(31_500);
		});

		it('looks just after the time at which many were done, and seldom until more were', () => {
			const two = Array.from({ length: 50 }, (_, job): [number, number] =>
				job % 2 ? [4_500, 5_100] : [119_000, 121_000],
			);
			const at = (elapsedMs: number) =>
				elapsedMs + nextPollMs({ elapsedMs, leftMs, known: after(...two) }, 0.5);
			expect(at(0)).toBeGreaterThan(4_900);
			expect(at(0)).toBeLessThan(5_100);
			expect(at(5_100)).toBeGreaterThan(30_000);
			expect(at(118_000)).toBeGreaterThan(119_500);
			expect(at(118_000)).toBeLessThan(121_500);
		});

		it('expects longer durations where other jobs go on', () => {
			const durations = after([9_000, 11_000], [19_000, 21_000]);
			const before = durations.rates?.meanMs ?? NaN;
			for (let job = 0; job < 8; job++) durations.inProgress(durations.begin(), 20_000);
			const third = durations.begin();
			durations.inProgress(third, 19_500);
			durations.done(third, 20_500);
			expect(durations.rates?.meanMs).toBeGreaterThan(2 * before);
		});

		it('looks less and less often where a job takes longer than all others', () => {
			const gapMs = (elapsedMs: number) =>
				nextPollMs({ elapsedMs, leftMs, known: after([9_900, 10_000]) }, 0.5);
			expect(gapMs(10_000)).toBeGreaterThan(2_000);
			expect(gapMs(20_000)).toBeGreaterThan(gapMs(10_000));
			expect(gapMs(20_000)).toBeLessThanOrEqual(8_000);
		});
	});

	it('knows of no common duration after one job outlasted another, but for a little', () => {
		const durations = after([4_900, 5_100]);
		const job = durations.begin();
		durations.inProgress(job, 5_150);
		expect(durations.sameMs).toBe(5_150);
		durations.inProgress(job, 5_300);
		expect(durations.sameMs).toBeUndefined();
	});

	it('sees a job of 5 seconds that is alone within a tenth of its duration', () => {
		fc.assert(
			fc.property(fc.array(random, { minLength: 20, maxLength: 20 }), (chances) => {
				let elapsedMs = 0;
				for (const chance of chances) {
					elapsedMs += nextPollMs({ elapsedMs, leftMs, known: waitingFor(1) }, chance);
					if (elapsedMs >= 5_000) break;
				}
				expect(elapsedMs).toBeLessThanOrEqual(5_500);
			}),
		);
	});

	it('looks less often at each of more jobs, within bounds', () => {
		fc.assert(
			fc.property(elapsed, fc.integer({ min: 1, max: 2000 }), random, (elapsedMs, jobs, chance) => {
				const gapMs = nextPollMs({ elapsedMs, leftMs, known: waitingFor(jobs) }, 0.5);
				const more = { elapsedMs, leftMs, known: waitingFor(jobs + 1) };
				expect(nextPollMs(more, 0.5)).toBeGreaterThanOrEqual(gapMs);
				expect(nextPollMs(more, chance)).toBeLessThanOrEqual(39_000);
			}),
			{ numRuns: 50 },
		);
	});

	it('asks after about a second at first, and after 15 seconds at most, within the jitter', () => {
		fc.assert(
			fc.property(elapsed, random, (elapsedMs, chance) => {
				const ms = nextPollMs({ elapsedMs, leftMs }, chance);
				expect(ms).toBeGreaterThanOrEqual(elapsedMs === 0 ? 700 : 336);
				expect(ms).toBeLessThanOrEqual(19_500);
				const middle = nextPollMs({ elapsedMs, leftMs }, 0.5);
				expect(Math.abs(ms - middle)).toBeLessThanOrEqual(middle * 0.3 + 1e-6);
			}),
		);
		expect(nextPollMs({ elapsedMs: 0, leftMs }, 0.5)).toBe(1000);
		expect(nextPollMs({ elapsedMs: 1e9, leftMs }, 0.5)).toBe(15_000);
	});

	it('spreads jobs that were started together', () => {
		const at = (chance: number, jobs: number) =>
			nextPollMs({ elapsedMs: 0, leftMs, known: waitingFor(jobs) }, chance);
		expect([at(0, 1), at(1, 1)]).toEqual([1_000, 1_000]);
		expect([at(0, 9), at(1, 9)]).toEqual([1_000, 3_000]);
		expect([at(0, 2_000), at(1, 2_000)]).toEqual([1_000, 30_000]);
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
