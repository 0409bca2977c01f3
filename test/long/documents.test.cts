import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeExecutionData } from 'n8n-workflow';
import {
	createEngine,
	type BinaryMode,
	type Outcome,
	type RunOptions,
} from '../../harness/engine.cts';
import type { Ledger, LedgerEntry } from '../../simulator/ledger.cts';
import type { SimulatorOptions } from '../../simulator/options.cts';
import { AGENT, agentWorkflow, setStage, TOKEN, type Stage } from '../support/agent.cts';

const BIG_BYTES = 200_000_000;
/** A whole number of the chunks in which n8n reads files: what is added comes in one of its own. */
const EVEN_BYTES = 800 * 65_536;
const INTERRUPTED_AT_BYTES = 5_000_000;
const TIME_LIMIT_MS = 120_000;

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

const upload = (more: object = {}): object => ({
	resource: 'document',
	operation: 'start',
	waitForCompletion: false,
	...more,
});

describe.each<BinaryMode>(['memory', 'filesystem'])('500 files in %s', (binaryMode) => {
	const COUNT = 500;
	const AT_ONCE = 20;
	let stage: Stage;

	beforeAll(async () => {
		stage = await setStage({}, { binaryMode });
	});
	afterAll(() => stage.close());

	it(
		'arrive as they are, once each, 20 at a time',
		async () => {
			const contents = Array.from({ length: COUNT }, (_, n) =>
				randomBytes(1 + ((n * 127) % 60_000)),
			);
			const inputItems: INodeExecutionData[] = [];
			for (const [n, content] of contents.entries()) {
				const data = await stage.engine.binary(`${n}.bin`, 'application/octet-stream', content);
				inputItems.push({ json: { n }, binary: { data } });
			}
			// Long enough for all that may go on at the same time to do so.
			stage.simulator.faults.add({ on: 'start', delayMs: 100, times: Infinity });
			const outcome = await stage.run(upload({ batching: { maxConcurrentJobs: AT_ONCE } }), {
				inputItems,
			});
			expect(outcome.error).toBeUndefined();

			const { ledger } = stage.simulator;
			expect(ledger.entries).toHaveLength(COUNT);
			expect(ledger.starts).toHaveLength(COUNT);
			expect(mostAtOnce(ledger.entries)).toBe(AT_ONCE);

			const starts = new Map(ledger.starts.map((start) => [start.jobId, start]));
			const arrived = outcome.items(AGENT).map(({ json, pairedItem }) => {
				const { parts, file } = starts.get(json.id as string) ?? {};
				return { item: pairedItem, parts, ...file };
			});
			expect(arrived).toEqual(
				contents.map((content, item) => {
					const about = { mimeType: 'application/octet-stream', size: content.length };
					return {
						...about,
						item: { item },
						parts: 1,
						fieldName: 'file',
						fileName: `${item}.bin`,
						sha256: sha256(content),
					};
				}),
			);
		},
		TIME_LIMIT_MS,
	);
});

describe('a large file in filesystem', () => {
	let folder: string;
	let big: DiskFile;
	const closing: (() => void | Promise<void>)[] = [];

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'documents-test-'));
		big = await writeRandom(join(folder, 'big.bin'), BIG_BYTES);
	});
	afterEach(async () => {
		for (const close of closing.splice(0).reverse()) await close();
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	async function service(options: SimulatorOptions = {}): Promise<Stage> {
		const stage = await setStage(options, { binaryMode: 'filesystem' });
		closing.push(() => stage.close());
		return stage;
	}

	async function send(
		{ engine }: Pick<Stage, 'engine'>,
		{ path }: DiskFile,
		more: object = {},
		options: RunOptions = {},
	): Promise<Outcome> {
		const data = await engine.binaryFromDisk(path, 'application/octet-stream');
		const inputItems = [{ json: {}, binary: { data } }];
		return await engine.run(agentWorkflow(upload(more)), { inputItems, ...options });
	}

	it(
		'of 200 MB arrives as it is, with its exact length announced',
		async () => {
			const stage = await service();
			const outcome = await send(stage, big);
			expect(outcome.error).toBeUndefined();
			expect(stage.simulator.ledger.entries).toHaveLength(1);
			const [{ headers, file, jobId, parts }] = stage.simulator.ledger.entries;
			expect(parts).toBe(1);
			expect(file).toMatchObject({ size: BIG_BYTES, sha256: big.sha256 });
			expect(headers['transfer-encoding']).toBeUndefined();
			expect(headers['content-length']).toBe(String(bodyBytes(headers, BIG_BYTES)));
			expect(outcome.items(AGENT)[0].json.id).toBe(jobId);
			await untilClosed(big);
		},
		TIME_LIMIT_MS,
	);

	it(
		'is sent again complete after a 429',
		async () => {
			const stage = await service();
			stage.simulator.faults.add({ on: 'start', status: 429 });
			const outcome = await send(stage, big);
			expect(outcome.error).toBeUndefined();
			const { entries, starts } = stage.simulator.ledger;
			expect(entries.map(({ status, parts, file }) => [status, parts, file?.sha256])).toEqual([
				[429, 1, big.sha256],
				[200, 1, big.sha256],
			]);
			expect(starts).toHaveLength(1);
			await untilClosed(big);
		},
		TIME_LIMIT_MS,
	);

	it.each<[string, number, (file: DiskFile) => void]>([
		['shrinks', EVEN_BYTES, ({ path }) => truncateSync(path, EVEN_BYTES / 2)],
		['loses its last byte', EVEN_BYTES, ({ path }) => truncateSync(path, EVEN_BYTES - 1)],
		['grows', EVEN_BYTES, ({ path }) => appendFileSync(path, randomBytes(1_000_000))],
		['grows by one byte', EVEN_BYTES, ({ path }) => appendFileSync(path, 'x')],
		['grows within its last chunk', EVEN_BYTES - 1000, ({ path }) => appendFileSync(path, 'x')],
	])(
		'that %s while it is sent starts no job',
		async (_, sizeBytes, change) => {
			const stage = await service();
			const file = await writeRandom(join(folder, 'changing.bin'), sizeBytes);
			const { ledger } = stage.simulator;
			onArrival(ledger, () => change(file));
			const outcome = await send(stage, file);
			expect(statSync(file.path).size).not.toBe(sizeBytes);
			expect(outcome.error?.message).toBe(
				'The file "changing.bin" in the binary field "data" changed while it was sent',
			);
			expect(outcome.error?.description).toMatch(/finish before this one reads it/);
			await until(() => ledger.entries.every(({ durationMs }) => durationMs !== undefined));
			expect(ledger.entries).toHaveLength(1);
			expect(ledger.entries[0].aborted).toBe(true);
			expect(ledger.starts).toEqual([]);
			await untilClosed(file);
		},
		TIME_LIMIT_MS,
	);

	it(
		'is closed when the execution is cancelled in the middle',
		async () => {
			const stage = await service();
			const { ledger } = stage.simulator;
			let canceledMs = 0;
			const outcome = await send(
				stage,
				big,
				{},
				{
					onStarted({ cancel }) {
						void until(() => ledger.entries.length > 0 && descriptorsOf(big) > 0).then(() => {
							canceledMs = Date.now();
							cancel();
						});
					},
				},
			);
			expect(outcome.status).toBe('canceled');
			expect(Date.now() - canceledMs).toBeLessThan(1000);
			expect(ledger.starts).toEqual([]);
			await untilClosed(big);
		},
		TIME_LIMIT_MS,
	);

	it(
		'is closed when the service refuses it before it was sent',
		async () => {
			const stage = await service({ maxUploadBytes: 1_000_000 });
			const outcome = await send(stage, big);
			expect(outcome.error?.message).toMatch(/too large for the service \(413\)/);
			expect(outcome.error?.message).not.toMatch(/accepted/);
			expect(stage.simulator.ledger.entries).toHaveLength(1);
			expect(stage.simulator.ledger.starts).toEqual([]);
			await untilClosed(big);
		},
		TIME_LIMIT_MS,
	);

	it.each<[string, (socket: Socket) => void, RegExp, object]>([
		['resets the connection', (socket) => void socket.resetAndDestroy(), /broke off/, {}],
		['closes the connection', (socket) => void socket.destroy(), /broke off/, {}],
		[
			'takes no more of it',
			(socket) => void socket.pause(),
			/did not answer in time/,
			{ batching: { requestTimeoutSeconds: 1 } },
		],
		[
			'answers 413 and closes the connection',
			(socket) => {
				socket.write('HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
				socket.destroySoon();
			},
			/too large for the service/,
			{},
		],
	])(
		'is closed when the service %s in the middle',
		async (_, interrupt, words, more) => {
			const { origin: baseUrl, close } = await startInterrupter(interrupt);
			const engine = await createEngine({
				binaryMode: 'filesystem',
				credentials: { dataExtractionAgentApi: { data: { baseUrl, accessToken: TOKEN } } },
			});
			closing.push(close, () => engine.close());
			const outcome = await send({ engine }, big, more);
			expect(outcome.error?.message).toMatch(words);
			await untilClosed(big);
		},
		TIME_LIMIT_MS,
	);
});

interface DiskFile {
	path: string;
	sha256: string;
}

/** Writes a file of random bytes of which only a part is in memory at any time. */
async function writeRandom(path: string, sizeBytes: number): Promise<DiskFile> {
	const hash = createHash('sha256');
	const file = await open(path, 'w');
	for (let leftBytes = sizeBytes; leftBytes > 0; leftBytes -= 1_000_000) {
		const part = randomBytes(Math.min(leftBytes, 1_000_000));
		hash.update(part);
		await file.write(part);
	}
	await file.close();
	return { path, sha256: hash.digest('hex') };
}

/** Length of a body with one part, as announced by its headers and sent with a file of the size. */
function bodyBytes({ 'content-type': type = '' }: IncomingHttpHeaders, sizeBytes: number): number {
	const boundary = type.slice(type.indexOf('boundary=') + 'boundary='.length);
	const head = [
		`--${boundary}`,
		'Content-Disposition: form-data; name="file"; filename="big.bin"',
		'Content-Type: application/octet-stream',
		'',
		'',
	].join('\r\n');
	return head.length + sizeBytes + `\r\n--${boundary}--\r\n`.length;
}

/** Calls back when the head of the first request has arrived, and at most a little of its body. */
function onArrival(ledger: Ledger, callback: () => void): void {
	const add = ledger.add.bind(ledger);
	jest.spyOn(ledger, 'add').mockImplementationOnce((entry) => {
		add(entry);
		callback();
	});
}

/** A service that reads some megabytes of an upload and then does something else. */
async function startInterrupter(interrupt: (socket: Socket) => void) {
	const sockets: Socket[] = [];
	const server = createServer((socket) => {
		sockets.push(socket);
		let receivedBytes = 0;
		socket.on('error', () => undefined);
		socket.on('data', (chunk: Buffer) => {
			const wasBelow = receivedBytes < INTERRUPTED_AT_BYTES;
			receivedBytes += chunk.length;
			if (wasBelow && receivedBytes >= INTERRUPTED_AT_BYTES) interrupt(socket);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close() {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	};
}

/** How many descriptors of this process are open for a file, under whatever name. */
function descriptorsOf({ path }: DiskFile): number {
	const { dev, ino } = statSync(path);
	return readdirSync('/proc/self/fd').filter((descriptor) => {
		const open = statSync(`/proc/self/fd/${descriptor}`, { throwIfNoEntry: false });
		return open?.ino === ino && open.dev === dev;
	}).length;
}

async function untilClosed(file: DiskFile): Promise<void> {
	await until(() => descriptorsOf(file) === 0);
}

async function until(condition: () => boolean): Promise<void> {
	const deadlineMs = Date.now() + 5000;
	while (!condition()) {
		if (Date.now() > deadlineMs) throw new Error(`Never came true: ${String(condition)}`);
		await sleep(1);
	}
}

/** How many requests were open at the same time. */
function mostAtOnce(entries: LedgerEntry[]): number {
	const changes = entries
		.flatMap(({ at, durationMs = 0 }) => [
			{ at, by: 1 },
			{ at: at + durationMs, by: -1 },
		])
		.sort((a, b) => a.at - b.at || a.by - b.by);
	let open = 0;
	return Math.max(...changes.map(({ by }) => (open += by)));
}
