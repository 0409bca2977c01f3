import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ReceiverMessage } from './receiver.cts';
import type { Measurement, Sender, SenderTask } from './sender.cts';

/** The medians for one size. */
interface Row {
	megabytes: number;
	runs: number;
	oursGrowthMb: number;
	/** Not the median: the most of all runs. */
	oursMostGrowthMb: number;
	httpRequestGrowthMb: number;
	oursMs: number;
	httpRequestMs: number;
	/** Our time divided by the other's. */
	timeRatio: number;
	/** Our growth divided by the other's. */
	growthRatio: number;
	/** Every run, in order. */
	measured: Pair[];
}

/** Both senders, one right after the other. */
type Pair = Record<Sender, Measurement>;

const COLUMNS: (keyof Row)[] = [
	'megabytes',
	'runs',
	'oursGrowthMb',
	'oursMostGrowthMb',
	'httpRequestGrowthMb',
	'growthRatio',
	'oursMs',
	'httpRequestMs',
	'timeRatio',
];

const RESULTS = 'bench/results/upload.json';

/** What a body may hold besides the file. */
const MOST_OVERHEAD_BYTES = 2_000;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			megabytes: { type: 'string', default: '1,200,1000' },
			runs: { type: 'string', default: '5' },
		},
	});
	const folder = mkdtempSync(join(tmpdir(), 'bench-upload-'));
	const receiver = fork(join(__dirname, 'receiver.cjs'));
	try {
		const { port } = await nextMessage<{ port: number }>(receiver);
		const rows: Row[] = [];
		for (const megabytes of values.megabytes.split(',').map(Number)) {
			const path = join(folder, `${megabytes}.bin`);
			await writeRandom(path, megabytes);
			const measured: Pair[] = [];
			for (let run = 0; run < Number(values.runs); run++) {
				measured.push(await measurePair(run, { origin: `http://127.0.0.1:${port}`, path }));
			}
			rmSync(path);
			rows.push(summarize(megabytes, measured));
		}
		console.table(rows, COLUMNS);
		save(rows);
	} finally {
		receiver.kill();
		rmSync(folder, { recursive: true, force: true });
	}

	/** They take turns in going first. */
	async function measurePair(run: number, task: Omit<SenderTask, 'sender'>): Promise<Pair> {
		const order: Sender[] = run % 2 === 0 ? ['ours', 'httpRequest'] : ['httpRequest', 'ours'];
		const pair: Partial<Pair> = {};
		for (const sender of order) pair[sender] = await measure({ ...task, sender });
		return pair as Pair;
	}

	async function measure(task: SenderTask): Promise<Measurement> {
		const bodies: number[] = [];
		const note = ({ receivedBytes }: { receivedBytes: number }) => bodies.push(receivedBytes);
		receiver.on('message', note);
		const child = fork(join(__dirname, 'sender.cjs'), [JSON.stringify(task)], {
			// n8n's node uses what Node has deprecated.
			execArgv: ['--no-deprecation', '--require', join(__dirname, 'selectEngine.cjs')],
		});
		const measurement = await nextMessage<Measurement>(child);
		// The first one is the small upload before.
		while (bodies.length < 2) await once(receiver, 'message');
		receiver.off('message', note);
		const [, receivedBytes] = bodies;
		const sizeBytes = Number(/(\d+)\.bin$/.exec(task.path)?.[1]) * 1_000_000;
		if (!(receivedBytes > sizeBytes && receivedBytes < sizeBytes + MOST_OVERHEAD_BYTES)) {
			throw new Error(`${task.sender} sent bodies of ${bodies.join(', ')} bytes`);
		}
		return measurement;
	}
}

/** The next message of a child process, or an error if it ends without one. */
async function nextMessage<T extends ReceiverMessage | Measurement>(
	child: ChildProcess,
): Promise<T> {
	const ended = new AbortController();
	const end = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
		throw new Error(`The process ended with ${String(code)}`);
	});
	try {
		const [message] = (await Promise.race([once(child, 'message'), end])) as [T];
		return message;
	} finally {
		end.catch(() => undefined);
		ended.abort();
	}
}

/** Random bytes, and on disk before anything is measured. */
async function writeRandom(path: string, megabytes: number): Promise<void> {
	const file = await open(path, 'w');
	for (let written = 0; written < megabytes; written++) await file.write(randomBytes(1_000_000));
	await file.sync();
	await file.close();
}

function summarize(megabytes: number, measured: Pair[]): Row {
	const median = (sender: Sender, key: keyof Measurement) =>
		middle(measured.map((pair) => pair[sender][key]));
	const [oursGrowth, otherGrowth] = [
		median('ours', 'growthBytes'),
		median('httpRequest', 'growthBytes'),
	];
	const [oursMs, otherMs] = [median('ours', 'durationMs'), median('httpRequest', 'durationMs')];
	return {
		megabytes,
		runs: measured.length,
		oursGrowthMb: rounded(oursGrowth / 1e6, 1),
		oursMostGrowthMb: rounded(Math.max(...measured.map(({ ours }) => ours.growthBytes)) / 1e6, 1),
		httpRequestGrowthMb: rounded(otherGrowth / 1e6, 1),
		oursMs: rounded(oursMs, 0),
		httpRequestMs: rounded(otherMs, 0),
		timeRatio: rounded(oursMs / otherMs, 2),
		growthRatio: rounded(oursGrowth / otherGrowth, 2),
		measured,
	};
}

function middle(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const half = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

function rounded(value: number, digits: number): number {
	return Number(value.toFixed(digits));
}

/** Keeps what was measured with other versions of Node, other engines and other sizes. */
function save(rows: Row[]): void {
	const engine = process.env.N8N_ENGINE === '1' ? 1 : 2;
	const key = `Node ${process.versions.node.split('.')[0]}, engine ${engine}`;
	const all = existsSync(RESULTS)
		? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Record<string, Row[]>)
		: {};
	const others = (all[key] ?? []).filter(
		({ megabytes }) => !rows.some((row) => row.megabytes === megabytes),
	);
	all[key] = [...others, ...rows].sort((a, b) => a.megabytes - b.megabytes);
	const sorted = Object.entries(all).sort(([a], [b]) => a.localeCompare(b));
	mkdirSync('bench/results', { recursive: true });
	writeFileSync(RESULTS, `${JSON.stringify(Object.fromEntries(sorted), undefined, '\t')}\n`);
}

void main();
