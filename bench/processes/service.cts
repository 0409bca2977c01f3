import { startSimulator } from '../../simulator/server.cts';
import type { Job } from '../../simulator/jobs.cts';

/** How the service is to behave. */
export interface ServiceTask {
	/** How long jobs take; of several, each job takes the next. */
	jobDurationMs: number | number[];
}

/** The service's first message. */
export interface ServiceAddress {
	origin: string;
	token: string;
}

/** What the service has seen; sent in answer to any message, which also makes it forget. */
export interface ServiceReport {
	requests: number;
	starts: number;
	/** For each job, the time between its end and the look that saw it, in milliseconds. */
	lagsMs: number[];
}

async function main({ jobDurationMs }: ServiceTask): Promise<void> {
	let started = 0;
	const simulator = await startSimulator({
		pagesDirectory: 'examples/inputs/pages',
		jobDurationMs: Array.isArray(jobDurationMs)
			? () => jobDurationMs[started++ % jobDurationMs.length]
			: jobDurationMs,
	});
	const { ledger, jobs, origin, token } = simulator;
	process.on('message', () => {
		const { starts } = ledger;
		const entries = ledger.entries.filter(({ operation }) => operation !== 'page');
		const byId = new Map<string, Job>(jobs.list.map((job) => [job.id, job]));
		const lagsMs = new Map<string, number>();
		for (const { at, method, path } of entries) {
			const job = method === 'GET' ? byId.get(path.split('/').at(-1) ?? '') : undefined;
			const lagMs = job && at - job.acceptedAtMs - job.durationMs;
			if (job && lagMs !== undefined && lagMs >= 0 && !lagsMs.has(job.id)) {
				lagsMs.set(job.id, lagMs);
			}
		}
		const report: ServiceReport = {
			requests: entries.length,
			starts: starts.length,
			lagsMs: [...lagsMs.values()],
		};
		ledger.clear();
		process.send?.(report);
	});
	process.on('disconnect', () => process.exit());
	process.send?.({ origin, token } satisfies ServiceAddress);
}

void main(JSON.parse(process.argv[2]) as ServiceTask);
