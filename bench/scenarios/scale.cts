import { runProcess } from '../lib/children.cts';
import type { Cost } from '../lib/probe.cts';
import { saveResults, settingOf } from '../lib/results.cts';
import { startService } from '../lib/service.cts';
import { median, rounded } from '../lib/statistics.cts';
import { ourNode, startJobs } from '../lib/subjects.cts';
import type { EngineTask } from '../processes/engineRun.cts';

/** Medians for one number of items. */
export interface ScaleRow {
	items: number;
	runs: number;
	wallSeconds: number;
	cpuSeconds: number;
	growthMb: number;
	requestsPerItem: number;
}

const JOB_MS = 1_000;
const MAX_CONCURRENT_JOBS = 1_000;

/** How time, memory and requests grow with the number of items that each start a job and wait. */
export async function measureScale(sizes: { items: number; runs: number }[]): Promise<void> {
	const rows: ScaleRow[] = [];
	for (const { items, runs } of sizes) {
		const costs: Cost[] = [];
		const requests: number[] = [];
		for (let run = 0; run < runs; run++) {
			const service = await startService({ jobDurationMs: JOB_MS });
			try {
				const { origin, token } = service;
				const node = ourNode(startJobs(MAX_CONCURRENT_JOBS));
				const task: EngineTask = { node, items, warmUpItems: 1, origin, token };
				costs.push(await runProcess<Cost>('engineRun', task));
				const report = await service.report();
				requests.push(report.requests / report.starts);
			} finally {
				service.stop();
			}
		}
		rows.push({
			items,
			runs,
			wallSeconds: rounded(median(costs.map(({ wallMs }) => wallMs)) / 1000, 2),
			cpuSeconds: rounded(median(costs.map(({ cpuMs }) => cpuMs)) / 1000, 2),
			growthMb: rounded(median(costs.map(({ growthBytes }) => growthBytes)) / 1e6, 1),
			requestsPerItem: rounded(median(requests), 2),
		});
	}
	console.table(rows);
	const setting = {
		...settingOf(),
		jobMs: JOB_MS,
		maxConcurrentJobs: MAX_CONCURRENT_JOBS,
	};
	saveResults('scale', { setting, rows });
}
