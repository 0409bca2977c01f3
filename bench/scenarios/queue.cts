import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadLibrary, packProject } from '../lib/e2e.cts';
import { saveResults, settingOf } from '../lib/results.cts';
import { startService } from '../lib/service.cts';
import { rounded } from '../lib/statistics.cts';
import { CREDENTIAL } from '../lib/subjects.cts';

/** All executions with so many workers. */
export interface QueueRow {
	workers: number;
	executions: number;
	seconds: number;
	executionsPerSecond: number;
	requestsPerExecution: number;
}

const JOB_MS = 1_000;
/** More than two workers take at once, so that both always have something to do. */
const CALLS_AT_A_TIME = 60;

/** Webhook executions in queue mode, each with one job, worked on by one worker and by two. */
export async function measureQueue(executions: number): Promise<void> {
	const lib = await loadLibrary();
	const [target] = lib.targets;
	const folder = mkdtempSync(join(tmpdir(), 'bench-queue-'));
	const cleanups: (() => unknown)[] = [];
	const service = await startService({ jobDurationMs: JOB_MS });
	const rows: QueueRow[] = [];
	try {
		const { name, version, tarball } = await packProject(folder);
		const { n8n, addWorker } = await lib.startQueue({
			release: target,
			programs: {
				node: await lib.installNode(target.node),
				script: await lib.installN8n(target),
			},
			system: await lib.systemPrograms(['redis', 'postgres']),
			project: resolve('.'),
			folder,
			tarball,
			version,
			cleanups,
		});
		const first = await addWorker('worker-1');
		await n8n.rest('POST', '/community-packages', { name, version });
		await first.hasInstalled(name);
		const credential = await n8n.rest('POST', '/credentials', {
			name: 'Bench',
			type: CREDENTIAL,
			data: { baseUrl: service.origin, accessToken: service.token },
		});
		const workflow = lib.oneNodeWorkflow({ name, credential }, 'bench', 'lastNode');
		const { call } = await lib.publish(n8n, workflow);
		const url = `${service.origin}/pages/coffee-grinder.html`;
		for (const workers of [1, 2]) {
			if (workers === 2) await addWorker('worker-2');
			// Loads the node in every worker.
			await inParallel(CALLS_AT_A_TIME, CALLS_AT_A_TIME, () => call({ url }));
			await service.report();
			const startedMs = performance.now();
			await inParallel(executions, CALLS_AT_A_TIME, () => call({ url }));
			const seconds = (performance.now() - startedMs) / 1000;
			const { requests } = await service.report();
			rows.push({
				workers,
				executions,
				seconds: rounded(seconds, 1),
				executionsPerSecond: rounded(executions / seconds, 1),
				requestsPerExecution: rounded(requests / executions, 2),
			});
		}
	} finally {
		for (const cleanUp of cleanups) await cleanUp();
		service.stop();
		rmSync(folder, { recursive: true, force: true });
	}
	console.table(rows);
	const setting = { ...settingOf(), jobMs: JOB_MS, n8n: target.version };
	saveResults('queue', { setting, rows });
}

async function inParallel(count: number, atATime: number, work: () => Promise<unknown>) {
	let begun = 0;
	const takeTurns = async () => {
		while (begun++ < count) await work();
	};
	await Promise.all(Array.from({ length: Math.min(atATime, count) }, takeTurns));
}
