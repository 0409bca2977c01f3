import { setTimeout as sleep } from 'node:timers/promises';
import { runProcess } from '../lib/children.cts';
import type { Cost } from '../lib/probe.cts';
import { recipe, withOurNode } from '../lib/recipe.cts';
import { saveResults, settingOf } from '../lib/results.cts';
import { startService } from '../lib/service.cts';
import { median, rounded } from '../lib/statistics.cts';
import { ourNode, startJobs } from '../lib/subjects.cts';
import { startWholeN8n } from '../lib/wholeN8n.cts';
import type { EngineTask } from '../processes/engineRun.cts';

/** Medians for one way of working on so many items. */
export interface FanOutRow {
	way: string;
	items: number;
	/** 0 where the value is calculated from smaller runs. */
	runs: number;
	seconds: number;
	/** Divided by what is possible at this concurrency: full rounds of one job and two round trips. */
	toLimit: number;
	/** Requests per item; absent where calculated. */
	requestsPerItem?: number;
}

/** How much is measured. */
export interface FanOutPlan {
	jobMs: number;
	sizes: number[];
	runs: number;
	/** The most items that the sequential node is given; beyond, its time is calculated. */
	mostSequential: number;
	/** Items that our node gets without any setting, beyond those that take no minute. */
	mostDefault: number;
}

const DEFAULT_CONCURRENCY = 10;
const INTERVAL_SECONDS = 2;

/** Many items with equally long jobs: ours, one after the other, and n8n without a package. */
export async function measureFanOut(plan: FanOutPlan): Promise<void> {
	const limitSeconds = await measureLimit(plan);
	const rows: FanOutRow[] = [];
	const add = (
		way: string,
		items: number,
		concurrency: number,
		seconds: number[],
		requestsPerItem?: number,
	) => {
		const middle = median(seconds);
		rows.push({
			way,
			items,
			runs: requestsPerItem === undefined ? 0 : seconds.length,
			seconds: rounded(middle, 2),
			toLimit: rounded(middle / (Math.ceil(items / concurrency) * limitSeconds), 2),
			...(requestsPerItem !== undefined && { requestsPerItem: rounded(requestsPerItem, 2) }),
		});
	};
	const inEngine = async (
		way: string,
		node: EngineTask['node'],
		items: number,
		concurrency: number,
		runs: number,
	) => {
		const seconds: number[] = [];
		let requests = 0;
		for (let run = 0; run < runs; run++) {
			const measured = await runInEngine(plan.jobMs, node, items);
			seconds.push(measured.seconds);
			requests += measured.requestsPerJob / runs;
		}
		add(way, items, concurrency, seconds, requests);
	};

	// Nearly idle for many minutes, so the others are measured meanwhile.
	const byDefault = inEngine(
		'ours, default',
		ourNode(startJobs(undefined)),
		plan.mostDefault,
		DEFAULT_CONCURRENCY,
		1,
	);
	for (const items of plan.sizes) {
		await inEngine('ours, all at once', ourNode(startJobs(items)), items, items, plan.runs);
		if (items < plan.mostDefault) {
			await inEngine('ours, default', ourNode(startJobs(undefined)), items, DEFAULT_CONCURRENCY, 1);
		}
		if (items > 100) {
			await inEngine('ours, 100 at a time', ourNode(startJobs(100)), items, 100, 1);
		}
		if (items <= plan.mostSequential) {
			await inEngine('sequential', sequential, items, 1, 1);
		} else {
			const last = rows.filter(({ way }) => way === 'sequential').at(-1);
			add('sequential', items, 1, [((last?.seconds ?? NaN) / (last?.items ?? NaN)) * items]);
		}
	}
	const version = await measureWhole(plan, (way, items, seconds, requests) => {
		add(way, items, items, seconds, requests);
	});
	await byDefault;
	rows.sort((a, b) => a.way.localeCompare(b.way) || a.items - b.items);
	console.table(rows);
	saveResults('fanOut', {
		setting: {
			...settingOf(),
			jobMs: plan.jobMs,
			limitSeconds,
			intervalSeconds: INTERVAL_SECONDS,
			wholeN8n: version,
		},
		rows,
	});
}

const sequential = {
	name: 'Subject',
	type: 'bench.sequential',
	typeVersion: 1,
	parameters: { intervalSeconds: INTERVAL_SECONDS },
};

/** One job's duration and two round trips, by hand. */
async function measureLimit({ jobMs, runs }: FanOutPlan): Promise<number> {
	const service = await startService({ jobDurationMs: jobMs });
	const headers = { authorization: `Bearer ${service.token}` };
	const seconds: number[] = [];
	try {
		for (let run = 0; run < runs; run++) {
			const startedMs = performance.now();
			const url = `${service.origin}/api/v2/document`;
			const start = await fetch(`${url}/start`, { method: 'POST', headers });
			const { result } = (await start.json()) as { result: { id: string } };
			await sleep(jobMs);
			await (await fetch(`${url}/result/${result.id}`, { headers })).json();
			seconds.push((performance.now() - startedMs) / 1000);
		}
	} finally {
		service.stop();
	}
	return rounded(median(seconds), 3);
}

async function runInEngine(jobDurationMs: number, node: EngineTask['node'], items: number) {
	const service = await startService({ jobDurationMs });
	try {
		const { origin, token } = service;
		const { wallMs } = await runProcess<Cost>('engineRun', {
			node,
			items,
			// An n8n at work has loaded the node.
			warmUpItems: 1,
			origin,
			token,
		} satisfies EngineTask);
		const { requests, starts } = await service.report();
		return { seconds: wallMs / 1000, requestsPerJob: requests / starts };
	} finally {
		service.stop();
	}
}

/** The recipe and our node by turns in one n8n. @returns its version */
async function measureWhole(
	{ jobMs, sizes, runs }: FanOutPlan,
	add: (way: string, items: number, seconds: number[], requestsPerItem: number) => void,
): Promise<string> {
	const n8n = await startWholeN8n();
	const service = await startService({ jobDurationMs: jobMs });
	try {
		await n8n.use(service);
		const ways = {
			'whole n8n, ours': (items: number) => withOurNode(items, items),
			'whole n8n, without a package': (items: number) =>
				recipe(service.origin, items, INTERVAL_SECONDS),
		};
		// The first execution loads the nodes.
		for (const workflow of Object.values(ways)) await n8n.run(workflow(1));
		await service.report();
		for (const items of sizes) {
			const measured = Object.keys(ways).map((way) => ({
				way,
				seconds: [] as number[],
				requests: 0,
			}));
			for (let run = 0; run < runs; run++) {
				for (const [index, workflow] of Object.values(ways).entries()) {
					measured[index].seconds.push(await n8n.run(workflow(items)));
					measured[index].requests += (await service.report()).requests / runs / items;
				}
			}
			for (const { way, seconds, requests } of measured) add(way, items, seconds, requests);
		}
		return n8n.version;
	} finally {
		service.stop();
		await n8n.stop();
	}
}
