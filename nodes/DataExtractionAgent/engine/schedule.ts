/** First and shortest gap between two looks at a result. */
const MIN_GAP_MS = 1_000;

/** Longest gap. */
const MAX_GAP_MS = 15_000;

/** The gap as a share of the time that the job has taken so far. */
const GROWTH = 0.25;

/** Gaps vary by this share, so that jobs started together do not ask together. */
const JITTER = 0.1;

/** What decides when to ask next. */
export interface PollState {
	/** Time since the job started. */
	elapsedMs: number;
	/** Time until the wait ends. */
	leftMs: number;
	/** Fixed gap chosen by the user. */
	intervalMs?: number;
	/** Shortest gap that the service asked for with `Retry-After`. */
	retryAfterMs?: number;
}

/**
 * The time until the next look at a result: soon at first, then longer with the time elapsed,
 * jittered and capped. It is cut to the deadline, so that the last look comes just when the wait ends.
 *
 * @param random from 0 to 1
 */
export function nextPollMs(
	{ elapsedMs, leftMs, intervalMs, retryAfterMs = 0 }: PollState,
	random: number,
): number {
	const adaptiveMs =
		Math.min(Math.max(elapsedMs * GROWTH, MIN_GAP_MS), MAX_GAP_MS) *
		(1 + JITTER * (2 * random - 1));
	return Math.max(0, Math.min(Math.max(intervalMs ?? adaptiveMs, retryAfterMs), leftMs));
}

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/**
 * The time until a failed request is repeated: doubling, jittered between half and whole.
 *
 * @param tries how often it failed, from 1
 * @param random from 0 to 1
 */
export function backoffMs(tries: number, random: number): number {
	const fullMs = Math.min(FIRST_BACKOFF_MS * 2 ** (tries - 1), MAX_BACKOFF_MS);
	return fullMs * (0.5 + random / 2);
}

/**
 * `Retry-After` in either form, seconds or an HTTP date (RFC 9110, 10.2.3).
 *
 * @returns the time to wait; 0 where the header is absent, unreadable or in the past
 */
export function retryAfterMs(header: unknown, nowMs: number): number {
	const text = String(Array.isArray(header) ? header[0] : (header ?? '')).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	const atMs = Date.parse(text);
	return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}
