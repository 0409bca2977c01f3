import type { Activity, Service } from './service.cts';
import { count } from './text.cts';

/** Where the demo prints; the part of `process.stdout` that it needs. */
export interface Screen {
	write(text: string): unknown;
	isTTY?: boolean;
	columns?: number;
}

const refreshMs = 100;
const clearLine = '\r\u001b[K';
const nothing: Activity = { jobsStarted: 0, jobsDone: 0, polls: 0, requests: 0 };

/**
 * Shows how one workflow goes on, until the returned function ends it: one line that changes on a
 * terminal, and elsewhere a line for each change of the jobs.
 */
export function showProgress(screen: Screen, name: string, service: Service) {
	const startedAt = Date.now();
	const before = service.activity?.() ?? nothing;
	const seconds = () => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
	const isLive = screen.isTTY === true;
	let shown = '';

	const refresh = () => {
		const now = since(before, service.activity?.());
		if (isLive) {
			const line = `  … ${name}: ${[...parts(now), seconds()].join(', ')}`;
			// A line that the terminal breaks could not be taken back; some report a width of 0.
			screen.write(clearLine + line.slice(0, (screen.columns || 80) - 1));
		} else if (now !== undefined && now.jobsStarted > 0) {
			const jobs = jobsOf(now);
			if (jobs !== shown) screen.write(`  … ${name}: ${jobs}\n`);
			shown = jobs;
		}
	};
	if (!isLive && service.activity === undefined) screen.write(`  … ${name}: running\n`);
	const timer = setInterval(refresh, refreshMs);

	return (mark: string) => {
		clearInterval(timer);
		const facts = [...parts(since(before, service.activity?.())), seconds()].join(', ');
		screen.write(`${isLive ? clearLine : ''}  ${mark} ${name}: ${facts}\n`);
	};
}

function since(before: Activity, now?: Activity): Activity | undefined {
	return (
		now && {
			jobsStarted: now.jobsStarted - before.jobsStarted,
			jobsDone: now.jobsDone - before.jobsDone,
			polls: now.polls - before.polls,
			requests: now.requests - before.requests,
		}
	);
}

function parts(activity?: Activity): string[] {
	return activity === undefined ? [] : [jobsOf(activity), count(activity.polls, 'poll')];
}

function jobsOf({ jobsStarted, jobsDone }: Activity): string {
	const started = `${count(jobsStarted, 'job')} started`;
	return jobsStarted === 0 ? started : `${started}, ${String(jobsDone)} done`;
}
