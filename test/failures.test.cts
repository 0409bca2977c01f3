import type { IDataObject } from 'n8n-workflow';
import { createEngine, type NodeJson, type Outcome } from '../harness/engine.cts';
import type { FaultScript } from '../simulator/faults.cts';
import type { JsonObject } from '../simulator/json.cts';
import {
	AGENT,
	TOOL_TYPE,
	agentWorkflow,
	FAILED,
	numbered,
	setStage,
	SUCCESS,
	TOKEN,
	urlExtract,
	type Stage,
} from './support/agent.cts';
import { expectDocumented } from './support/messageTables.cts';
import { closedOrigin } from './support/tinyServer.cts';

let stage: Stage;

beforeAll(async () => {
	stage = await setStage({ jobDurationMs: 20 });
});
afterAll(() => stage.close());
beforeEach(() => {
	stage.simulator.ledger.clear();
	stage.simulator.faults.clear();
});

/** What a service says that does not care about secrets; it comes in every answer below. */
const SAID = 'Please call Ms Öz';
const words: JsonObject = {
	success: false,
	message: `${SAID} about ${TOKEN}`,
	debug: { authorization: `Bearer ${TOKEN}`, [TOKEN]: [encodeURIComponent(TOKEN)] },
};
const headers = {
	'x-echo': TOKEN,
	'www-authenticate': `Bearer realm="${TOKEN}"`,
	'set-cookie': `token=${TOKEN}`,
};

interface Case {
	fault?: FaultScript;
	message: RegExp;
	description: RegExp;
	httpCode?: string;
	/** Whether a job exists, so that its ID must be told. */
	started?: boolean;
	/** Requests for the start, where it matters. */
	posts?: number;
	/** The answer comes without the service's own words. */
	wordless?: boolean;
	/** Nothing listens at the base URL. */
	closed?: boolean;
}

const onStart = (status: number): FaultScript => ({
	on: 'start',
	status,
	headers,
	body: words,
	times: Infinity,
});
const accepted = /Look in the service .* may cost twice/;

const cases: Record<string, Case> = {
	'401': {
		fault: onStart(401),
		message: /^The service refused the access token \(401\)/,
		description: /credential/,
		httpCode: '401',
	},
	'402': {
		fault: onStart(402),
		message: /^The service asks for payment \(402\)/,
		description: /credits/,
		httpCode: '402',
		posts: 1,
	},
	'403': {
		fault: onStart(403),
		message: /not allowed to do this \(403\)/,
		description: /permissions/,
		httpCode: '403',
		posts: 1,
	},
	// A start has no ID: nothing can be wrong but the address.
	'404': {
		fault: onStart(404),
		message: /^(?!.*this ID).*\(404\)/,
		description: /Base URL/,
		httpCode: '404',
		posts: 1,
	},
	'400': {
		fault: onStart(400),
		message: /^The service did not accept the request \(400\)/,
		description: /parameters/,
		httpCode: '400',
		posts: 1,
	},
	'422': {
		fault: onStart(422),
		message: /^The service did not accept the request \(422\)/,
		description: /parameters/,
		httpCode: '422',
		posts: 1,
	},
	'429 for ever': {
		fault: onStart(429),
		message: /^The service got too many requests \(429\)/,
		description: /Max Concurrent Jobs.*Max Requests per Second/,
		httpCode: '429',
	},
	'500 on start': {
		fault: onStart(500),
		message: /^The service has trouble \(500\).*The job may have been accepted$/,
		description: accepted,
		httpCode: '500',
		posts: 1,
	},
	'503 on every poll': {
		fault: { on: 'result', status: 503, headers, body: words, times: Infinity },
		message: /^The job was still in progress after 0\.2 seconds; at last: The .* trouble \(503\)/,
		description: /maxWaitSeconds/,
		httpCode: '503',
		started: true,
		posts: 1,
	},
	'403 on poll': {
		fault: { on: 'result', status: 403, headers, body: words, times: Infinity },
		message: /not allowed to do this \(403\)/,
		description: /permissions/,
		httpCode: '403',
		started: true,
		posts: 1,
	},
	'reset on start': {
		fault: { on: 'start', kind: 'reset', times: Infinity },
		message: /broke off \(ECONNRESET\).*The job may have been accepted$/,
		description: accepted,
		posts: 1,
		wordless: true,
	},
	'reset after it was accepted': {
		fault: { on: 'start', kind: 'resetAfterAccept', times: Infinity },
		message: /broke off \(ECONNRESET\).*The job may have been accepted$/,
		description: accepted,
		posts: 1,
		wordless: true,
	},
	'a web page': {
		fault: { on: 'start', headers, body: `<html>${TOKEN}</html>`, times: Infinity },
		message: /not JSON, a web page for example.*The job may have been accepted$/,
		description: accepted,
		posts: 1,
		wordless: true,
	},
	'a redirect': {
		fault: {
			on: 'start',
			status: 307,
			headers: { location: `https://elsewhere.example/?t=${TOKEN}` },
			body: words,
			times: Infinity,
		},
		message: /^The service redirects to another address \(307\)/,
		description: /Base URL.*elsewhere\.example\/\?t=\[access token\]/,
		httpCode: '307',
		posts: 1,
	},
	'success: false on start': {
		fault: { on: 'start', status: 200, headers, body: words, times: Infinity },
		message: /^The service did not accept the job: /,
		description: /parameters/,
		posts: 1,
	},
	'success: false on poll': {
		fault: { on: 'result', status: 200, headers, body: words, times: Infinity },
		message: /^The job failed: /,
		description: /run it again; it is started anew/,
		started: true,
		posts: 1,
	},
	'no ID': {
		fault: {
			on: 'start',
			headers,
			body: { success: true, message: TOKEN, result: {} },
			times: Infinity,
		},
		message: /accepted the job and sent no ID for it.*The job may have been accepted$/,
		description: accepted,
		posts: 1,
		wordless: true,
	},
	'done without data': {
		fault: {
			on: 'result',
			headers,
			body: { ...words, success: true, result: { done: true } },
			times: Infinity,
		},
		message: /^The job is complete and holds no data: /,
		description: /started anew/,
		started: true,
		posts: 1,
	},
	'nobody there': {
		message: /^Nothing answers at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)$/,
		description: /Base URL/,
		posts: 0,
		wordless: true,
		closed: true,
	},
};

/** One run with the failure, looked through for the token. */
async function fail(one: Case, node: Partial<NodeJson> = {}): Promise<Outcome> {
	// Where nothing may be repeated, there has to be time enough to do it nevertheless.
	const maxWaitSeconds = one.fault?.on === 'start' && one.httpCode !== '429' ? 30 : 0.2;
	const parameters = urlExtract(stage.simulator, {
		waitOptions: { pollIntervalSeconds: 0.02, maxWaitSeconds },
		options: { resultPath: '/api/v2/extract/result/{id}' },
	});
	if (one.fault) stage.simulator.faults.add(one.fault);
	const outcome = one.closed
		? await runWithoutService(parameters, node)
		: await stage.run(parameters, { node });
	expectNoToken(outcome);
	const { ledger } = stage.simulator;
	if (one.posts !== undefined) expect(ledger.of('urlExtract.start')).toHaveLength(one.posts);
	return outcome;
}

async function runWithoutService(parameters: object, node: Partial<NodeJson>): Promise<Outcome> {
	const baseUrl = await closedOrigin();
	const engine = await createEngine({
		credentials: { dataExtractionAgentApi: { data: { baseUrl, accessToken: TOKEN } } },
	});
	try {
		return await engine.run(agentWorkflow(parameters, node));
	} finally {
		engine.close();
	}
}

function expectNoToken({ serialized, logs }: Outcome): void {
	expect(serialized.length).toBeGreaterThan(100);
	expect(serialized).not.toContain(TOKEN);
	expect(logs.join('\n')).not.toContain(TOKEN);
}

const startedId = () => stage.simulator.ledger.starts[0]?.jobId;

function expectWords({ wordless = false }: Case, message: string): void {
	expect(message.includes(SAID)).toBe(!wordless);
	expect(message.includes('[access token]')).toBe(!wordless);
}

/** The failure item of the contract, and nothing besides. */
function expectFailureItem(one: Case, json: IDataObject): void {
	expect(Object.keys(json)).toContain('error');
	const { message, description, ...rest } = json.error as Record<string, string>;
	expect(message).toMatch(one.message);
	expectWords(one, message);
	expect(description).toMatch(one.description);
	expectDocumented({ message, description });
	expect(rest).toEqual({
		resource: 'urlExtract',
		operation: 'start',
		...(one.httpCode && { httpCode: one.httpCode }),
		...(one.started && { id: startedId() }),
	});
}

describe.each(Object.entries(cases))('%s', (_, one) => {
	it('stops the workflow', async () => {
		const outcome = await fail(one);
		expect(outcome.status).toBe('error');
		const { error } = outcome;
		expect(error?.name).toBe(one.httpCode ? 'NodeApiError' : 'NodeOperationError');
		expect(error?.message).toMatch(one.message);
		expectWords(one, error?.message ?? '');
		expect(error?.description).toMatch(one.description);
		expect(error?.httpCode ?? undefined).toBe(one.httpCode);
		expect(error?.context?.itemIndex).toBe(0);
		expect(outcome.items(AGENT)).toEqual([]);
		if (one.started) expect(error?.description).toContain(`ID: ${String(startedId())}.`);
		else expect(error?.description).not.toMatch(/ID: |Jobs started so far/);
	});

	it.each([
		['where the node continues', { onError: 'continueRegularOutput' }],
		// For which the editor offers no On Error.
		['where an AI agent uses the node as a tool', { type: TOOL_TYPE }],
	])('becomes an item %s', async (_title, node) => {
		const outcome = await fail(one, node);
		expect(outcome.status).toBe('success');
		const items = outcome.items(AGENT);
		expect(items).toHaveLength(1);
		expect(Object.keys(items[0].json)).toEqual(['error']);
		expectFailureItem(one, items[0].json);
		expect(items[0].pairedItem).toEqual({ item: 0 });
	});

	it('goes to the error output', async () => {
		const outcome = await fail(one, { onError: 'continueErrorOutput' });
		expect(outcome.status).toBe('success');
		expect(outcome.items(AGENT, 0)).toEqual([]);
		expect(outcome.items(SUCCESS)).toEqual([]);
		expect(outcome.items(AGENT, 1)).toHaveLength(1);
		expect(outcome.items(FAILED)).toHaveLength(1);
		expectFailureItem(one, outcome.items(FAILED)[0].json);
	});
});

describe('one of several items', () => {
	const inputItems = numbered(3);
	const parameters = () =>
		urlExtract(stage.simulator, {
			url: `=${stage.simulator.origin}/pages/coffee-grinder.html?n={{ $json.n }}`,
			batching: { maxConcurrentJobs: 1 },
		});
	const refuseSecond = () =>
		stage.simulator.faults.add({
			...onStart(402),
			match: ({ query }) => String(query.url).endsWith('n=1'),
		});

	it('ends the run, which names the item and every job already started', async () => {
		stage.simulator.faults.add({
			...onStart(402),
			match: ({ query }) => String(query.url).endsWith('n=2'),
		});
		const { error, ...outcome } = await stage.run(parameters(), { inputItems });
		const { starts } = stage.simulator.ledger;
		expect(outcome.status).toBe('error');
		expect(error?.context?.itemIndex).toBe(2);
		expect(starts).toHaveLength(2);
		expect(error?.description).toContain(
			`Jobs started so far: ${starts.map(({ jobId }) => jobId).join(', ')}.`,
		);
	});

	it('starts nothing after it', async () => {
		refuseSecond();
		await stage.run(parameters(), { inputItems });
		const posts = stage.simulator.ledger.of('urlExtract.start');
		expect(posts.map(({ query }) => String(query.url).slice(-3))).toEqual(['n=0', 'n=1']);
	});

	it('keeps its place among the others', async () => {
		refuseSecond();
		const outcome = await stage.run(parameters(), {
			inputItems,
			node: { onError: 'continueRegularOutput' },
		});
		const items = outcome.items(AGENT);
		expect(items.map(({ json }) => Object.hasOwn(json, 'error'))).toEqual([false, true, false]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		expectNoToken(outcome);
	});

	it('goes another way than the others, with its input', async () => {
		refuseSecond();
		const outcome = await stage.run(parameters(), {
			inputItems,
			node: { onError: 'continueErrorOutput' },
		});
		expect(outcome.items(SUCCESS).map(({ json }) => json.done)).toEqual([true, true]);
		expect(outcome.items(FAILED)).toHaveLength(1);
		expect(outcome.items(FAILED)[0].json).toMatchObject({ n: 1, error: { httpCode: '402' } });
	});
});

it('the token that a service echoes in a success is in no item', async () => {
	stage.simulator.faults.add({
		on: 'result',
		headers,
		body: { ...words, success: true, result: { done: true, json: { [TOKEN]: [TOKEN], n: 1 } } },
	});
	const outcome = await stage.run(urlExtract(stage.simulator, { output: 'full' }));
	expect(outcome.items(AGENT)[0].json).toMatchObject({
		result: { json: { '[access token]': ['[access token]'], n: 1 } },
	});
	expectNoToken(outcome);
});

it('an expired token is named with its date', async () => {
	const [head, , signature] = TOKEN.split('.');
	const claims = Buffer.from(JSON.stringify({ exp: 1_582_979_400 })).toString('base64url');
	const engine = await createEngine({
		credentials: {
			dataExtractionAgentApi: {
				data: {
					baseUrl: stage.simulator.origin,
					accessToken: [head, claims, signature].join('.'),
				},
			},
		},
	});
	const outcome = await engine.run(agentWorkflow(urlExtract(stage.simulator)));
	engine.close();
	expect(outcome.error?.message).toBe(
		'The access token expired on 2020-02-29 12:30 UTC (401): The access token has expired',
	);
	expect(outcome.serialized).not.toContain(claims);
});
