import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoResultIds, demoRunId, demoWorkflowId } from '../simulator/demo-data.cts';
import type { JsonObject } from '../simulator/json.cts';
import type { ResultEnvelope } from '../simulator/jobs.cts';
import type { SimulatorOptions } from '../simulator/options.cts';
import { startSimulator, type Simulator } from '../simulator/server.cts';

const inputs = join(__dirname, '../examples/inputs');
const jobDurationMs = 50;
const unknownId = '00000000-0000-4000-8000-000000000000';

interface StartAnswer {
	message: string;
	result: { id: string };
	success: boolean;
}

let simulator: Simulator;

async function restart(options: SimulatorOptions = {}): Promise<void> {
	await simulator.close();
	simulator = await startSimulator({ jobDurationMs, ...options });
}

async function call(path: string, init: RequestInit = {}): Promise<Response> {
	const headers = { authorization: `Bearer ${simulator.token}`, ...init.headers };
	return fetch(`${simulator.origin}${path}`, { ...init, headers });
}

async function post(path: string, body?: unknown): Promise<Response> {
	if (body === undefined) return call(path, { method: 'POST' });
	const headers = { 'content-type': 'application/json' };
	return call(path, { method: 'POST', body: JSON.stringify(body), headers });
}

async function upload(name: string, content: Buffer, query = ''): Promise<Response> {
	const body = new FormData();
	body.append('file', new Blob([new Uint8Array(content)]), name);
	return call(`/api/v2/document/start${query}`, { method: 'POST', body });
}

async function idOf(answer: Response): Promise<string> {
	expect(answer.status).toBe(200);
	const started = (await answer.json()) as StartAnswer;
	expect(started).toEqual({
		message: expect.any(String) as string,
		result: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
		success: true,
	});
	return started.result.id;
}

async function read(path: string): Promise<ResultEnvelope> {
	const answer = await call(path);
	expect(answer.status).toBe(200);
	return (await answer.json()) as ResultEnvelope;
}

async function finished(path: string): Promise<ResultEnvelope> {
	await sleep(jobDurationMs + 10);
	return read(path);
}

const startUrl = (page: string, schema?: JsonObject, query = ''): Promise<Response> => {
	const url = encodeURIComponent(`${simulator.origin}/pages/${page}`);
	return post(`/api/v2/extract/start?url=${url}${query}`, schema && { schema });
};

async function extract(page: string, schema?: JsonObject, query = ''): Promise<ResultEnvelope> {
	const id = await idOf(await startUrl(page, schema, query));
	return finished(`/api/v2/extract/result/${id}`);
}

async function document(name: string, content: Buffer): Promise<ResultEnvelope> {
	return finished(`/api/v2/document/result/${await idOf(await upload(name, content))}`);
}

beforeEach(async () => {
	simulator = await startSimulator({ jobDurationMs, pagesDirectory: join(inputs, 'pages') });
});

afterEach(async () => {
	await simulator.close();
});

describe('authentication', () => {
	const expiredJwt = ['{}', '{"exp":1}', 'x']
		.map((part) => Buffer.from(part).toString('base64url'))
		.join('.');

	it.each([
		['no token', undefined, /required/],
		['another scheme', 'Basic demo-token', /required/],
		['a wrong token', 'Bearer wrong-token', /not valid/],
		['an expired token', `Bearer ${expiredJwt}`, /expired/],
	])('refuses %s on every endpoint', async (_, authorization, message) => {
		const headers = new Headers(
			authorization === undefined ? [] : [['authorization', authorization]],
		);
		const paths = ['document', 'extract', 'dataset'].map((name) => `/api/v2/${name}/start`);
		for (const path of [...paths, `/api/v2/workflow/${demoWorkflowId}/latest.json`]) {
			const method = path.endsWith('start') ? 'POST' : 'GET';
			const answer = await fetch(simulator.origin + path, { method, headers });
			expect(answer.status).toBe(401);
			const text = await answer.text();
			expect(text).toMatch(message);
			expect(JSON.parse(text)).toMatchObject({ success: false });
			expect(text).not.toContain('wrong-token');
		}
		expect(simulator.ledger.entries.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
	});
});

describe('validation', () => {
	const page = 'url=http%3A%2F%2F127.0.0.1%2F';

	it.each([
		['document', 'model=huge', undefined],
		['document', 'extended=yes', undefined],
		['document', 'cap_screenshots=1.5', undefined],
		['document', 'additional_instructions=', undefined],
		['document', '', ['a list']],
		['extract', '', undefined],
		['extract', 'url=shop', undefined],
		['extract', 'url=ftp%3A%2F%2Fhost%2F', undefined],
		['extract', `${page}&model=`, undefined],
		['extract', page, { title: 'The title' }],
		['extract', page, { schema: 'title' }],
		['dataset', 'query=rivers', undefined],
		['dataset', 'query=rivers', {}],
		['dataset', 'query=', { name: 'The name' }],
		['dataset', 'query=rivers&method=best', { name: 'The name' }],
		['dataset', '', { query: 'rivers', method: 'best', schema: { name: 'The name' } }],
	])('refuses the %s start %s %j', async (resource, query, body) => {
		const answer = await post(`/api/v2/${resource}/start?${query}`, body);
		expect(answer.status).toBe(400);
		expect(await answer.json()).toEqual({ success: false, message: expect.any(String) as string });
		expect(simulator.ledger.starts).toEqual([]);
	});

	it('refuses malformed JSON and other body types', async () => {
		const send = (type: string): Promise<Response> =>
			call('/api/v2/document/start', {
				method: 'POST',
				body: '{"a":',
				headers: { 'content-type': type },
			});
		expect((await send('application/json')).status).toBe(400);
		expect((await send('text/plain')).status).toBe(415);
	});

	it('takes exactly one file, named file, that is not empty', async () => {
		const file = (text: string): Blob => new Blob([text]);
		const send = async (...parts: [string, Blob | string][]): Promise<number> => {
			const body = new FormData();
			for (const [name, value] of parts) {
				if (typeof value === 'string') body.append(name, value);
				else body.append(name, value, 'a.txt');
			}
			return (await call('/api/v2/document/start', { method: 'POST', body })).status;
		};
		expect(await send(['file', file('')])).toBe(400);
		expect(await send(['data', file('text')])).toBe(400);
		expect(await send(['file', 'no file'])).toBe(400);
		expect(await send(['file', file('one')], ['file', file('two')])).toBe(400);
		expect(await send(['file', file('one')], ['note', 'text'])).toBe(400);
		expect(await send(['file', file('text')])).toBe(200);
		expect(simulator.ledger.entries.map(({ parts }) => parts)).toEqual([1, 1, 1, 2, 2, 1]);
	});

	it('refuses identifiers that are no GUIDs, and does not know others', async () => {
		const paths = (id: string): string[] => [
			`/api/v2/document/result/${id}`,
			`/api/v2/extract/result/${id}`,
			`/api/v2/dataset/result/${id}`,
			`/api/v2/results/${id}/first`,
			`/api/v2/results/${demoRunId}/${id}`,
			`/api/v2/workflow/${id}/latest.json`,
		];
		for (const path of paths('no-guid')) expect((await call(path)).status).toBe(400);
		for (const path of paths(unknownId)) expect((await call(path)).status).toBe(404);
		expect((await call('/api/v2/nothing')).status).toBe(404);
	});
});

describe('jobs', () => {
	it('are in progress, then done', async () => {
		const id = await idOf(await upload('note.txt', Buffer.from('Colour: red')));
		const path = `/api/v2/document/result/${id}`;
		const record = {
			changed: false,
			credits: { remaining: expect.any(Number) as number, used: 0 },
			details: { descr: expect.any(String) as string },
			screenshots: [],
			when: expect.any(Number) as number,
			done: false,
			id,
		};
		const message = expect.any(String) as string;
		expect(await read(path)).toEqual({ message, result: record, success: true });
		expect(await finished(path)).toEqual({
			message,
			result: {
				...record,
				credits: { ...record.credits, used: 1 },
				json: { colour: 'red' },
				screenshots: [`${simulator.origin}/screenshots/${id}/0.png`],
				done: true,
			},
			success: true,
		});
	});

	it('are not found during the configured time', async () => {
		await restart({ notFoundMs: 40 });
		const id = await idOf(await post('/api/v2/document/start'));
		expect((await call(`/api/v2/document/result/${id}`)).status).toBe(404);
		expect((await finished(`/api/v2/document/result/${id}`)).result.done).toBe(true);
	});

	it('take as long as a function of the job says', async () => {
		await restart({ jobDurationMs: ({ task }) => (task.kind === 'dataset' ? 0 : 60_000) });
		const documentId = await idOf(await post('/api/v2/document/start'));
		const datasetId = await idOf(await post('/api/v2/dataset/start', { name: 'Planet' }));
		expect((await read(`/api/v2/document/result/${documentId}`)).result.done).toBe(false);
		expect((await read(`/api/v2/dataset/result/${datasetId}`)).result.done).toBe(true);
		expect(simulator.jobs.list.map(({ id }) => id)).toEqual([documentId, datasetId]);
	});

	it.each([
		'/api/v2/extract/result/{id}',
		'/api/v2/results/{id}/first',
		'/api/v2/document/result/{id}',
		'/my/own/{id}/place',
	])('of URL extractions are read at %s and nowhere else', async (place) => {
		await restart({ resultPath: { urlExtract: place } });
		const id = await idOf(await startUrl('any.html'));
		const candidates = ['extract/result/{id}', 'results/{id}/first', 'document/result/{id}'];
		for (const other of [...candidates.map((path) => `/api/v2/${path}`), place]) {
			const { status } = await call(other.replace('{id}', id));
			expect(status).toBe(other === place ? 200 : 404);
		}
	});

	it('list screenshots, bounded by cap_screenshots, that need the token', async () => {
		const page = 'milk-frother.html';
		expect((await extract(page, undefined, '&cap_screenshots=0')).result.screenshots).toEqual([]);
		const [first, second] = (await extract(page)).result.screenshots;
		expect(second).toMatch(/\/1\.png$/);
		expect((await fetch(first)).status).toBe(401);
		const image = await call(new URL(first).pathname);
		expect(image.headers.get('content-type')).toBe('image/png');
		const signature = Buffer.from(await image.arrayBuffer()).subarray(1, 4);
		expect(signature.toString()).toBe('PNG');
		expect((await call(new URL(first.replace('0.png', '2.png')).pathname)).status).toBe(404);
	});

	it('end with success: false where the agent cannot read the source', async () => {
		const pdf = await document('broken.pdf', Buffer.from('%PDF-1.4 but no more'));
		expect(pdf).toMatchObject({ success: false, message: 'The PDF cannot be read' });
		expect(pdf.result.done).toBe(true);
		expect(pdf.result).not.toHaveProperty('json');
		const page = await extract('missing.html');
		expect(page).toMatchObject({
			success: false,
			message: expect.stringContaining('404') as string,
		});
	});
});

describe('runs and workflows', () => {
	it('exist for demonstrations', async () => {
		const [firstId, secondId] = demoResultIds;
		expect((await read(`/api/v2/results/${demoRunId}/first`)).result.id).toBe(firstId);
		expect((await read(`/api/v2/results/${demoRunId}/${secondId}`)).result).toMatchObject({
			id: secondId,
			done: true,
			json: { price: '€ 329.00' },
		});
		const latest = await read(`/api/v2/workflow/${demoWorkflowId}/latest.json`);
		expect(latest.result).toMatchObject({ changed: true, json: { products: [{}, {}] } });
	});

	it('can be added, also unfinished ones', async () => {
		const row = { resultId: demoWorkflowId, json: { a: 1 }, doneAfterMs: jobDurationMs };
		simulator.jobs.addRun({ runId: unknownId, rows: [row] });
		simulator.jobs.addWorkflow({ workflowId: unknownId, json: { b: 2 } });
		const path = `/api/v2/results/${unknownId}/${demoWorkflowId}`;
		expect((await read(path)).result).not.toHaveProperty('json');
		expect((await finished(path)).result.json).toEqual({ a: 1 });
		const latest = await read(`/api/v2/workflow/${unknownId}/latest.json`);
		expect(latest.result.json).toEqual({ b: 2 });
	});
});

describe('datasets', () => {
	const schema = { name: 'Name of the river', length_km: 'Length in km', mouth: 'Mouth' };

	it('are built from the query and the schema', async () => {
		const id = await idOf(await post('/api/v2/dataset/start?query=the+3+longest+rivers', schema));
		const { json, screenshots } = (await finished(`/api/v2/dataset/result/${id}`)).result;
		expect(screenshots).toEqual([]);
		expect(json).toEqual({
			rows: [
				{ name: 'Volga', length_km: '3531', mouth: 'Caspian Sea' },
				{ name: 'Danube', length_km: '2850', mouth: 'Black Sea' },
				{ name: 'Ural', length_km: '2428', mouth: 'Caspian Sea' },
			],
		});
	});

	it('accept a JSON Schema, with numbers', async () => {
		const properties = { name: { type: 'string' }, moons: { type: 'integer' } };
		const body = { query: 'planets', method: 'advanced', schema: { type: 'object', properties } };
		const id = await idOf(await post('/api/v2/dataset/start', body));
		const { result } = await finished(`/api/v2/dataset/result/${id}`);
		expect(result.credits.used).toBe(10);
		expect(result.json?.rows).toHaveLength(10);
		expect(result.json?.rows).toContainEqual({ name: 'Mars', moons: 2 });
	});

	it.each([
		['query' as const, 200, 400],
		['body' as const, 400, 200],
		['any' as const, 200, 200],
	])('take their inputs from: %s', async (inputsLocation, inQuery, inBody) => {
		await restart({ inputsLocation });
		const body = { query: 'rivers', schema };
		const statuses = [
			(await post('/api/v2/dataset/start?query=rivers', schema)).status,
			(await post('/api/v2/dataset/start', body)).status,
		];
		expect(statuses).toEqual([inQuery, inBody]);
	});
});

describe('uploads', () => {
	it('are recorded with size and hash, not with their bytes', async () => {
		const content = randomBytes(5_000_000);
		await idOf(await upload('große Datei.bin', content));
		const [entry] = simulator.ledger.of('document.start');
		expect(entry).toMatchObject({
			parts: 1,
			file: {
				fieldName: 'file',
				fileName: 'große Datei.bin',
				mimeType: 'application/octet-stream',
				size: content.length,
				sha256: createHash('sha256').update(content).digest('hex'),
			},
		});
		expect(entry.body).toBeUndefined();
	});

	it('of more than the limit are answered with 413, announced or not', async () => {
		await restart({ maxUploadBytes: 1000 });
		expect((await upload('large.bin', Buffer.alloc(2_000_000))).status).toBe(413);
		const head =
			'--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n' +
			'content-type: application/octet-stream\r\n\r\n';
		const body = new Blob([head, new Uint8Array(2_000_000), '\r\n--b--\r\n']).stream();
		const headers = { 'content-type': 'multipart/form-data; boundary=b' };
		const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
		expect((await call('/api/v2/document/start', init)).status).toBe(413);
		expect((await upload('small.bin', Buffer.alloc(10))).status).toBe(200);
	});

	it('that the client gives up are marked as aborted', async () => {
		const body = new ReadableStream({
			start(controller) {
				controller.enqueue(Buffer.from('--b\r\n'));
			},
		});
		const headers = { 'content-type': 'multipart/form-data; boundary=b' };
		const signal = AbortSignal.timeout(50);
		const init = { method: 'POST', body, headers, signal, duplex: 'half' } as RequestInit;
		await expect(call('/api/v2/document/start', init)).rejects.toThrow();
		await sleep(20);
		expect(simulator.ledger.entries).toMatchObject([{ aborted: true }]);
	});
});

describe('faults', () => {
	const latest = `/api/v2/workflow/${demoWorkflowId}/latest.json`;

	it('answer as scripted, for the scripted number of times', async () => {
		const headers = { 'retry-after': '2' };
		const fault = simulator.faults.add({ on: 'result', status: 429, headers, skip: 1, times: 2 });
		const statuses: number[] = [];
		for (let count = 0; count < 4; count += 1) {
			const answer = await call(latest);
			statuses.push(answer.status);
			expect(answer.headers.get('retry-after')).toBe(answer.ok ? null : '2');
		}
		expect(statuses).toEqual([200, 429, 429, 200]);
		expect(fault.hits).toBe(2);
		expect((await post('/api/v2/document/start')).status).toBe(200);
	});

	it('strike only what they are meant for', async () => {
		simulator.faults.add({ on: 'start', status: 503, times: Infinity });
		simulator.faults.add({ on: 'any', match: ({ path }) => path.endsWith('/first') });
		expect((await call(latest)).status).toBe(200);
		expect((await post('/api/v2/document/start')).status).toBe(503);
		expect((await call(`/api/v2/results/${demoRunId}/first`)).status).toBe(500);
		simulator.faults.clear();
		expect((await post('/api/v2/document/start')).status).toBe(200);
		expect(simulator.ledger.starts).toHaveLength(1);
	});

	it('can send malformed JSON', async () => {
		const headers = { 'content-type': 'application/json' };
		simulator.faults.add({ on: 'result', body: '{"result":', headers });
		const answer = await call(latest);
		expect(answer.status).toBe(200);
		expect(answer.headers.get('content-type')).toContain('application/json');
		expect(await answer.text()).toBe('{"result":');
	});

	it('strike by chance, but always in the same way', async () => {
		const run = async (): Promise<boolean[]> => {
			simulator.faults.clear();
			simulator.faults.add({ on: 'result', probability: 0.5, times: Infinity });
			const answers: boolean[] = [];
			for (let count = 0; count < 20; count += 1) answers.push((await call(latest)).ok);
			return answers;
		};
		const first = await run();
		expect(new Set(first).size).toBe(2);
		expect(await run()).toEqual(first);
	});

	it('reset the connection before or after the job is accepted', async () => {
		simulator.faults.add({ on: 'start', kind: 'reset' });
		simulator.faults.add({ on: 'start', kind: 'resetAfterAccept' });
		await expect(post('/api/v2/document/start')).rejects.toThrow();
		expect(simulator.jobs.list).toHaveLength(0);
		await expect(post('/api/v2/document/start')).rejects.toThrow();
		expect(simulator.jobs.list).toHaveLength(1);
		await sleep(10);
		expect(simulator.ledger.entries.map(({ status, aborted }) => [status, aborted])).toEqual([
			[undefined, false],
			[undefined, false],
		]);
	});

	it('delay, or hang until the simulator closes', async () => {
		simulator.faults.add({ on: 'result', delayMs: 100 });
		simulator.faults.add({ on: 'result', kind: 'hang' });
		const startedAtMs = Date.now();
		expect((await call(latest)).status).toBe(200);
		expect(Date.now() - startedAtMs).toBeGreaterThanOrEqual(95);
		const hanging = expect(call(latest)).rejects.toThrow();
		await sleep(50);
		await simulator.close();
		await hanging;
	});
});

describe('the ledger', () => {
	it('records what arrived, in order', async () => {
		const body = { schema: { title: 'The title' } };
		const id = await idOf(
			await post('/api/v2/extract/start?url=https%3A%2F%2Fexample.com%2F&model=small', body),
		);
		await call(`/api/v2/extract/result/${id}`);
		const { ledger } = simulator;
		expect(ledger.entries).toMatchObject([
			{
				method: 'POST',
				path: '/api/v2/extract/start',
				query: { url: 'https://example.com/', model: 'small' },
				body,
				parts: 0,
				operation: 'urlExtract.start',
				jobId: id,
				status: 200,
				aborted: false,
			},
			{ method: 'GET', operation: 'urlExtract.getResult', query: {}, status: 200 },
		]);
		expect(ledger.starts).toEqual(ledger.of('urlExtract.start'));
		expect(ledger.entries[0].headers.authorization).toBe('Bearer demo-token');
		ledger.clear();
		expect(ledger.entries).toEqual([]);
	});
});

describe('the agent', () => {
	const products = {
		title: 'The product name',
		price: 'The price',
		brand: 'The brand',
		in_stock: 'Availability of the product',
		colour: 'The colour',
	};

	async function readPdf(schema: JsonObject): Promise<JsonObject | undefined> {
		// A document start takes either a file or a schema, so the schema is put to the agent directly.
		const { runAgent } = await import('../simulator/agent/agent.cts');
		const content = readFileSync(join(inputs, 'invoice.pdf'));
		const file = { fileName: 'invoice.pdf', content, isComplete: true };
		return (await runAgent({ kind: 'document', file, schema, extended: false })).json;
	}

	it('reads all labelled values and the table of a PDF', async () => {
		const { result } = await document('invoice.pdf', readFileSync(join(inputs, 'invoice.pdf')));
		expect(result.json).toMatchObject({
			invoice_number: 'INV-2024-117',
			invoice_date: '2024-11-04',
			due_date: '2024-12-04',
			seller: 'Nordlicht Coffee Supplies GmbH',
			buyer: 'Café Morgenrot, Inh. Lena Brandt',
			net_amount: '567.80 EUR',
			vat_19: '107.88 EUR',
			total: '675.68 EUR',
		});
		expect(result.json?.rows).toHaveLength(4);
		expect(result.json?.rows).toContainEqual({
			description: 'Burr grinder maintenance kit',
			quantity: '2',
			unit_price: '39.90',
			amount: '79.80',
		});
	});

	it('fills the fields of a schema from a PDF', async () => {
		const schema = {
			invoice_number: 'The invoice number',
			total: 'The total amount',
			dueDate: 'When payment is due',
			vendor: { name: 'Name of the vendor', phone: 'Phone number of the vendor' },
			lines: [{ description: 'What was sold', quantity: 'How many', amount: 'Line total' }],
		};
		const json = await readPdf(schema);
		expect(json).toMatchObject({
			invoice_number: 'INV-2024-117',
			total: '675.68 EUR',
			dueDate: '2024-12-04',
			vendor: { name: 'Nordlicht Coffee Supplies GmbH', phone: null },
		});
		expect(json?.lines).toHaveLength(4);
		expect(json?.lines).toContainEqual({
			description: 'Espresso beans Sidamo, 1 kg',
			quantity: '24',
			amount: '444.00',
		});
	});

	it('gives numbers where a JSON Schema asks for them', async () => {
		const line = { type: 'object', properties: { unit_price: { type: 'number' } } };
		const properties = {
			total: { type: ['number', 'null'] },
			type: { type: 'string', description: 'The type of the pump' },
			lines: { type: 'array', items: line },
		};
		const lines = [18.5, 3.2, 39.9, 12].map((price) => ({ unit_price: price }));
		const json = await readPdf({ type: 'object', properties });
		expect(json).toEqual({ total: 675.68, type: null, lines });
	});

	it('gives numbers where a description asks for them in words', async () => {
		const json = await readPdf({
			total: 'Total amount (number)',
			invoice_number: 'Invoice number',
			lines: [{ quantity: 'whole number', unit_price: 'Price of one (number)' }],
		});
		expect(json).toMatchObject({ total: 675.68, invoice_number: 'INV-2024-117' });
		expect(json?.lines).toContainEqual({ quantity: 24, unit_price: 18.5 });
	});

	it('reads text files', async () => {
		const { result } = await document('invoice.txt', readFileSync(join(inputs, 'invoice.txt')));
		expect(result.json).toMatchObject({
			invoice_number: 'HOS-5531',
			buyer: 'Greenfield Primary School',
			total: '194.40 GBP',
		});
		expect(result.json?.rows).toContainEqual({
			description: 'A4 paper, 500 sheets',
			quantity: '20',
			unit_price: '4.15',
			amount: '83.00',
		});
	});

	it.each([
		['espresso-machine.html', 'Aurora One espresso machine', '€ 649.00', 'Aurora', 'In stock'],
		['coffee-grinder.html', 'Mira 64 coffee grinder', '€ 329.00', 'Mira', 'Ships in 3 days'],
		['milk-frother.html', 'Cloud milk frother', '€ 59.90', 'Cloud', 'Out of stock'],
	])('fills the fields of a schema from %s', async (page, title, price, brand, stock) => {
		const { json } = (await extract(page, products)).result;
		expect(json).toEqual({ title, price, brand, in_stock: stock, colour: null });
	});

	it('reads the rows of a table on a page', async () => {
		const reviews = [{ author: 'Who wrote it', comment: 'What was written' }];
		const { json } = (await extract('coffee-grinder.html', { reviews })).result;
		expect(json).toEqual({
			reviews: [
				{ author: 'Jonas', comment: 'Very quiet and even grind.' },
				{ author: 'Priya', comment: 'Great, but heavy.' },
				{ author: 'Marek', comment: 'Easy to clean.' },
			],
		});
	});

	it('reads no pages beyond this machine, and says so', async () => {
		const id = await idOf(
			await post('/api/v2/extract/start?url=https%3A%2F%2Fexample.com', { schema: products }),
		);
		const { result, success } = await finished(`/api/v2/extract/result/${id}`);
		expect(success).toBe(true);
		expect(result.details.descr).toContain('loopback');
		expect(Object.values(result.json ?? {})).toEqual([null, null, null, null, null]);
	});

	it('does nothing before it is asked', async () => {
		await idOf(await startUrl('milk-frother.html'));
		await sleep(jobDurationMs + 10);
		expect(simulator.ledger.of('page')).toEqual([]);
	});
});
