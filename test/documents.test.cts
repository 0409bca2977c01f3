import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';
import type { BinaryMode } from '../harness/engine.cts';
import { AGENT, setStage, type Stage } from './support/agent.cts';

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const invoice = readFileSync('examples/inputs/invoice.pdf');
const megabytes = randomBytes(3_000_000);

const upload = (more: object = {}): object => ({
	resource: 'document',
	operation: 'start',
	waitForCompletion: false,
	waitOptions: { pollIntervalSeconds: 0.02 },
	...more,
});

describe.each<BinaryMode>(['memory', 'filesystem'])('a file in %s', (binaryMode) => {
	let stage: Stage;

	beforeAll(async () => {
		stage = await setStage({}, { binaryMode });
	});
	afterAll(() => stage.close());
	beforeEach(() => {
		stage.simulator.ledger.clear();
		stage.simulator.faults.clear();
	});

	const file = (name: string, mimeType: string, content: Buffer) =>
		stage.engine.binary(name, mimeType, content);
	const item = (binary: Record<string, IBinaryData>, json = {}): INodeExecutionData => ({
		json,
		binary,
	});
	const received = () => stage.simulator.ledger.of('document.start');

	it.each([
		['the example', 'invoice.pdf', 'application/pdf', invoice],
		['3 MB', 'photo.png', 'image/png', megabytes],
		['one byte', 'a.txt', 'text/plain', Buffer.from([0])],
	])('%s arrives as it is, in one part', async (_, name, mimeType, content) => {
		const outcome = await stage.run(upload(), {
			inputItems: [item({ data: await file(name, mimeType, content) })],
		});
		expect(outcome.error).toBeUndefined();
		expect(received()).toHaveLength(1);
		const [{ parts, file: arrived, jobId }] = received();
		expect(parts).toBe(1);
		expect(arrived).toEqual({
			fieldName: 'file',
			fileName: name,
			mimeType,
			size: content.length,
			sha256: sha256(content),
		});
		expect(outcome.items(AGENT).map(({ json }) => json)).toEqual([
			{ id: jobId, message: 'The work has started', success: true, done: false },
		]);
	});

	it('is read by the service', async () => {
		const outcome = await stage.run(upload({ waitForCompletion: true }), {
			inputItems: [item({ data: await file('invoice.pdf', 'application/pdf', invoice) })],
		});
		expect(outcome.error).toBeUndefined();
		expect(outcome.items(AGENT)[0].json).toMatchObject({
			done: true,
			data: expect.any(Object) as object,
			file: { field: 'data', name: 'invoice.pdf' },
		});
	});

	it('is sent again complete after a 429', async () => {
		stage.simulator.faults.add({ on: 'start', status: 429 });
		const outcome = await stage.run(upload(), {
			inputItems: [item({ data: await file('photo.png', 'image/png', megabytes) })],
		});
		expect(outcome.error).toBeUndefined();
		expect(received().map(({ status, file: arrived }) => [status, arrived?.sha256])).toEqual([
			[429, sha256(megabytes)],
			[200, sha256(megabytes)],
		]);
		expect(stage.simulator.ledger.starts).toHaveLength(1);
	});

	it('starts one job for each file of a list and of *', async () => {
		const contents = ['a', 'b', 'c', 'd'].map((letter) => Buffer.from(letter.repeat(50)));
		const files = await Promise.all(
			contents.map((content, index) => file(`${index}.txt`, 'text/plain', content)),
		);
		const [a, b, c, d] = files;
		const inputItems = [
			item({ first: a, second: b }, { fields: ' second, first,second ,' }),
			item({ other: c, more: d }, { fields: '*' }),
		];
		const outcome = await stage.run(upload({ binaryPropertyName: '={{ $json.fields }}' }), {
			inputItems,
		});
		expect(outcome.error).toBeUndefined();
		const expected = [
			['second', 1, 0],
			['first', 0, 0],
			['other', 2, 1],
			['more', 3, 1],
		] as const;
		const items = outcome.items(AGENT);
		expect(items.map(({ json, pairedItem }) => [json.file, pairedItem])).toEqual(
			expected.map(([field, index, input]) => [
				{ field, name: `${index}.txt`, mimeType: 'text/plain', size: 50 },
				{ item: input },
			]),
		);
		// Each item names the job that got its file.
		const { starts } = stage.simulator.ledger;
		expect(starts).toHaveLength(4);
		for (const [position, [, index]] of expected.entries()) {
			const start = starts.find(({ jobId }) => jobId === items[position].json.id);
			expect(start?.file?.sha256).toBe(sha256(contents[index]));
		}
	});

	it.each<[string, object, RegExp]>([
		['a missing field', { binaryPropertyName: 'data, scan' }, /names "scan", which this item does/],
		['a field of the prototype', { binaryPropertyName: 'constructor' }, /does not have/],
		['no field', { binaryPropertyName: ' , ' }, /is empty/],
		['an empty file', { binaryPropertyName: 'empty' }, /names "empty", whose file is empty/],
	])('%s is refused before any request', async (_, more, words) => {
		const data = await file('a.pdf', 'application/pdf', invoice);
		const empty = await file('empty.pdf', 'application/pdf', Buffer.alloc(0));
		const outcome = await stage.run(upload(more), {
			inputItems: [item({ data, empty })],
		});
		expect(outcome.error?.message).toMatch(/^'Input Binary Field' \(binaryPropertyName\) /);
		expect(outcome.error?.message).toMatch(words);
		expect(stage.simulator.ledger.entries).toEqual([]);
	});

	it('* without any file is refused before any request', async () => {
		const outcome = await stage.run(upload({ binaryPropertyName: '*' }));
		expect(outcome.error?.message).toMatch(/\(binaryPropertyName\).*no binary data/);
		expect(stage.simulator.ledger.entries).toEqual([]);
	});
});

describe('a hostile file name', () => {
	let stage: Stage;

	beforeAll(async () => {
		stage = await setStage();
	});
	afterAll(() => stage.close());
	beforeEach(() => stage.simulator.ledger.clear());

	it.each<[string, string, string | RegExp]>([
		['quotes', 'a "b" \'c\'.pdf', "a %22b%22 'c'.pdf"],
		['line breaks', 'a\r\nContent-Type: text/html\r\n\r\n.pdf', /^a%0D%0AContent-Type: text.html/],
		['another part', '"\r\n--boundary\r\nname="file2"', /^%22%0D%0A--boundary/],
		['emoji', '📄 invoice.pdf', '📄 invoice.pdf'],
		['umlauts', 'Übergrößenträger.pdf', 'Übergrößenträger.pdf'],
		['other scripts', '請求書 счёт.pdf', '請求書 счёт.pdf'],
		['slashes', '../../etc/passwd', '.._.._etc_passwd'],
		['backslashes', 'C:\\files\\a.pdf', 'C:_files_a.pdf'],
		['nothing', '', /^\w[\w.]*$/],
		['spaces', '   ', /^\w[\w.]*$/],
		['400 characters', `${'x'.repeat(396)}.pdf`, /^x{150,196}/],
		['a header parameter', "a.pdf; filename*=UTF-8''b", "a.pdf; filename*=UTF-8''b"],
		['control characters', 'a\0b\u0007\u0085c\u2028.pdf', 'a_b__c_.pdf'],
	])('with %s arrives as one part', async (_, name, expected) => {
		const data = await stage.engine.binary(name, 'application/pdf', invoice);
		const outcome = await stage.run(upload(), {
			inputItems: [{ json: {}, binary: { data: { ...data, fileName: name } } }],
		});
		expect(outcome.error).toBeUndefined();
		expect(stage.simulator.ledger.starts).toHaveLength(1);
		const [{ parts, file }] = stage.simulator.ledger.starts;
		expect(parts).toBe(1);
		expect(file).toMatchObject({
			fieldName: 'file',
			mimeType: 'application/pdf',
			sha256: sha256(invoice),
		});
		if (typeof expected === 'string') expect(file?.fileName).toBe(expected);
		else expect(file?.fileName).toMatch(expected);
		expect(file?.fileName.length).toBeLessThanOrEqual(255);
	});

	it.each(['a/b\r\nX-Injected: 1', 'pdf', '', 'a b/c; name="file2"'])(
		'the type %j becomes a general one',
		async (mimeType) => {
			const data = await stage.engine.binary('a.pdf', 'application/pdf', invoice);
			await stage.run(upload(), {
				inputItems: [{ json: {}, binary: { data: { ...data, mimeType } } }],
			});
			const [{ parts, file }] = stage.simulator.ledger.starts;
			expect([parts, file?.mimeType]).toEqual([1, 'application/octet-stream']);
		},
	);
});

describe('a file that is too large for the service', () => {
	let stage: Stage;

	beforeAll(async () => {
		stage = await setStage({ maxUploadBytes: 1000 });
	});
	afterAll(() => stage.close());

	it.each([
		['a little', Buffer.alloc(2000)],
		['a lot', megabytes],
	])('by %s is refused in plain words', async (_, content) => {
		stage.simulator.ledger.clear();
		const data = await stage.engine.binary('a.pdf', 'application/pdf', content);
		const outcome = await stage.run(upload(), { inputItems: [{ json: {}, binary: { data } }] });
		expect(outcome.error?.message).toMatch(/too large for the service/);
		expect(outcome.error?.message).not.toMatch(/accepted/);
		expect(stage.simulator.ledger.of('document.start')).toHaveLength(1);
		expect(stage.simulator.ledger.starts).toEqual([]);
	});
});

describe('a file that vanished from disk', () => {
	let stage: Stage;

	beforeAll(async () => {
		stage = await setStage({}, { binaryMode: 'filesystem' });
	});
	afterAll(() => stage.close());
	beforeEach(() => stage.simulator.ledger.clear());

	/** Where the engine keeps a file; its metadata lie beside it. */
	function pathOf({ id = '' }: IBinaryData): string {
		const relative = id.slice(id.indexOf(':') + 1);
		const paths = readdirSync(tmpdir())
			.filter((name) => name.startsWith('n8n-harness-binary-'))
			.map((name) => join(tmpdir(), name, relative));
		const path = paths.find((one) => existsSync(one));
		if (path === undefined) throw new Error(`There is no file for ${id}`);
		return path;
	}

	it.each([
		['with its metadata', ['', '.metadata']],
		['and left its metadata', ['']],
	])('%s is noticed before any request', async (_, endings) => {
		const good = await stage.engine.binary('good.pdf', 'application/pdf', invoice);
		const gone = await stage.engine.binary('gone.pdf', 'application/pdf', invoice);
		const path = pathOf(gone);
		for (const ending of endings) rmSync(`${path}${ending}`);
		const outcome = await stage.run(upload(), {
			inputItems: [
				{ json: {}, binary: { data: good } },
				{ json: {}, binary: { data: gone } },
			],
		});
		expect(outcome.error?.message).toMatch(/binary.*"data".* cannot be read/);
		expect(outcome.error?.context?.itemIndex).toBe(1);
		expect(stage.simulator.ledger.entries).toEqual([]);
	});
});
