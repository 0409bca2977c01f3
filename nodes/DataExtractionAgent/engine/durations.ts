import { estimateRates, type Ended, type Rates } from './rates';

/** Older jobs say little about a service whose load changes. */
const REMEMBERED_JOBS = 500;

/** Jobs whose durations differ by this share at most are taken to have the same. */
const SAME_SHARE = 0.02;

/** Rates are estimated anew after as many ends as are this share of all jobs. */
const NEWS_SHARE = 0.05;

/** A job that is waited for. */
export interface WaitingJob {
	/** Time elapsed at the last look, which saw it in progress. */
	inProgressMs: number;
}

/** How long the jobs of one node run take, for the schedule of those that are waited for. */
export class Durations {
	private readonly jobs = new Set<WaitingJob>();

	/** The last jobs that ended. */
	private readonly recent: Ended[] = [];

	private longestInProgressMs = 0;

	private shortestDoneMs = Infinity;

	private estimated: Rates | undefined;

	/** Ends since the rates were estimated. */
	private news = 0;

	/** A job has been started, and is waited for. */
	begin(): WaitingJob {
		const job = { inProgressMs: 0 };
		this.jobs.add(job);
		return job;
	}

	/** A job was looked at, and still in progress. */
	inProgress(job: WaitingJob, elapsedMs: number): void {
		job.inProgressMs = elapsedMs;
		this.longestInProgressMs = Math.max(this.longestInProgressMs, elapsedMs);
	}

	/** A job was looked at, and done. */
	done(job: WaitingJob, elapsedMs: number): void {
		this.end(job);
		this.recent.push({ inProgressMs: job.inProgressMs, doneMs: elapsedMs });
		if (this.recent.length > REMEMBERED_JOBS) this.recent.shift();
		this.shortestDoneMs = Math.min(this.shortestDoneMs, elapsedMs);
		this.news++;
	}

	/** A job is waited for no longer, done or not. */
	end(job: WaitingJob): void {
		this.jobs.delete(job);
	}

	/** How many jobs are waited for. */
	get waiting(): number {
		return this.jobs.size;
	}

	/** The duration of every job, as far as is known: none was in progress when another was done. */
	get sameMs(): number | undefined {
		const { longestInProgressMs, shortestDoneMs } = this;
		const differ = longestInProgressMs > shortestDoneMs * (1 + SAME_SHARE);
		return this.recent.length === 0 || differ
			? undefined
			: Math.max(longestInProgressMs, shortestDoneMs);
	}

	/** How likely a job ends when; `undefined` before the first end. */
	get rates(): Rates | undefined {
		const isNew = this.news > (this.recent.length + this.jobs.size) * NEWS_SHARE;
		if (isNew || (this.news > 0 && !this.estimated)) this.estimate();
		return this.estimated;
	}

	private estimate(): void {
		const goingOnMs = Array.from(this.jobs, ({ inProgressMs }) => inProgressMs);
		this.estimated = estimateRates(this.recent, goingOnMs);
		this.news = 0;
		// What is not remembered any more does not count any more.
		const seenMs = [...goingOnMs, ...this.recent.map(({ inProgressMs }) => inProgressMs)];
		this.longestInProgressMs = seenMs.reduce((longest, ms) => Math.max(longest, ms), 0);
		this.shortestDoneMs = Math.min(...this.recent.map(({ doneMs }) => doneMs));
	}
}
