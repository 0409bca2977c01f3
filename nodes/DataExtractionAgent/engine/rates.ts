/** Of the time between the last look in progress and the one that saw it done, this much counts. */
const INNER_SHARE = 0.5;

/** Two rates are told apart if they make what was seen more likely by this factor's logarithm. */
const MIN_LIKELIHOOD_GAIN = 2.5;

/** Where no end was seen, half of one may have been missed. */
const UNSEEN_ENDS = 0.5;

/** A job that ended: time elapsed when it was last seen in progress, and when it was seen done. */
export interface Ended {
	inProgressMs: number;
	doneMs: number;
}

/** How likely a job ends when. */
export interface Rates {
	/** In ascending order; the last one stands for all later times. */
	pieces: readonly Piece[];
	meanMs: number;
}

/** A time in a job's life in which its end is equally likely at any moment. */
export interface Piece {
	/** Time elapsed at which the piece ends. */
	untilMs: number;
	/** How many of the jobs that reach a millisecond of it end in that millisecond. */
	endsPerMs: number;
}

/**
 * Every end is spread over the time in which it may have been; every job counts as long as it was
 * seen in progress, those that go on too: the first ends alone are those of short jobs.
 *
 * @param goingOnMs time elapsed when each job that goes on was last seen in progress
 */
export function estimateRates(ended: readonly Ended[], goingOnMs: readonly number[]): Rates {
	const spans = ended.map(({ inProgressMs, doneMs }) => {
		const marginMs = ((doneMs - inProgressMs) * (1 - INNER_SHARE)) / 2;
		const fromMs = inProgressMs + marginMs;
		return { fromMs, toMs: Math.max(doneMs - marginMs, fromMs + 1) };
	});
	// What begins or ends at a time changes how many ends there are in each millisecond after it.
	const changes = [
		...spans.flatMap(({ fromMs, toMs }) => [
			{ atMs: fromMs, ends: 1 / (toMs - fromMs), jobs: 0 },
			{ atMs: toMs, ends: -1 / (toMs - fromMs), jobs: 0 },
		]),
		...goingOnMs.map((atMs) => ({ atMs, ends: 0, jobs: -1 })),
	].sort((a, b) => a.atMs - b.atMs);

	const seen: Seen[] = [{ atMs: 0, ends: 0, jobMs: 0 }];
	let jobs = ended.length + goingOnMs.length;
	let endsPerMs = 0;
	for (const change of changes) {
		const last = seen[seen.length - 1];
		const spanMs = change.atMs - last.atMs;
		if (spanMs > 0) {
			const ends = endsPerMs * spanMs;
			const jobMs = (jobs - ends / 2) * spanMs;
			seen.push({ atMs: change.atMs, ends: last.ends + ends, jobMs: last.jobMs + jobMs });
			jobs -= ends;
		}
		endsPerMs = Math.max(0, endsPerMs + change.ends);
		jobs += change.jobs;
	}
	const { jobMs } = seen[seen.length - 1];
	return { pieces: split(seen), meanMs: jobMs / (ended.length + UNSEEN_ENDS) };
}

/** Up to a time elapsed, added up over all jobs: how many ended, and how long they were at risk. */
interface Seen {
	atMs: number;
	ends: number;
	jobMs: number;
}

/** Cuts where the rates before and after differ most, and again, as long as they clearly do. */
function split(seen: Seen[]): Piece[] {
	const [first, last] = [seen[0], seen[seen.length - 1]];
	const whole = likelihood(first, last);
	let bestGain = MIN_LIKELIHOOD_GAIN;
	let best = 0;
	for (let cut = 1; cut < seen.length - 1; cut++) {
		const gain = likelihood(first, seen[cut]) + likelihood(seen[cut], last) - whole;
		if (gain > bestGain) [bestGain, best] = [gain, cut];
	}
	if (best > 0) return [...split(seen.slice(0, best + 1)), ...split(seen.slice(best))];
	const ends = Math.max(last.ends - first.ends, UNSEEN_ENDS);
	return [{ untilMs: last.atMs, endsPerMs: ends / (last.jobMs - first.jobMs) }];
}

/** Logarithm of the likelihood of so many ends, at the rate that makes them most likely. */
function likelihood(from: Seen, to: Seen): number {
	const ends = to.ends - from.ends;
	return ends > 0 ? ends * Math.log(ends / (to.jobMs - from.jobMs)) : 0;
}
