import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nextMessage, runProcess, startProcess } from '../lib/children.cts';
import { readResults, saveResults, settingName } from '../lib/results.cts';
import { median, rounded } from '../lib/statistics.cts';
import type { Measurement, Sender, SenderTask } from '../processes/sender.cts';

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

/** Small ones, so that what is measured has been loaded and compiled. */
const UPLOADS_BEFORE = 20;

/** What a body may hold besides the file. */
const MOST_OVERHEAD_BYTES = 2_000;

/** Uploads of files of these sizes, ours against n8n's HTTP Request node. */
export async function measureUploads(sizes: { megabytes: number; runs: number }[]): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'bench-upload-'));
	const receiver = startProcess('receiver');
	try {
		const { port } = await nextMessage<{ port: number }>(receiver);
		const rows: Row[] = [];
		for (const { megabytes, runs } of sizes) {
			const path = join(folder, `${megabytes}.bin`);
			await writeRandom(path, megabytes);
			const measured: Pair[] = [];
			for (let run = 0; run < runs; run++) {
				measured.push(
					await measurePair(run, {
						origin: `http://127.0.0.1:${port}`,
						path,
						uploadsBefore: UPLOADS_BEFORE,
					}),
				);
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
		const measurement = await runProcess<Measurement>('sender', task);
		while (bodies.length <= task.uploadsBefore) await once(receiver, 'message');
		receiver.off('message', note);
		const receivedBytes = bodies[task.uploadsBefore];
		const sizeBytes = Number(/(\d+)\.bin$/.exec(task.path)?.[1]) * 1_000_000;
		if (!(receivedBytes > sizeBytes && receivedBytes < sizeBytes + MOST_OVERHEAD_BYTES)) {
			throw new Error(`${task.sender} sent bodies of ${bodies.join(', ')} bytes`);
		}
		return measurement;
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
	const medianOf = (sender: Sender, key: keyof Measurement) =>
		median(measured.map((pair) => pair[sender][key]));
	const [oursGrowth, otherGrowth] = [
		medianOf('ours', 'growthBytes'),
		medianOf('httpRequest', 'growthBytes'),
	];
	const [oursMs, otherMs] = [medianOf('ours', 'durationMs'), medianOf('httpRequest', 'durationMs')];
	return {
		megabytes,
		runs: measured.length,
		oursGrowthMb: rounded(oursGrowth / 1e6, 1),
		oursMostGrowthMb: rounded(Math.max(...measured.map(({ ours }) => ours.growthBytes)) / 1e6, 1),
		httpRequestGrowthMb: rounded(otherGrowth / 1e6, 1),
		oursMs: rounded(oursMs, 1),
		httpRequestMs: rounded(otherMs, 1),
		timeRatio: rounded(oursMs / otherMs, 2),
		growthRatio: rounded(oursGrowth / otherGrowth, 2),
		measured,
	};
}

/** Keeps what was measured with other versions of Node, other engines and other sizes. */
function save(rows: Row[]): void {
	const key = settingName();
	const all = readResults<Record<string, Row[]>>('upload') ?? {};
	const others = (all[key] ?? []).filter(
		({ megabytes }) => !rows.some((row) => row.megabytes === megabytes),
	);
	all[key] = [...others, ...rows].sort((a, b) => a.megabytes - b.megabytes);
	const sorted = Object.entries(all).sort(([a], [b]) => a.localeCompare(b));
	saveResults('upload', Object.fromEntries(sorted));
}
