import { nextMessage, runProcess, startProcess } from '../lib/children.cts';
import type { Cost } from '../lib/probe.cts';
import { readResults, saveResults, settingName } from '../lib/results.cts';
import { median, rounded } from '../lib/statistics.cts';
import { httpRequestNode, ourNode, readRow, readRowPath, rowItem } from '../lib/subjects.cts';
import type { EngineTask } from '../processes/engineRun.cts';

type Reader = 'ours' | 'httpRequest' | 'declarative';

/** Medians for one number of items. */
export interface OverheadRow {
	items: number;
	/** Requests that the reader was allowed to have in flight. */
	atATime: number;
	/** Requests that the service had at once, at most. */
	mostAtOnce: number;
	runs: number;
	reader: Reader;
	wallMs: number;
	cpuMs: number;
	peakMb: number;
	growthMb: number;
	/** Divided by what the HTTP Request node takes; the median of the ratios within each round. */
	wallRatio: number;
	cpuRatio: number;
	peakRatio: number;
	growthRatio: number;
}

type Measured = Cost & { mostAtOnce: number };

const LATENCY_MS = 20;
const READERS: Reader[] = ['ours', 'httpRequest', 'declarative'];

/** Plain reads: what the node costs beside n8n's HTTP Request node and a declarative node. */
export async function measureOverhead(
	sizes: { items: number; atATime: number; runs: number }[],
): Promise<void> {
	const rows: OverheadRow[] = [];
	const receiver = startProcess('receiver', { latencyMs: LATENCY_MS });
	try {
		const { port } = await nextMessage<{ port: number }>(receiver);
		const origin = `http://127.0.0.1:${String(port)}`;
		for (const { items, atATime, runs } of sizes) {
			const rounds: Record<Reader, Measured>[] = [];
			for (let run = 0; run < runs; run++) {
				const round: Partial<Record<Reader, Measured>> = {};
				for (let turn = 0; turn < READERS.length; turn++) {
					const reader = READERS[(run + turn) % READERS.length];
					const cost = await runProcess<Cost>('engineRun', {
						...read(reader, origin, items, atATime),
						items,
						item: rowItem,
						warmUpItems: 100,
						origin,
						token: 'bench-token',
					} satisfies EngineTask);
					receiver.send({});
					const { mostAtOnce } = await nextMessage<{ mostAtOnce: number }>(receiver);
					round[reader] = { ...cost, mostAtOnce };
				}
				rounds.push(round as Record<Reader, Measured>);
			}
			rows.push(...READERS.map((reader) => summarize(reader, items, atATime, rounds)));
		}
	} finally {
		receiver.kill();
	}
	console.table(rows);
	const all = readResults<Record<string, OverheadRow[]>>('overhead') ?? {};
	saveResults('overhead', { ...all, [settingName()]: rows });
}

/** n8n's own nodes know no limit, only pauses; Loop Over Items gives them so many items at a time. */
function read(
	reader: Reader,
	origin: string,
	items: number,
	atATime: number,
): Pick<EngineTask, 'node' | 'declarative' | 'loopOver'> {
	const inLoop = atATime < items && { loopOver: atATime };
	switch (reader) {
		case 'ours':
			return { node: ourNode({ ...readRow, batching: { maxConcurrentJobs: atATime } }) };
		case 'declarative':
			return { node: ourNode({ ...readRow, requestOptions: {} }), declarative: true, ...inLoop };
		case 'httpRequest': {
			const url = `=${origin}${readRowPath}`;
			return { node: httpRequestNode({ url, options: {} }), ...inLoop };
		}
	}
}

function summarize(
	reader: Reader,
	items: number,
	atATime: number,
	rounds: Record<Reader, Measured>[],
): OverheadRow {
	const middle = (key: keyof Measured) => median(rounds.map((round) => round[reader][key]));
	const ratio = (key: keyof Measured) =>
		rounded(median(rounds.map((round) => round[reader][key] / round.httpRequest[key])), 2);
	return {
		items,
		atATime,
		mostAtOnce: Math.max(...rounds.map((round) => round[reader].mostAtOnce)),
		runs: rounds.length,
		reader,
		wallMs: rounded(middle('wallMs')),
		cpuMs: rounded(middle('cpuMs')),
		peakMb: rounded(middle('peakBytes') / 1e6, 1),
		growthMb: rounded(middle('growthBytes') / 1e6, 1),
		wallRatio: ratio('wallMs'),
		cpuRatio: ratio('cpuMs'),
		peakRatio: ratio('peakBytes'),
		growthRatio: ratio('growthBytes'),
	};
}
