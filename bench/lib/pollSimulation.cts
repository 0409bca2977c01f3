import { Durations } from '../../nodes/DataExtractionAgent/engine/durations.ts';
import { nextPollMs } from '../../nodes/DataExtractionAgent/engine/schedule.ts';

/** When to look, for the jobs of one run. All times are since the job's start. */
export interface Poller {
	/**
	 * @param looks how often the job was looked at
	 * @param random from 0 to 1
	 * @returns the time from the last look to the next
	 */
	nextMs(elapsedMs: number, looks: number, random: number): number;
	/** A job was in progress at one look and done at the next. Plans for other jobs are made anew. */
	learn?(inProgressMs: number, doneMs: number): void;
}

/** A look every so often. */
export function fixed(intervalMs: number): Poller {
	return { nextMs: () => intervalMs };
}

/** The first look after a second, each further gap so much longer, up to a minute. */
export function exponential(factor: number): Poller {
	return { nextMs: (_, looks) => Math.min(1000 * factor ** looks, 60_000) };
}

/** The package's own schedule. */
export function ours(): Poller {
	const durations = new Durations();
	return {
		nextMs(elapsedMs, _, random) {
			const { sortedMs: durationsMs, seenDoneMs } = durations;
			return nextPollMs({ elapsedMs, leftMs: Infinity, durationsMs, seenDoneMs }, random);
		},
		learn: (inProgressMs, doneMs) => {
			durations.add(inProgressMs, doneMs);
		},
	};
}

/** A waiting job notices within this time that its plan has changed. */
const SLICE_MS = 250;

/** What looking cost, and how late the end of each job was seen. */
export interface Looks {
	requests: number;
	lagsMs: number[];
}

interface Job {
	startMs: number;
	durationMs: number;
	looks: number;
	/** Time of the last look at which it was in progress. */
	seenMs: number;
	nextLookMs: number;
	random: number;
}

/** Runs jobs on a simulated clock, so many at a time, each taking the next duration. */
export function simulate(
	poller: Poller,
	durationsMs: number[],
	atATime: number,
	random: () => number,
): Looks {
	const waiting = durationsMs.values();
	const jobs: Job[] = [];
	const result: Looks = { requests: 0, lagsMs: [] };
	const planned = ({ startMs, seenMs, looks, random: chance }: Job) =>
		startMs + seenMs + poller.nextMs(seenMs, looks, chance);
	const plan = (job: Job) => {
		job.random = random();
		job.nextLookMs = planned(job);
	};
	const start = (startMs: number) => {
		const { value: durationMs } = waiting.next();
		if (durationMs === undefined) return;
		const job = { startMs, durationMs, looks: 0, seenMs: 0, nextLookMs: 0, random: 0 };
		plan(job);
		jobs.push(job);
	};
	for (let slot = 0; slot < atATime; slot++) start(0);
	while (jobs.length > 0) {
		const job = jobs.reduce((first, one) => (one.nextLookMs < first.nextLookMs ? one : first));
		const nowMs = job.nextLookMs;
		const elapsedMs = nowMs - job.startMs;
		result.requests++;
		job.looks++;
		if (elapsedMs < job.durationMs) {
			job.seenMs = elapsedMs;
			plan(job);
			continue;
		}
		result.lagsMs.push(elapsedMs - job.durationMs);
		jobs.splice(jobs.indexOf(job), 1);
		if (poller.learn) {
			poller.learn(job.seenMs, elapsedMs);
			for (const other of jobs) {
				const anewMs = planned(other);
				const noticedMs = Math.max(anewMs, nowMs + random() * SLICE_MS);
				other.nextLookMs =
					anewMs > nowMs + SLICE_MS ? anewMs : Math.min(other.nextLookMs, noticedMs);
			}
		}
		start(nowMs);
	}
	return result;
}
