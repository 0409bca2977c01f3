import type { Durations } from './durations';
import type { Rates } from './rates';

/** The first look at a job that is alone comes this long after its start. */
const FIRST_GAP_MS = 1_000;

/**
 * As long as nothing is known about the durations of jobs, a job that is alone is looked at this
 * often at first, then seldom, and at last this often.
 */
const EARLY_GAP_MS = 480;
const EARLY_MS = 5_000;
const MAX_ALONE_GAP_MS = 15_000;

/** Jobs that learn from each other are looked at less often, within these bounds. */
const MAX_EARLY_GAP_MS = 4_800;
const MAX_GAP_MS = 30_000;
const MAX_GAP_SHARE = 0.7;

/** Shortest and longest gap when it is known when jobs like this one tend to be done. */
const MIN_LEARNED_GAP_MS = 250;
const MAX_LEARNED_GAP_MS = 120_000;

/** Beyond all that is known, the next look comes when the time known is exceeded by this share. */
const BEYOND_SHARE = 0.4;

/**
 * Gaps vary by this share, so that jobs started together do not ask together: as long as nothing is
 * known widely, so that one of them soon sees an end that the others can learn from.
 */
const JITTER = 0.3;
const LEARNED_JITTER = 0.04;

/** Looks at jobs that take equally long are spread over this time. */
const SPREAD_MS = 100;

/**
 * What a request is worth, in seconds of delay: this times the square root of the mean duration in
 * seconds. A result after 10 minutes may be seen some seconds late, one after 2 seconds may not.
 */
const REQUEST_PRICE = 0.09;

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
	/** What is known of the jobs of this node run. */
	known?: Known;
}

/** What the jobs of a node run know of each other. */
export type Known = Pick<Durations, 'waiting' | 'sameMs' | 'rates'>;

/**
 * The time until the next look at a result: soon at first, then longer with the time elapsed; by the
 * durations of the jobs that have finished, as soon as there are some. Jittered, capped, never
 * shorter than the service asked for, and cut to the deadline, so that the last look comes just when
 * the wait ends.
 *
 * @param random from 0 to 1
 */
export function nextPollMs(
	{ elapsedMs, leftMs, intervalMs, retryAfterMs = 0, known }: PollState,
	random: number,
): number {
	const gapMs = intervalMs ?? adaptiveGapMs(elapsedMs, known, random);
	return Math.max(0, Math.min(Math.max(gapMs, retryAfterMs), leftMs));
}

function adaptiveGapMs(elapsedMs: number, known: Known | undefined, random: number): number {
	const { waiting, sameMs = 0, rates } = known ?? {};
	if (!rates) {
		if (elapsedMs <= 0) return firstGapMs(random, waiting);
		// A job that is alone has none to keep away from.
		const share = waiting === 1 ? LEARNED_JITTER : JITTER;
		return jittered(growingGapMs(elapsedMs, waiting), share, random);
	}
	const gapMs = learnedGapMs(elapsedMs, rates, random);
	const toSameMs = sameMs + SPREAD_MS * random - elapsedMs;
	return clamp(
		sameMs > elapsedMs ? Math.min(gapMs, toSameMs) : gapMs,
		MIN_LEARNED_GAP_MS,
		MAX_LEARNED_GAP_MS,
	);
}

/**
 * Grows with the square root of the time elapsed: where nothing is known of a duration but its order
 * of magnitude, this keeps the number of requests and the delay small at the same time. It grows
 * with the square root of the number of jobs, too, as one end tells all of them when to look.
 */
function growingGapMs(elapsedMs: number, waiting = 1): number {
	const fewer = Math.sqrt(waiting);
	if (elapsedMs < EARLY_MS) return Math.min(EARLY_GAP_MS * fewer, MAX_EARLY_GAP_MS);
	const aloneMs = Math.min(squareRootMs(elapsedMs), MAX_ALONE_GAP_MS);
	return Math.min(aloneMs * fewer, elapsedMs * MAX_GAP_SHARE, MAX_GAP_MS);
}

/** Of many jobs only some are looked at early: when one of them is done, the others plan anew. */
function firstGapMs(random: number, waiting = 1): number {
	const latestMs = Math.min(FIRST_GAP_MS * Math.sqrt(waiting), MAX_GAP_MS);
	return FIRST_GAP_MS + (latestMs - FIRST_GAP_MS) * random;
}

/** The square root in seconds. */
function squareRootMs(valueMs: number): number {
	return Math.sqrt(valueMs / 1000) * 1000;
}

/**
 * Looks where looking pays. The number of looks and the squares of the delays are least together
 * when looks are as dense as the cube root of the rate at which jobs end (a result of inspection
 * theory; with the square root, the delays themselves are, by next to nothing, and late ones later).
 */
function learnedGapMs(elapsedMs: number, { pieces, meanMs }: Rates, random: number): number {
	const priceMs = REQUEST_PRICE * squareRootMs(meanMs);
	const gapMs = (piece: number) =>
		Math.sqrt(2 * priceMs * meanMs) / Math.cbrt(pieces[piece].endsPerMs * meanMs);
	const last = pieces.length - 1;
	const knownMs = pieces[last].untilMs;

	let piece = 0;
	while (piece < last && pieces[piece].untilMs <= elapsedMs) piece++;
	let looks = 0;
	let ends = 0;
	let fromMs = elapsedMs;
	for (; pieces[piece].untilMs > fromMs; piece++) {
		const { untilMs, endsPerMs } = pieces[piece];
		const more = (untilMs - fromMs) / gapMs(piece);
		if (looks + more >= 1) break;
		looks += more;
		ends += endsPerMs * (untilMs - fromMs);
		fromMs = untilMs;
		// Where many end in a short time, a look just after it saves more delay than it is worth.
		const savedMs = (1 - Math.exp(-ends)) * (1 - looks) * gapMs(Math.min(piece + 1, last));
		if (savedMs > priceMs) return fromMs - elapsedMs + SPREAD_MS * random;
		if (piece === last) break;
	}
	const nextMs = fromMs + (1 - looks) * gapMs(piece) - elapsedMs;
	if (elapsedMs + nextMs <= knownMs) return jittered(nextMs, LEARNED_JITTER, random);
	// No job was seen to take so long.
	const atLeastMs = elapsedMs < knownMs ? 0 : growingGapMs(elapsedMs);
	const atMostMs = Math.max(elapsedMs, knownMs) * (1 + BEYOND_SHARE) - elapsedMs;
	return jittered(Math.min(Math.max(nextMs, atLeastMs), atMostMs), JITTER, random);
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
