import { seededRandom } from '../../simulator/random.cts';
import { runProcess } from '../lib/children.cts';
import { distributions, drawMs } from '../lib/distributions.cts';
import { exponential, fixed, ours, type Poller, simulate } from '../lib/pollSimulation.cts';
import type { Cost } from '../lib/probe.cts';
import { saveResults, settingOf } from '../lib/results.cts';
import { startService } from '../lib/service.cts';
import { mean, percentile, rounded } from '../lib/statistics.cts';
import { ourNode, startJobs } from '../lib/subjects.cts';
import type { EngineTask } from '../processes/engineRun.cts';

/** One way of looking, on one distribution of durations. */
export interface Point {
	/** Seconds of a fixed interval, factor of an exponential one; none for ours. */
	parameter?: number;
	requestsPerJob: number;
	meanLagSeconds: number;
	p95LagSeconds: number;
}

/** Ours, and the curves of those who know one number in advance. */
export interface Comparison {
	distribution: string;
	jobs: number;
	ours: Point;
	fixed: Point[];
	/** The fixed intervals that are commonly chosen. */
	usual: Point[];
	exponential: Point[];
	/** Our requests divided by those of the fixed interval that sees a job's end equally late. */
	requestsToFixed: number;
	/** Our lag divided by that of the fixed interval with as many requests. */
	meanLagToFixed: number;
	p95LagToFixed: number;
	/** Our lag divided by that of the exponential backoff with as many requests. */
	meanLagToExponential: number;
}

/** A run of many jobs, and one that ends soon after our schedule has learned. */
const JOBS = 1_000;
const FEWER_JOBS = 200;
const AT_A_TIME = 10;
const INTERVALS = Array.from({ length: 52 }, (_, step) => rounded(0.25 * 1.13 ** step, 2));
const SHOWN_INTERVALS = [1, 2, 5, 10];
const FACTORS = [1.02, 1.05, 1.1, 1.15, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 4];
const REAL_DISTRIBUTION = 'log-normal 10 s, σ 0.5';

/** Requests per job against the time between a job's end and the look that sees it. */
export async function measurePolling(runs: number, realJobs: number): Promise<void> {
	const names = Object.keys(distributions);
	const simulated = names.map((name) => compare(name, JOBS, runs));
	const fewerJobs = names.map((name) => compare(name, FEWER_JOBS, runs * 3));
	const real = await measureReal(realJobs);
	for (const rows of [simulated, fewerJobs]) {
		console.table(
			rows.map(({ distribution, jobs, ours: point, ...rest }) => ({
				distribution,
				jobs,
				...point,
				requestsToFixed: rest.requestsToFixed,
				meanLagToFixed: rest.meanLagToFixed,
				p95LagToFixed: rest.p95LagToFixed,
				meanLagToExponential: rest.meanLagToExponential,
			})),
		);
	}
	console.table(real);
	saveResults('polling', {
		setting: { ...settingOf(), atATime: AT_A_TIME },
		simulated,
		fewerJobs,
		real: { distribution: REAL_DISTRIBUTION, real },
	});
}

function compare(distribution: string, jobs: number, runs: number): Comparison {
	const point = (poller: () => Poller, parameter?: number): Point => {
		let requests = 0;
		const lags: number[] = [];
		for (let run = 1; run <= runs; run++) {
			const random = seededRandom(run);
			const durationsMs = drawMs(distribution, jobs, random);
			const looks = simulate(poller(), durationsMs, AT_A_TIME, random);
			requests += looks.requests;
			for (const lagMs of looks.lagsMs) lags.push(lagMs / 1000);
		}
		return {
			...(parameter !== undefined && { parameter }),
			requestsPerJob: rounded(requests / lags.length, 2),
			meanLagSeconds: rounded(mean(lags), 3),
			p95LagSeconds: rounded(percentile(lags, 95), 3),
		};
	};
	const our = point(ours);
	const curve = INTERVALS.map((seconds) => point(() => fixed(seconds * 1000), seconds));
	const backoff = FACTORS.map((factor) => point(() => exponential(factor), factor));
	const { requestsPerJob, meanLagSeconds, p95LagSeconds } = our;
	const requestsAt = interpolate(curve, 'meanLagSeconds', 'requestsPerJob', meanLagSeconds);
	const meanAt = interpolate(curve, 'requestsPerJob', 'meanLagSeconds', requestsPerJob);
	const backoffAt = interpolate(backoff, 'requestsPerJob', 'meanLagSeconds', requestsPerJob);
	const p95At = interpolate(curve, 'requestsPerJob', 'p95LagSeconds', requestsPerJob);
	return {
		distribution,
		jobs,
		ours: our,
		fixed: curve,
		usual: SHOWN_INTERVALS.map((seconds) => point(() => fixed(seconds * 1000), seconds)),
		exponential: backoff,
		requestsToFixed: rounded(requestsPerJob / requestsAt, 2),
		meanLagToFixed: rounded(meanLagSeconds / meanAt, 2),
		p95LagToFixed: rounded(p95LagSeconds / p95At, 2),
		meanLagToExponential: rounded(meanLagSeconds / backoffAt, 2),
	};
}

/** The value of a curve between its points; its nearest end outside. */
function interpolate(curve: Point[], from: keyof Point, to: keyof Point, at: number): number {
	const points = curve.map((point) => [point[from] ?? 0, point[to] ?? 0]).sort(([a], [b]) => a - b);
	const next = points.findIndex(([x]) => x >= at);
	if (next <= 0) return points.at(next)?.[1] ?? NaN;
	const [[x0, y0], [x1, y1]] = [points[next - 1], points[next]];
	return y0 + ((y1 - y0) * (at - x0)) / (x1 - x0);
}

/** The same durations for each, on a real clock, in n8n's engine; all at once, as none is busy. */
async function measureReal(count: number): Promise<(Point & { name: string })[]> {
	const jobDurationMs = drawMs(REAL_DISTRIBUTION, count, seededRandom(1));
	const ways = [undefined, ...SHOWN_INTERVALS];
	return await Promise.all(
		ways.map(async (seconds) => {
			const service = await startService({ jobDurationMs });
			try {
				const { origin, token } = service;
				const waitOptions = seconds === undefined ? {} : { pollIntervalSeconds: seconds };
				await runProcess<Cost>('engineRun', {
					node: ourNode(startJobs(undefined, waitOptions)),
					items: count,
					origin,
					token,
				} satisfies EngineTask);
				const { requests, starts, lagsMs } = await service.report();
				return {
					name: seconds === undefined ? 'ours' : `every ${String(seconds)} s`,
					requestsPerJob: rounded((requests - starts) / starts, 2),
					meanLagSeconds: rounded(mean(lagsMs) / 1000, 2),
					p95LagSeconds: rounded(percentile(lagsMs, 95) / 1000, 2),
				};
			} finally {
				service.stop();
			}
		}),
	);
}
