/** The first look comes this long after the start. */
const FIRST_GAP_MS = 1_000;

/** Shortest and longest gap as long as nothing is known about the durations of jobs. */
const MIN_GAP_MS = 600;
const MAX_GAP_MS = 15_000;

/** Early gaps are this share of the time elapsed at most: a short job is seen without much delay. */
const MAX_GAP_SHARE = 0.4;

/** Shortest and longest gap when it is known when jobs like this one tend to be done. */
const MIN_LEARNED_GAP_MS = 400;
const MAX_LEARNED_GAP_MS = 120_000;

/**
 * Gaps vary by this share, so that jobs started together do not ask together: as long as nothing is
 * known widely, so that one of them soon sees an end that the others can learn from.
 */
const JITTER = 0.3;
const LEARNED_JITTER = 0.04;

/** So many estimates must be known before they are trusted; each job gives two. */
const TRUSTED_DURATIONS = 6;

/**
 * What a request is worth, in seconds of delay: this times the square root of the mean duration in
 * seconds. A result after 10 minutes may be seen some seconds late, one after 2 seconds may not.
 */
const REQUEST_PRICE = 0.12;

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
	/** Estimates of how long jobs of this node run took, in ascending order. */
	durationsMs?: readonly number[];
	/** Times elapsed at which jobs of this node run were seen to be done, in ascending order. */
	seenDoneMs?: readonly number[];
}

/**
 * The time until the next look at a result: soon at first, then longer with the time elapsed; by the
 * durations of the jobs that have finished, as soon as there are some. Jittered, capped, never
 * shorter than the service asked for, and cut to the deadline, so that the last look comes just when
 * the wait ends.
 *
 * @param random from 0 to 1
 */
export function nextPollMs(
	{ elapsedMs, leftMs, intervalMs, retryAfterMs = 0, durationsMs = [], seenDoneMs = [] }: PollState,
	random: number,
): number {
	const gapMs =
		intervalMs ??
		learnedGapMs(elapsedMs, durationsMs, random) ??
		Math.min(
			jittered(growingGapMs(elapsedMs), JITTER, random),
			gapToNextEndMs(elapsedMs, seenDoneMs),
		);
	return Math.max(0, Math.min(Math.max(gapMs, retryAfterMs), leftMs));
}

/**
 * Grows with the square root of the time elapsed: where nothing is known of a duration but its order
 * of magnitude, this keeps the number of requests and the delay small at the same time.
 */
function growingGapMs(elapsedMs: number): number {
	if (elapsedMs <= 0) return FIRST_GAP_MS;
	const gapMs = Math.min(elapsedMs * MAX_GAP_SHARE, squareRootMs(elapsedMs));
	return clamp(gapMs, MIN_GAP_MS, MAX_GAP_MS);
}

/** When another job was done, this one may be too. */
function gapToNextEndMs(elapsedMs: number, seenDoneMs: readonly number[]): number {
	const next = seenDoneMs.find((doneMs) => doneMs > elapsedMs);
	return next === undefined ? Infinity : Math.max(next - elapsedMs, MIN_LEARNED_GAP_MS);
}

/** The square root in seconds. */
function squareRootMs(valueMs: number): number {
	return Math.sqrt(valueMs / 1000) * 1000;
}

/**
 * Looks where looking pays. The number of looks and the delay are least together when looks are as
 * dense as the square root of the hazard rate (a result of inspection theory), which is estimated
 * from the known durations: between the k-th and the next of n durations it is 1 / (n - k) per gap.
 *
 * @returns `undefined` where too little is known, or the job takes longer than any before
 */
function learnedGapMs(
	elapsedMs: number,
	durationsMs: readonly number[],
	random: number,
): number | undefined {
	if (durationsMs.length < TRUSTED_DURATIONS) return undefined;
	const first = durationsMs.findIndex((durationMs) => durationMs > elapsedMs);
	if (first < 0) return undefined;
	const meanMs = durationsMs.reduce((sum, durationMs) => sum + durationMs, 0) / durationsMs.length;
	const priceMs = REQUEST_PRICE * squareRootMs(meanMs);

	let looks = 0;
	let fromMs = elapsedMs;
	for (let next = first; next < durationsMs.length; next++) {
		const previousMs = next > 0 ? durationsMs[next - 1] : 0;
		const spanMs = durationsMs[next] - previousMs;
		if (spanMs <= 0) continue;
		const hazard = 1 / ((durationsMs.length - next) * spanMs);
		const looksPerMs = Math.sqrt(hazard / (2 * priceMs));
		const more = (durationsMs[next] - fromMs) * looksPerMs;
		if (looks + more >= 1) {
			const gapMs = fromMs + (1 - looks) / looksPerMs - elapsedMs;
			return clamp(jittered(gapMs, LEARNED_JITTER, random), MIN_LEARNED_GAP_MS, MAX_LEARNED_GAP_MS);
		}
		looks += more;
		fromMs = durationsMs[next];
	}
	// Less than one look is due before the longest known duration: look just after it.
	const gapMs = (durationsMs[durationsMs.length - 1] - elapsedMs) * (1 + LEARNED_JITTER * random);
	return clamp(gapMs, MIN_LEARNED_GAP_MS, MAX_LEARNED_GAP_MS);
}

function jittered(valueMs: number, share: number, random: number): number {
	return valueMs * (1 + share * (2 * random - 1));
}

function clamp(value: number, min: number, max: number): number {
	return Math.min(Math.max(value, min), max);
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
