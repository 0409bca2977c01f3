import { resolve } from 'node:path';
import type { Durations } from '../../nodes/DataExtractionAgent/engine/durations.ts';
import type { PollState } from '../../nodes/DataExtractionAgent/engine/schedule.ts';

/** The built engine's own modules, which is what users run. */
const engine = resolve('dist/nodes/DataExtractionAgent/engine');
const { nextPollMs } = require(resolve(engine, 'schedule.js')) as {
	nextPollMs(state: PollState, random: number): number;
};
const { Durations: DurationsClass } = require(resolve(engine, 'durations.js')) as {
	Durations: new () => Durations;
};

/** When to look, for the jobs of one run. All times are since the job's start. */
export interface Poller {
	/**
	 * @param looks how often the job was looked at
	 * @returns the time until the next look
	 */
	nextMs(elapsedMs: number, looks: number): number;
	/** A job was in progress at one look and done at the next. */
	done?(inProgressMs: number, doneMs: number): void;
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
export function ours(random: () => number): Poller {
	const durations = new DurationsClass();
	return {
		nextMs: (elapsedMs) =>
			nextPollMs({ elapsedMs, leftMs: Infinity, durationsMs: durations.sortedMs }, random()),
		done: (inProgressMs, doneMs) => {
			durations.add(inProgressMs, doneMs);
		},
	};
}

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
}

/** Runs jobs on a simulated clock, so many at a time, each taking the next duration. */
export function simulate(poller: Poller, durationsMs: number[], atATime: number): Looks {
	const waiting = durationsMs.values();
	const jobs: Job[] = [];
	const result: Looks = { requests: 0, lagsMs: [] };
	const start = (startMs: number) => {
		const { value: durationMs } = waiting.next();
		if (durationMs === undefined) return;
		const nextLookMs = startMs + poller.nextMs(0, 0);
		jobs.push({ startMs, durationMs, looks: 0, seenMs: 0, nextLookMs });
	};
	for (let slot = 0; slot < atATime; slot++) start(0);
	while (jobs.length > 0) {
		const job = jobs.reduce((first, one) => (one.nextLookMs < first.nextLookMs ? one : first));
		const elapsedMs = job.nextLookMs - job.startMs;
		result.requests++;
		job.looks++;
		if (elapsedMs < job.durationMs) {
			job.seenMs = elapsedMs;
			job.nextLookMs += poller.nextMs(elapsedMs, job.looks);
			continue;
		}
		result.lagsMs.push(elapsedMs - job.durationMs);
		poller.done?.(job.seenMs, elapsedMs);
		jobs.splice(jobs.indexOf(job), 1);
		start(job.nextLookMs);
	}
	return result;
}
