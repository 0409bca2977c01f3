import type { RequestListener } from 'node:http';
import { createEngine } from '../harness/engine.cts';
import type { FaultScript } from '../simulator/faults.cts';
import { AGENT, agentWorkflow, setStage, TOKEN, type Stage } from './support/agent.cts';
import { answer, closedOrigin, startTinyServer, type TinyServer } from './support/tinyServer.cts';

const ok = { status: 'OK', message: 'The service accepts the access token' };
const refused = (words: RegExp) => ({
	status: 'Error',
	message: expect.stringMatching(words) as string,
});

let stage: Stage;
const servers: TinyServer[] = [];

beforeAll(async () => {
	stage = await setStage();
});
afterAll(() => stage.close());
beforeEach(() => {
	stage.simulator.ledger.clear();
	stage.simulator.faults.clear();
});
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

/** The verdict, which never holds the token. */
async function verdict(baseUrl: string, accessToken = TOKEN) {
	const result = await stage.engine.testCredential('dataExtractionAgentApi', {
		baseUrl,
		accessToken,
	});
	if (accessToken !== '') expect(JSON.stringify(result)).not.toContain(accessToken);
	return result;
}

async function serve(listener: RequestListener): Promise<TinyServer> {
	const server = await startTinyServer(listener);
	servers.push(server);
	return server;
}

/** A JWT that the service has never seen. */
function jwt(claims: object): string {
	const [head, , signature] = TOKEN.split('.');
	return [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
}

describe('the token', () => {
	it('is good, and nothing was started', async () => {
		expect(await verdict(stage.simulator.origin)).toEqual(ok);
		const { entries } = stage.simulator.ledger;
		expect(entries.map(({ method, operation }) => [method, operation])).toEqual([
			['GET', 'document.getResult'],
		]);
	});

	it('is good also where the service knows the ID by chance', async () => {
		stage.simulator.faults.add({ on: 'result', body: { success: true, result: { done: true } } });
		expect(await verdict(stage.simulator.origin)).toEqual(ok);
	});

	it('is not valid', async () => {
		expect(await verdict(stage.simulator.origin, jwt({ sub: 'nobody' }))).toEqual(
			refused(/refused the access token \(401\): The access token is not valid/),
		);
	});

	it('is no JWT', async () => {
		expect(await verdict(stage.simulator.origin, 'abcdefgh-12345')).toEqual(
			refused(/refused the access token \(401\)/),
		);
	});

	it('has no permission', async () => {
		stage.simulator.faults.add({
			on: 'result',
			status: 403,
			body: { success: false, message: 'Ask your administrator' },
		});
		expect(await verdict(stage.simulator.origin)).toEqual(
			refused(/not allowed to do this \(403\): Ask your administrator/),
		);
	});

	it('has expired, and the verdict says when', async () => {
		const expired = jwt({ exp: Date.UTC(2020, 1, 29, 12, 30) / 1000 });
		expect(await verdict(stage.simulator.origin, expired)).toEqual(
			refused(/expired on 2020-02-29 12:30 UTC/),
		);
	});

	it.each([
		['', /'Access Token' \(accessToken\) of the credential is empty/],
		[`Bearer ${TOKEN}`, /begins with "Bearer"/],
		[`bearer ${TOKEN}`, /begins with "Bearer"/],
		[`${TOKEN}\n`, /a space, a line break/],
		[`${TOKEN} ${TOKEN}`, /a space, a line break/],
		['tökenwithumlaut', /another character that a token cannot have/],
	])('%j is refused before any request', async (accessToken, words) => {
		expect(await verdict(stage.simulator.origin, accessToken)).toEqual(refused(words));
		expect(stage.simulator.ledger.entries).toEqual([]);
	});
});

describe('the base URL', () => {
	it.each([
		['', /'Base URL' \(baseUrl\) of the credential is empty/],
		['   ', /is empty/],
		['ftp://service.example', /beginning with http:\/\/ or https:\/\//],
		['service.example', /beginning with http:\/\/ or https:\/\//],
		['http://', /beginning with http:\/\/ or https:\/\//],
		['http:// service.example', /beginning with http:\/\/ or https:\/\//],
		['javascript:alert(1)', /beginning with http:\/\/ or https:\/\//],
		['http://user:password@service.example', /without user, query or #/],
		['http://user@service.example', /without user, query or #/],
		['http://service.example/?a=b', /without user, query or #/],
		['http://service.example/#top', /without user, query or #/],
	])('%j is refused', async (baseUrl, words) => {
		const result = await verdict(baseUrl);
		expect(result).toEqual(refused(words));
		expect(result.message).not.toContain('password');
	});

	it('may end in slashes and stand between spaces', async () => {
		expect(await verdict(` ${stage.simulator.origin}/// `)).toEqual(ok);
		expect(stage.simulator.ledger.entries[0].path).toMatch(/^\/api\/v2\/document\/result\//);
	});

	it('may have a path', async () => {
		const server = await serve(({ url = '' }, response) => {
			const known = url.startsWith('/agents/prod/api/v2/');
			answer(response, 404, known ? { success: false, message: 'No such result' } : '<html>');
		});
		expect(await verdict(`${server.origin}/agents/prod/`)).toEqual(ok);
		expect(await verdict(`${server.origin}/agents`)).toEqual(refused(/not like the Data-Extract/));
	});

	it('is of nobody', async () => {
		expect(await verdict(await closedOrigin())).toEqual(
			refused(/^Nothing answers at http:\/\/127.*ECONNREFUSED/),
		);
	});

	it('is of an unknown host', async () => {
		expect(await verdict('http://no-such-host.invalid')).toEqual(
			refused(/^The host of http:\/\/no-such-host\.invalid is unknown/),
		);
	});

	it('breaks the connection off', async () => {
		stage.simulator.faults.add({ on: 'result', kind: 'reset', times: Infinity });
		expect(await verdict(stage.simulator.origin)).toEqual(refused(/broke off \(ECONNRESET\)/));
	});
});

describe('a host that is not the service', () => {
	const foreign = /answers \(\d+\), and not like the Data-Extraction Agent service.*Base URL/;

	it.each<[string, RequestListener]>([
		['a web page', (_, response) => answer(response, 200, '<html>Welcome</html>')],
		['no such page', (_, response) => answer(response, 404, '<html>Not found</html>')],
		['other JSON', (_, response) => answer(response, 404, { error: 'not found' })],
		['JSON that is fine', (_, response) => answer(response, 200, { ok: true })],
		['a list', (_, response) => answer(response, 200, [])],
		['success as a text', (_, response) => answer(response, 200, { success: 'yes' })],
		['nothing', (_, response) => response.writeHead(204).end()],
	])('answers with %s', async (_, listener) => {
		expect(await verdict((await serve(listener)).origin)).toEqual(refused(foreign));
	});

	it('is the service if it minds a missing token', async () => {
		const { origin, requests } = await serve(({ headers }, response) =>
			answer(response, headers.authorization === undefined ? 401 : 404, { error: 'not found' }),
		);
		expect(await verdict(origin)).toEqual(ok);
		expect(requests.map(({ headers }) => headers.authorization)).toEqual([
			`Bearer ${TOKEN}`,
			undefined,
		]);
	});
});

describe('trouble', () => {
	it('a redirect is not followed, and its target is named', async () => {
		const target = await serve((_, response) => answer(response, 404, { success: false }));
		const { origin } = await serve((_, response) =>
			answer(response, 301, '', { location: `${target.origin}/here` }),
		);
		expect(await verdict(origin)).toEqual(
			refused(new RegExp(`redirects to another address \\(301\\).*${target.origin}/here`)),
		);
		expect(target.requests).toEqual([]);
	});

	it.each([429, 500, 502, 503])('%d is no verdict on the token', async (status) => {
		stage.simulator.faults.add({
			on: 'result',
			status,
			body: { success: false, message: 'Come back later' },
		});
		expect(await verdict(stage.simulator.origin)).toEqual(
			refused(new RegExp(`\\(${status}\\): Come back later`)),
		);
	});
});

describe('a service that echoes the token', () => {
	const echoes = `You sent ${TOKEN}, as header Bearer ${encodeURIComponent(TOKEN)}`;
	const headers = { location: `http://127.0.0.1:1/?token=${TOKEN}`, 'x-echo': TOKEN };

	it.each<[number, FaultScript['body']]>([
		...[200, 301, 400, 401, 403, 404, 429, 500].map((status): [number, FaultScript['body']] => [
			status,
			{ success: false, message: echoes, [TOKEN]: echoes },
		]),
		[200, echoes],
		[401, echoes],
	])('with %d does not get it into the verdict', async (status, body) => {
		// verdict() looks for the token.
		stage.simulator.faults.add({ on: 'result', status, body, headers, times: Infinity });
		expect((await verdict(stage.simulator.origin)).message).not.toBe('');
	});

	it('shows what it says besides', async () => {
		stage.simulator.faults.add({
			on: 'result',
			status: 401,
			body: { success: false, message: echoes },
		});
		expect(await verdict(stage.simulator.origin)).toEqual(
			refused(/You sent \[access token\], as header Bearer \[access token\]/),
		);
	});
});

describe('the node reads the credential alike', () => {
	async function runWith(baseUrl: string, accessToken = TOKEN) {
		const engine = await createEngine({
			credentials: { dataExtractionAgentApi: { data: { baseUrl, accessToken } } },
		});
		try {
			return await engine.run(
				agentWorkflow({
					resource: 'runResult',
					operation: 'getFirst',
					runId: '2f6d1c58-93b4-4e0f-8a71-5c9e40b7d612',
				}),
			);
		} finally {
			engine.close();
		}
	}

	it('with slashes and spaces', async () => {
		const outcome = await runWith(` ${stage.simulator.origin}/// `);
		expect(outcome.error).toBeUndefined();
		expect(outcome.items(AGENT)[0].json).toMatchObject({ done: true });
		expect(stage.simulator.ledger.entries[0].path).toMatch(/^\/api\/v2\/results\//);
	});

	it('with a path', async () => {
		const { origin, requests } = await serve((_, response) =>
			answer(response, 200, { success: true, result: { done: true, json: { n: 1 } } }),
		);
		const outcome = await runWith(`${origin}/agents/prod//`);
		expect(outcome.items(AGENT)[0].json).toMatchObject({ done: true, data: { n: 1 } });
		expect(requests[0].url).toMatch(/^\/agents\/prod\/api\/v2\/results\//);
	});

	it.each([
		['ftp://service.example', TOKEN],
		['', TOKEN],
		['http://user:password@service.example', TOKEN],
		['http://service.example', `Bearer ${TOKEN}`],
		['http://service.example', `${TOKEN}\n`],
	])('%j with %j gets the same verdict', async (baseUrl, accessToken) => {
		const { message } = await verdict(baseUrl, accessToken);
		const outcome = await runWith(baseUrl, accessToken);
		expect(outcome.error?.message).toBe(message);
		expect(outcome.serialized).not.toContain(TOKEN);
	});
});
