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
	/** Requests in flight at a time; only where it equals `items` is it the same for all readers. */
	atATime: number;
	runs: number;
	reader: Reader;
	wallMs: number;
	cpuMs: number;
	growthMb: number;
	/** Divided by what the HTTP Request node takes; the median of the ratios within each round. */
	wallRatio: number;
	cpuRatio: number;
	growthRatio: number;
}

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
			const rounds: Record<Reader, Cost>[] = [];
			for (let run = 0; run < runs; run++) {
				const round: Partial<Record<Reader, Cost>> = {};
				for (let turn = 0; turn < READERS.length; turn++) {
					const reader = READERS[(run + turn) % READERS.length];
					round[reader] = await runProcess<Cost>('engineRun', {
						...read(reader, origin, items, atATime),
						items,
						item: rowItem,
						warmUpItems: 100,
						origin,
						token: 'bench-token',
					} satisfies EngineTask);
				}
				rounds.push(round as Record<Reader, Cost>);
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

function read(
	reader: Reader,
	origin: string,
	items: number,
	atATime: number,
): Pick<EngineTask, 'node' | 'declarative'> {
	const isUnlimited = atATime >= items;
	// These two know no limit, only pauses: groups as large as ours, sent as often as the service answers.
	const batching = isUnlimited
		? {}
		: { batching: { batch: { batchSize: atATime, batchInterval: LATENCY_MS } } };
	switch (reader) {
		case 'ours':
			return { node: ourNode({ ...readRow, batching: { maxConcurrentJobs: atATime } }) };
		case 'declarative':
			return { node: ourNode({ ...readRow, requestOptions: batching }), declarative: true };
		case 'httpRequest':
			return { node: httpRequestNode({ url: `=${origin}${readRowPath}`, options: batching }) };
	}
}

function summarize(
	reader: Reader,
	items: number,
	atATime: number,
	rounds: Record<Reader, Cost>[],
): OverheadRow {
	const middle = (key: keyof Cost) => median(rounds.map((round) => round[reader][key]));
	const ratio = (key: keyof Cost) =>
		rounded(median(rounds.map((round) => round[reader][key] / round.httpRequest[key])), 2);
	return {
		items,
		atATime,
		runs: rounds.length,
		reader,
		wallMs: rounded(middle('wallMs')),
		cpuMs: rounded(middle('cpuMs')),
		growthMb: rounded(middle('growthBytes') / 1e6, 1),
		wallRatio: ratio('wallMs'),
		cpuRatio: ratio('cpuMs'),
		growthRatio: ratio('growthBytes'),
	};
}
