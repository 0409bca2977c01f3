import { statusFailure } from './failures';
import type { Halt } from './halt';

/** This long after the last 429 the run has no limit of its own any more. */
const RECOVERY_MS = 30_000;

/** Even a service that refuses everything is asked this often. */
const MIN_PER_SECOND = 0.5;

/** What a 429 leaves of the rate, and what every good answer adds to it (requests per second). */
const DECREASE = 0.75;
const INCREASE = 0.5;

/**
 * So many requests start in one turn of the event loop. Answers are handled in between, and n8n with
 * its other executions is not held up by a thousand items.
 */
const STARTS_PER_TURN = 4;

/** How many request starts are remembered to tell the rate that was too high. */
const REMEMBERED_STARTS = 500;

/**
 * The rate of all requests of one node run. A limit set by the user is never exceeded. When the
 * service answers 429, the whole run lowers its rate and then adds to it with every good answer
 * (additive increase, multiplicative decrease, as TCP does).
 */
export class Pace {
	private readonly maxPerSecond: number;

	/** Requests per second now; infinite as long as nobody asked for less. */
	private perSecond: number;

	/** The next free slot. */
	private nextMs = 0;

	/** The service asked for silence until then. */
	private closedUntilMs = 0;

	private slowedAtMs = 0;

	/** Refusals since the last good answer. */
	private refusals = 0;

	private startsMs: number[] = [];

	private turns = 0;

	/** Ends when the event loop has come round. */
	private breath: Promise<void> = Promise.resolve();

	constructor(
		private readonly halt: Halt,
		maxRequestsPerSecond = Infinity,
	) {
		this.maxPerSecond = maxRequestsPerSecond;
		this.perSecond = maxRequestsPerSecond;
	}

	/**
	 * Waits for a request's turn. Resolves with the time at which it starts.
	 *
	 * @throws Failure where the service asked for silence until after the deadline
	 */
	async turn(deadlineMs: number): Promise<number> {
		for (;;) {
			this.halt.check();
			if (this.closedUntilMs > Math.max(deadlineMs, Date.now())) throw statusFailure(429, {});
			const slotMs = Math.max(Date.now(), this.nextMs, this.closedUntilMs);
			this.nextMs = slotMs + 1000 / this.perSecond;
			await this.halt.pause(slotMs - Date.now());
			if (++this.turns % STARTS_PER_TURN === 0) {
				this.breath = this.breath.then(() => this.halt.breathe());
			}
			await this.breath;
			// A 429 may have arrived meanwhile; then a later slot is needed.
			if (Date.now() >= this.closedUntilMs) return this.started();
		}
	}

	/**
	 * Slows the run down. A single refusal among good answers lowers the rate; a second one in a row
	 * means that the service is serious, and the whole run keeps the silence that it asked for.
	 *
	 * @param startedMs when the refused request started: those that were under way at the same time
	 * count as one refusal
	 * @param retryAfterMs how long the service asked to stay away
	 */
	slowDown(startedMs: number, retryAfterMs: number): void {
		const nowMs = Date.now();
		this.refusals++;
		if (this.refusals > 1) this.closedUntilMs = Math.max(this.closedUntilMs, nowMs + retryAfterMs);
		if (startedMs < this.slowedAtMs) return;
		this.slowedAtMs = nowMs;
		const lastSecond = this.startsMs.filter((startMs) => startMs > startedMs - 1000).length;
		this.perSecond = Math.max(Math.min(this.perSecond, lastSecond) * DECREASE, MIN_PER_SECOND);
	}

	/** Speeds a slowed-down run up again after a good answer. */
	speedUp(): void {
		this.refusals = 0;
		if (this.perSecond >= this.maxPerSecond) return;
		const recovered = Date.now() - this.slowedAtMs > RECOVERY_MS;
		const faster = recovered ? Infinity : this.perSecond + INCREASE;
		this.perSecond = Math.min(faster, this.maxPerSecond);
	}

	private started(): number {
		const nowMs = Date.now();
		this.startsMs.push(nowMs);
		if (this.startsMs.length > 2 * REMEMBERED_STARTS) {
			this.startsMs = this.startsMs.slice(-REMEMBERED_STARTS);
		}
		return nowMs;
	}
}
