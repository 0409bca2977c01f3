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
	/** Learns from the looks at a job. Plans for other jobs are made anew. */
	watch?(): Watcher;
}

/** Is told what the looks at one job saw. */
export interface Watcher {
	inProgress(elapsedMs: number): void;
	done(elapsedMs: number): void;
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
	const known = new Durations();
	return {
		nextMs: (elapsedMs, _, random) => nextPollMs({ elapsedMs, leftMs: Infinity, known }, random),
		watch() {
			const job = known.begin();
			return {
				inProgress: (elapsedMs) => {
					known.inProgress(job, elapsedMs);
				},
				done: (elapsedMs) => {
					known.done(job, elapsedMs);
				},
			};
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
	watcher?: Watcher;
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
	const planOthersAnew = (job: Job, nowMs: number) => {
		for (const other of jobs) {
			const noticedMs = nowMs + random() * SLICE_MS;
			if (other === job || other.nextLookMs <= noticedMs) continue;
			other.nextLookMs = Math.max(planned(other), noticedMs);
		}
	};
	const start = (startMs: number) => {
		const { value: durationMs } = waiting.next();
		if (durationMs === undefined) return;
		const watcher = poller.watch?.();
		const job = { startMs, durationMs, looks: 0, seenMs: 0, nextLookMs: 0, random: 0, watcher };
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
		const done = elapsedMs >= job.durationMs;
		job.watcher?.[done ? 'done' : 'inProgress'](elapsedMs);
		if (job.watcher) planOthersAnew(job, nowMs);
		if (!done) {
			job.seenMs = elapsedMs;
			plan(job);
			continue;
		}
		result.lagsMs.push(elapsedMs - job.durationMs);
		jobs.splice(jobs.indexOf(job), 1);
		start(nowMs);
	}
	return result;
}
