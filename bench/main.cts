import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { engineMajor } from './lib/results.cts';
import { installRelease } from './lib/e2e.cts';
import { measureFanOut } from './scenarios/fanOut.cts';
import { measureLoad } from './scenarios/load.cts';
import { measureOverhead } from './scenarios/overhead.cts';
import { measurePolling } from './scenarios/polling.cts';
import { measureQueue } from './scenarios/queue.cts';
import { measureScale } from './scenarios/scale.cts';
import { measureUploads } from './scenarios/upload.cts';

const scenarios: Record<string, (quick: boolean) => Promise<void>> = {
	polling: (quick) => measurePolling(quick ? 1 : 10, quick ? 10 : 60),
	load: (quick) => measureLoad(quick ? 2 : 25),
	scale: (quick) =>
		measureScale(
			quick
				? [
						{ items: 10, runs: 1 },
						{ items: 100, runs: 1 },
					]
				: [
						{ items: 10, runs: 5 },
						{ items: 100, runs: 5 },
						{ items: 1_000, runs: 3 },
						{ items: 10_000, runs: 1 },
					],
		),
	queue: (quick) => measureQueue(quick ? 20 : 300),
	fanOut: (quick) =>
		measureFanOut(
			quick
				? { jobMs: 1_000, sizes: [1, 10], runs: 1, mostSequential: 1, mostDefault: 20 }
				: {
						jobMs: 5_000,
						sizes: [1, 10, 100, 1_000],
						runs: 3,
						mostSequential: 10,
						mostDefault: 1_000,
					},
		),
	overhead: (quick) =>
		measureOverhead(
			quick
				? [{ items: 200, atATime: 10, runs: 1 }]
				: [
						{ items: 1_000, atATime: 1_000, runs: 11 },
						{ items: 10_000, atATime: 10_000, runs: 3 },
						{ items: 1_000, atATime: 10, runs: 7 },
						{ items: 10_000, atATime: 100, runs: 3 },
					],
		),
	uploadOneGb: () => measureUploads([{ megabytes: 1_000, runs: 3 }]),
	upload: (quick) =>
		measureUploads(
			quick
				? [{ megabytes: 1, runs: 1 }]
				: [
						{ megabytes: 1, runs: 15 },
						{ megabytes: 200, runs: 3 },
					],
		),
};

/** Too long for every day. */
const onlyByName = ['uploadOneGb'];

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: { quick: { type: 'boolean', default: false } },
		allowPositionals: true,
	});
	await installRelease(engineMajor());
	const byDefault = Object.keys(scenarios).filter((name) => !onlyByName.includes(name));
	for (const name of positionals.length > 0 ? positionals : byDefault) {
		const startedMs = performance.now();
		console.log(`\n${name}`);
		await scenarios[name](values.quick);
		console.log(`${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
	}
	if (values.quick) return;
	for (const script of ['bench/charts.mjs', 'bench/tables.mjs']) {
		execFileSync(process.execPath, [script], { stdio: 'inherit' });
	}
}

void main();
