import { randomUUID } from 'node:crypto';
import type { INodeExecutionData } from 'n8n-workflow';
import type { NodeJson } from '../harness/engine.cts';
import type { JsonObject } from '../simulator/json.cts';
import { screenshotPng } from '../simulator/screenshot.cts';
import {
	AGENT,
	agentWorkflow,
	numbered,
	setStage,
	urlExtract,
	type Stage,
} from './support/agent.cts';
import { answer, startTinyServer, type TinyServer } from './support/tinyServer.cts';

const workflowId = '5a1c9a52-6d0f-4f4f-9c57-0f4f3d1f8a11';
const rowId = 'b3a0d1f2-7c64-4d2e-8a19-52f1c0a7e6d4';
const forms = ['simplified', 'data', 'full'] as const;

let stage: Stage;

beforeAll(async () => {
	stage = await setStage({
		// The page's address says how long the job takes.
		jobDurationMs: ({ task }) =>
			Number(task.kind === 'urlExtract' ? (new URL(task.url).searchParams.get('ms') ?? 20) : 20),
	});
});
afterAll(() => stage.close());
beforeEach(() => {
	stage.simulator.ledger.clear();
	stage.simulator.faults.clear();
});

/** What the service answers with when a result has this data. */
function envelopeOf(json: JsonObject[string], more: JsonObject = {}): JsonObject {
	return {
		message: 'Finished',
		success: true,
		result: {
			changed: true,
			credits: { remaining: 90, used: 2 },
			details: { descr: 'Read by hand' },
			json,
			screenshots: [],
			when: 1_700_000_000,
			done: true,
			id: rowId,
			...more,
		},
	};
}

const latest = (more: object = {}): object => ({
	resource: 'workflow',
	operation: 'getLatest',
	workflowId,
	...more,
});

/** The items that come of one answer of the service. */
async function itemsOf(
	body: JsonObject,
	more: object = {},
	node: Partial<NodeJson> = {},
): Promise<INodeExecutionData[]> {
	stage.simulator.faults.add({ on: 'result', body });
	const outcome = await stage.run(latest(more), { node });
	expect(outcome.error).toBeUndefined();
	return outcome.items(AGENT);
}

const jsonsOf = async (body: JsonObject, more: object = {}) =>
	(await itemsOf(body, more)).map(({ json }) => json);

describe('simplified', () => {
	it('holds exactly the fields of the contract', async () => {
		expect(await jsonsOf(envelopeOf({ price: '€ 3' }))).toStrictEqual([
			{
				id: workflowId,
				done: true,
				changed: true,
				when: 1_700_000_000,
				credits: { remaining: 90, used: 2 },
				details: 'Read by hand',
				screenshots: [],
				data: { price: '€ 3' },
			},
		]);
	});

	it('leaves out what the service left out', async () => {
		const body = { result: { done: true, json: { price: 3 } } };
		expect(await jsonsOf(body)).toStrictEqual([{ id: workflowId, done: true, data: { price: 3 } }]);
	});

	it('has the identifier that was started', async () => {
		const outcome = await stage.run(urlExtract(stage.simulator));
		const [{ jobId }] = stage.simulator.ledger.starts;
		expect(outcome.items(AGENT)[0].json).toMatchObject({ id: jobId, done: true });
	});

	it('has the identifier that was asked for where the row has another one', async () => {
		const runId = randomUUID();
		stage.simulator.jobs.addRun({ runId, rows: [{ resultId: rowId, json: { n: 1 } }] });
		const outcome = await stage.run({ resource: 'runResult', operation: 'getFirst', runId });
		expect(outcome.items(AGENT)[0].json).toMatchObject({ id: runId, data: { n: 1 } });
		const row = await stage.run({
			resource: 'runResult',
			operation: 'get',
			runId,
			resultId: rowId,
		});
		expect(row.items(AGENT)[0].json).toMatchObject({ id: rowId, data: { n: 1 } });
	});
});

it('data: the members of the data at top level', async () => {
	expect(await jsonsOf(envelopeOf({ price: 3, list: [1] }), { output: 'data' })).toStrictEqual([
		{ price: 3, list: [1] },
	]);
});

it('full: the envelope as received', async () => {
	const body = { ...envelopeOf({ price: 3 }), trace: 'abc' };
	expect(await jsonsOf(body, { output: 'full' })).toStrictEqual([body]);
});

it('a start that does not wait: the answer, its ID and done: false', async () => {
	const parameters = urlExtract(stage.simulator, { waitForCompletion: false });
	const outcome = await stage.run(parameters);
	const { starts, entries } = stage.simulator.ledger;
	expect(outcome.items(AGENT).map(({ json }) => json)).toStrictEqual([
		{ id: starts[0].jobId, message: 'The work has started', success: true, done: false },
	]);
	expect(entries).toHaveLength(1);
});

describe('a result in progress', () => {
	const inProgress: JsonObject = {
		message: 'In progress',
		success: true,
		result: { done: false, details: { descr: 'Working' } },
	};

	it.each(forms)('%s: is no failure, and has the ID', async (output) => {
		const [json] = await jsonsOf(inProgress, { output, splitIntoItems: true });
		expect(json).toStrictEqual(
			output === 'full'
				? { ...inProgress, id: workflowId }
				: { id: workflowId, done: false, details: 'Working' },
		);
	});

	it.each(forms)('%s: is not split, and keeps the ID', async (output) => {
		const body = { success: true, result: { done: false, json: { rows: [{ n: 1 }, { n: 2 }] } } };
		const items = await jsonsOf(body, { output, splitIntoItems: true });
		expect(items).toStrictEqual([
			output === 'full'
				? { ...body, id: workflowId }
				: { id: workflowId, done: false, data: body.result.json },
		]);
	});
});

describe('splitIntoItems', () => {
	const rows: JsonObject[] = [{ name: 'a' }, { name: 'b', error: 'none' }, { name: 'c' }];
	const cases: [string, JsonObject[string], JsonObject[] | undefined][] = [
		['a list of rows', rows, rows],
		['one member that is a list of rows', { rows, total: 3, tags: ['x'] }, rows],
		['one list of rows beside an empty list', { rows, more: [] }, rows],
		['two members that are lists of rows', { rows, more: rows }, undefined],
		['a list of scalars', { tags: ['x', 'y'] }, undefined],
		['a list of rows and scalars', { rows: [{ name: 'a' }, 'b'] }, undefined],
		['a list of lists', { rows: [[{ name: 'a' }]] }, undefined],
		['an empty list', { rows: [] }, undefined],
		['no list', { name: 'a' }, undefined],
	];

	it.each(cases)('%s, simplified', async (_, json, split) => {
		const items = await jsonsOf(envelopeOf(json), { splitIntoItems: true });
		expect(items.map(({ data }) => data)).toStrictEqual(split ?? [json]);
		for (const item of items) expect(item).toMatchObject({ id: workflowId, done: true });
	});

	it.each(cases)('%s, data only', async (_, json, split) => {
		const items = await jsonsOf(envelopeOf(json), { splitIntoItems: true, output: 'data' });
		const expected = (split ?? [json]) as JsonObject[];
		expect(items).toStrictEqual(
			expected.map((row) => (Object.hasOwn(row, 'error') ? { data: row } : row)),
		);
	});

	it.each(cases)('%s, full', async (_, json, split) => {
		const items = await jsonsOf(envelopeOf(json), { splitIntoItems: true, output: 'full' });
		expect(items).toStrictEqual((split ?? [json]).map((row) => envelopeOf(row)));
	});

	it('does not split unless asked', async () => {
		expect(await jsonsOf(envelopeOf({ rows }), { output: 'data' })).toStrictEqual([{ rows }]);
		expect(await jsonsOf(envelopeOf(rows), { output: 'data' })).toStrictEqual([{ data: rows }]);
	});

	it('pairs every row with its input item', async () => {
		for (let n = 0; n < 2; n++)
			stage.simulator.faults.add({ on: 'result', body: envelopeOf(rows) });
		const outcome = await stage.run(latest({ splitIntoItems: true }), { inputItems: numbered(2) });
		expect(outcome.items(AGENT).map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 0, 1, 1, 1].map((item) => ({ item })),
		);
	});
});

describe('a member named error in a success', () => {
	const data = { error: 'E17 on the label', price: 3 };
	const withError = { ...envelopeOf(data), error: null };
	const cases: [string, JsonObject, object, object[]][] = [
		['in the data', envelopeOf(data), { output: 'data' }, [{ data }]],
		['that is null', envelopeOf({ error: null }), { output: 'data' }, [{ data: { error: null } }]],
		[
			'in rows',
			envelopeOf({ rows: [{ error: 1 }, { n: 2 }] }),
			{ output: 'data', splitIntoItems: true },
			[{ data: { error: 1 } }, { n: 2 }],
		],
		['in the envelope', withError, { output: 'full' }, [{ data: withError }]],
	];

	it.each(cases)('%s is nested, and nothing runs again', async (_, body, more, expected) => {
		stage.simulator.faults.add({ on: 'result', body, times: Infinity });
		const outcome = await stage.run(urlExtract(stage.simulator, more), {
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } as Partial<NodeJson>,
		});
		expect(outcome.status).toBe('success');
		expect(outcome.items(AGENT).map(({ json }) => json)).toStrictEqual(expected);
		expect(stage.simulator.ledger.of('urlExtract.start')).toHaveLength(1);
		expect(stage.simulator.ledger.of('urlExtract.getResult')).toHaveLength(1);
	});

	it.each(cases)('%s stays off the error output', async (_, body, more, expected) => {
		stage.simulator.faults.add({ on: 'result', body });
		const outcome = await stage.run(latest(more), { node: { onError: 'continueErrorOutput' } });
		expect(outcome.items(AGENT, 0).map(({ json }) => json)).toStrictEqual(expected);
		expect(outcome.items(AGENT, 1)).toEqual([]);
	});
});

describe('downloadScreenshots', () => {
	let other: TinyServer;

	beforeEach(async () => {
		other = await startTinyServer((request, response) => {
			if (request.url === '/missing.png') answer(response, 404, 'not here');
			else response.writeHead(200, { 'content-type': 'image/jpeg' }).end('a photo');
		});
	});
	afterEach(() => other.close());

	/** A finished job of the service with two screenshots of its own. */
	function ownScreenshots(): string[] {
		const { jobs, origin } = stage.simulator;
		const task = { kind: 'document', extended: false } as const;
		const { id } = jobs.start({ task, creditsUsed: 1, screenshotCount: 2 });
		return [0, 1].map((index) => `${origin}/screenshots/${id}/${index}.png`);
	}

	const download = (screenshots: string[], more: object = {}) =>
		itemsOf(envelopeOf({ price: 3 }, { screenshots }), { downloadScreenshots: true, ...more });

	it("attaches the service's own, another host's and data: URIs, in order", async () => {
		const uri = `data:image/png;base64,${screenshotPng.toString('base64')}`;
		const [{ json, binary = {} }] = await download([
			...ownScreenshots(),
			`${other.origin}/photo.jpg`,
			uri,
			'data:text/plain,a%20text',
		]);
		expect(json).not.toHaveProperty('screenshotProblems');
		expect(Object.keys(binary)).toEqual([0, 1, 2, 3, 4].map((index) => `screenshot_${index}`));
		const found = await Promise.all(
			Object.values(binary).map(async (file) => [
				file.fileName,
				file.mimeType,
				(await stage.engine.readBinary(file)).toString('base64'),
			]),
		);
		const png = screenshotPng.toString('base64');
		expect(found).toEqual([
			['screenshot_0.png', 'image/png', png],
			['screenshot_1.png', 'image/png', png],
			['screenshot_2.jpg', 'image/jpeg', Buffer.from('a photo').toString('base64')],
			['screenshot_3.png', 'image/png', png],
			['screenshot_4', 'text/plain', Buffer.from('a text').toString('base64')],
		]);
	});

	it("sends the token to the service's own origin only", async () => {
		await download([...ownScreenshots(), `${other.origin}/photo.jpg`]);
		const own = stage.simulator.ledger.of('screenshot');
		expect(own.map(({ headers }) => headers.authorization)).toEqual(
			Array(2).fill(`Bearer ${stage.simulator.token}`),
		);
		expect(other.requests).toHaveLength(1);
		expect(JSON.stringify(other.requests[0].rawHeaders)).not.toContain(stage.simulator.token);
		expect(other.requests[0].headers.authorization).toBeUndefined();
	});

	it('does not carry the token along a redirect to another origin', async () => {
		const [own] = ownScreenshots();
		stage.simulator.faults.add({
			on: 'any',
			match: ({ operation }) => operation === 'screenshot',
			status: 302,
			headers: { location: `${other.origin}/photo.jpg` },
			body: '',
		});
		const [{ json, binary }] = await download([own]);
		for (const { headers } of other.requests) expect(headers.authorization).toBeUndefined();
		expect(binary).toBeUndefined();
		expect(json.screenshotProblems).toEqual([
			{ index: 0, screenshot: own, reason: expect.stringContaining('302') as string },
		]);
	});

	it('lists those that cannot be had, and fails nothing', async () => {
		const [own] = ownScreenshots();
		const missing = own.replace('/0.png', '/7.png');
		const screenshots = [missing, `${other.origin}/missing.png`, 'ftp://host/a.png', own];
		const [{ json, binary = {} }] = await download(screenshots);
		expect(Object.keys(binary)).toEqual(['screenshot_3']);
		expect(json).toMatchObject({
			data: { price: 3 },
			screenshotProblems: [
				{ index: 0, screenshot: missing, reason: expect.stringContaining('404') as string },
				{ index: 1, screenshot: screenshots[1], reason: expect.stringContaining('404') as string },
				{ index: 2, screenshot: screenshots[2], reason: expect.stringMatching(/http/) as string },
			],
		});
	});

	it.each(['data:nonsense', 'data:text/plain,%E0%A4%A'])('lists %s too', async (uri) => {
		const [{ json, binary }] = await download([uri]);
		expect(binary).toBeUndefined();
		expect(json).toMatchObject({
			data: { price: 3 },
			screenshotProblems: [{ index: 0, screenshot: uri }],
		});
	});

	it('takes an address without a host for one of the service', async () => {
		const [own] = ownScreenshots();
		const [{ binary = {} }] = await download([new URL(own).pathname]);
		expect(await stage.engine.readBinary(binary.screenshot_0)).toEqual(screenshotPng);
	});

	it.each(['data', 'full'])('attaches them in the form %s as well', async (output) => {
		const [{ binary = {} }] = await download(ownScreenshots(), { output });
		expect(Object.keys(binary)).toEqual(['screenshot_0', 'screenshot_1']);
	});

	it('downloads nothing unless asked', async () => {
		const [{ binary }] = await download(ownScreenshots(), { downloadScreenshots: false });
		expect(binary).toBeUndefined();
		expect(stage.simulator.ledger.of('screenshot')).toEqual([]);
	});
});

describe('several items', () => {
	const durations = [120, 20, 80, 40];
	const inputItems = durations.map((ms, n): INodeExecutionData => ({ json: { n, ms } }));
	const parameters = () =>
		urlExtract(stage.simulator, {
			url: `=${stage.simulator.origin}/pages/coffee-grinder.html?ms={{ $json.ms }}&n={{ $json.n }}`,
		});

	it('come out in the order of the input, whatever finished first', async () => {
		const outcome = await stage.run(parameters(), { inputItems });
		const { starts } = stage.simulator.ledger;
		const jobIds = inputItems.map(
			({ json }) =>
				starts.find(({ query }) => String(query.url).endsWith(`&n=${String(json.n)}`))?.jobId,
		);
		expect(new Set(jobIds).size).toBe(durations.length);
		const items = outcome.items(AGENT);
		expect(items.map(({ json }) => json.id)).toEqual(jobIds);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			durations.map((_, item) => ({ item })),
		);
	});

	it('can be traced back to their input in nodes behind', async () => {
		const workflow = agentWorkflow(parameters());
		workflow.nodes.push({
			name: 'Set',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				assignments: {
					assignments: [
						{ id: '1', name: 'n', type: 'number', value: "={{ $('Start').item.json.n }}" },
						{ id: '2', name: 'id', type: 'string', value: '={{ $json.id }}' },
					],
				},
			},
		} as NodeJson);
		Object.assign(workflow.connections, {
			[AGENT]: { main: [[{ node: 'Set', type: 'main', index: 0 }]] },
		});
		const outcome = await stage.engine.run(workflow, { inputItems });
		expect(outcome.error).toBeUndefined();
		expect(outcome.items('Set').map(({ json }) => json)).toEqual(
			outcome.items(AGENT).map(({ json }, n) => ({ n, id: json.id })),
		);
		expect(outcome.items('Set')).toHaveLength(durations.length);
	});
});
