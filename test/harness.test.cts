import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
	ICredentialType,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { LoggerProxy, ManualExecutionCancelledError, NodeOperationError } from 'n8n-workflow';
import {
	createEngine,
	type Engine,
	type EngineOptions,
	type NodeJson,
	type WorkflowJson,
} from '../harness/engine.cts';

const token = 'secret-token-of-the-harness-test';

const credentialType: ICredentialType = {
	name: 'stubApi',
	displayName: 'Stub API',
	properties: [
		{ displayName: 'Token', name: 'accessToken', type: 'string', default: '' },
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: 'http://default' },
	],
	authenticate: {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.accessToken}}' } },
	},
};

type Execute = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

function stub(execute?: Execute, extra: Partial<INodeTypeDescription> = {}): INodeType {
	return {
		description: {
			displayName: 'Stub',
			name: 'stub',
			group: ['transform'],
			version: 1,
			description: 'Stub',
			defaults: { name: 'Stub' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'stubApi', required: true, testedBy: 'stubTest' }],
			properties: [],
			...extra,
		},
		...(execute && { execute }),
	};
}

function workflow(...nodes: Partial<NodeJson>[]): WorkflowJson {
	const all = [{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' }, ...nodes].map((node) => ({
		name: 'Stub',
		type: 'test.stub',
		typeVersion: 1,
		...node,
	}));
	const links = all
		.slice(1)
		.map(({ name }, index) => [
			all[index].name,
			{ main: [[{ node: name, type: 'main', index: 0 }]] },
		]);
	return { nodes: all, connections: Object.fromEntries(links) as object };
}

function items(...values: object[]): INodeExecutionData[] {
	return values.map((json) => ({ json: { ...json } }));
}

describe('harness', () => {
	const engines: Engine[] = [];
	let server: Server;
	let baseUrl: string;
	const requests: IncomingMessage[] = [];

	beforeAll(async () => {
		server = createServer((request, response) => {
			requests.push(request);
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ path: request.url }));
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
	});

	afterEach(() => {
		for (const engine of engines.splice(0)) engine.close();
		requests.length = 0;
	});

	afterAll(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});

	async function engineWith(stubType: INodeType, options: EngineOptions = {}): Promise<Engine> {
		const engine = await createEngine({
			nodeTypes: { 'test.stub': stubType },
			credentials: { stubApi: { type: credentialType, data: { accessToken: token } } },
			...options,
		});
		engines.push(engine);
		return engine;
	}

	const echo: Execute = async function () {
		return [this.getInputData().map(({ json }, item) => ({ json, pairedItem: { item } }))];
	};

	test('runs the engine that the environment selects', async () => {
		const engine = await engineWith(stub(echo));
		expect(engine.major).toBe(process.env.N8N_ENGINE === '1' ? 1 : 2);
	});

	test('gives the trigger’s items to the node, and its output to the next one', async () => {
		const engine = await engineWith(stub(echo));
		const outcome = await engine.run(workflow({}, { name: 'After', type: 'n8n-nodes-base.noOp' }), {
			inputItems: items({ a: 1 }, { a: 2 }),
		});
		expect(outcome.status).toBe('success');
		expect(outcome.error).toBeUndefined();
		expect(outcome.items('After')).toEqual([
			{ json: { a: 1 }, pairedItem: { item: 0 } },
			{ json: { a: 2 }, pairedItem: { item: 1 } },
		]);
		expect(outcome.nodeRuns('Stub')).toHaveLength(1);
		expect(outcome.items('Unknown')).toEqual([]);
	});

	test('starts at a named node and honours pinned data', async () => {
		const engine = await engineWith(stub(echo));
		const json = workflow({}, { name: 'After' });
		const started = await engine.run(json, { startNode: 'After', inputItems: items({ a: 1 }) });
		expect(started.nodeRuns('Stub')).toEqual([]);
		expect(started.items('After')).toMatchObject([{ json: { a: 1 } }]);
		const pinned = await engine.run(json, { pinData: { Stub: items({ pinned: true }) } });
		expect(pinned.items('After')).toMatchObject([{ json: { pinned: true } }]);
	});

	test('reports the error of a node that throws', async () => {
		const engine = await engineWith(
			stub(async function () {
				throw new NodeOperationError(this.getNode(), 'No', { itemIndex: 0, description: 'Why' });
			}),
		);
		const outcome = await engine.run(workflow({}));
		expect(outcome.status).toBe('error');
		expect(outcome.run.status).toBe('error');
		expect(outcome.error).toMatchObject({
			name: 'NodeOperationError',
			message: 'No',
			description: 'Why',
			context: { itemIndex: 0 },
			node: { name: 'Stub' },
		});
	});

	test('refuses a workflow with issues as n8n does', async () => {
		const required: INodeProperties = {
			displayName: 'Needed',
			name: 'needed',
			type: 'string',
			default: '',
			required: true,
		};
		const engine = await engineWith(stub(echo, { properties: [required] }));
		const outcome = await engine.run(workflow({}));
		expect(outcome.status).toBe('error');
		expect(outcome.error).toMatchObject({ name: 'WorkflowHasIssuesError' });
	});

	test('keeps the node’s context through Retry On Fail', async () => {
		let calls = 0;
		const engine = await engineWith(
			stub(async function () {
				const context = this.getContext('node');
				context.calls = Number(context.calls ?? 0) + 1;
				calls += 1;
				if (calls === 1) throw new NodeOperationError(this.getNode(), 'Once');
				return [[{ json: { calls: context.calls } }]];
			}),
		);
		// 0 would mean the engine's default of a second.
		const outcome = await engine.run(workflow({ retryOnFail: true, waitBetweenTries: 1 }));
		expect(outcome.status).toBe('success');
		expect(outcome.items('Stub')).toMatchObject([{ json: { calls: 2 } }]);
	});

	test('resumes a failed execution at the failed node, with its context', async () => {
		let broken = true;
		const engine = await engineWith(
			stub(async function () {
				const context = this.getContext('node');
				context.calls = Number(context.calls ?? 0) + 1;
				if (broken) throw new NodeOperationError(this.getNode(), 'Broken');
				return [
					this.getInputData().map(({ json }) => ({
						json: { ...json, calls: context.calls, mode: this.getMode() },
					})),
				];
			}),
		);
		const json = workflow({}, { name: 'After', type: 'n8n-nodes-base.noOp' });
		const failed = await engine.run(json, { inputItems: items({ a: 1 }) });
		expect(failed.status).toBe('error');
		broken = false;
		const retried = await engine.run(json, { retryOf: failed });
		expect(retried.status).toBe('success');
		expect(retried.error).toBeUndefined();
		expect(retried.nodeRuns('Start')).toHaveLength(1);
		expect(retried.nodeRuns('Stub')).toHaveLength(1);
		expect(retried.items('After')).toMatchObject([{ json: { a: 1, calls: 2, mode: 'retry' } }]);
		expect(failed.status).toBe('error');
	});

	describe('cancelling', () => {
		const waiting = (end: (context: IExecuteFunctions) => Error | undefined): INodeType =>
			stub(async function () {
				const signal = this.getExecutionCancelSignal();
				await new Promise<void>((resolve) => {
					signal?.addEventListener('abort', () => {
						resolve();
					});
				});
				const error = end(this);
				if (error !== undefined) throw error;
				return [[]];
			});

		test.each([
			['returns', () => undefined, 'canceled'],
			['says so', () => new ManualExecutionCancelledError('1'), 'canceled'],
			[
				'throws something else',
				(context: IExecuteFunctions) => new NodeOperationError(context.getNode(), 'Oops'),
				'error',
			],
		] as const)('reaches a node, which then %s', async (_how, end, status) => {
			const engine = await engineWith(waiting(end));
			const outcome = await engine.run(workflow({}), {
				onStarted: ({ cancel }) => {
					setTimeout(cancel, 20);
				},
			});
			expect(outcome.status).toBe(status);
			expect(outcome.run.status).toBe(status);
		});

		test('happens by itself at the execution timeout', async () => {
			const engine = await engineWith(waiting(() => undefined));
			const outcome = await engine.run(workflow({}), { executionTimeoutMs: 20 });
			expect(outcome.status).toBe('canceled');
		});
	});

	test('routes error items to the error output and leaves their contents alone', async () => {
		const engine = await engineWith(
			stub(async () => [
				[
					{ json: { fine: true }, pairedItem: { item: 0 } },
					{ json: { error: { message: 'Bad', id: '1' } }, pairedItem: { item: 1 } },
				],
			]),
		);
		const outcome = await engine.run(workflow({ onError: 'continueErrorOutput' }), {
			inputItems: items({ input: 1 }, { input: 2 }),
		});
		expect(outcome.status).toBe('success');
		expect(outcome.items('Stub', 0)).toMatchObject([{ json: { fine: true } }]);
		expect(outcome.items('Stub', 1)).toMatchObject([
			{ json: { input: 2, error: { message: 'Bad', id: '1' } } },
		]);
	});

	describe('credentials', () => {
		const request: Execute = async function () {
			const { baseUrl: url } = await this.getCredentials('stubApi');
			const answer: unknown = await this.helpers.httpRequestWithAuthentication.call(
				this,
				'stubApi',
				{ url: `${String(url)}/x`, json: true },
			);
			return [[{ json: { answer: JSON.stringify(answer) } }]];
		};

		test('are added to the node and sent with its requests, and go nowhere else', async () => {
			const engine = await engineWith(stub(request), {
				credentials: { stubApi: { type: credentialType, data: { accessToken: token, baseUrl } } },
			});
			const outcome = await engine.run(workflow({}));
			expect(outcome.items('Stub')).toMatchObject([{ json: { answer: '{"path":"/x"}' } }]);
			expect(requests[0].headers.authorization).toBe(`Bearer ${token}`);
			expect(outcome.serialized).not.toContain(token);
			expect(outcome.logs.join('\n')).not.toContain(token);
		});

		test('may authenticate in code, and have defaults', async () => {
			const engine = await engineWith(stub(request), {
				credentials: {
					stubApi: {
						type: {
							...credentialType,
							properties: [
								credentialType.properties[0],
								{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: baseUrl },
							],
							authenticate: async (credentials, options) => ({
								...options,
								headers: { 'x-token': credentials.accessToken },
							}),
						},
						data: { accessToken: token },
					},
				},
			});
			expect((await engine.run(workflow({}))).status).toBe('success');
			expect(requests[0].headers['x-token']).toBe(token);
		});

		test('are missing when the node names none that is configured', async () => {
			const engine = await engineWith(stub(request), { credentials: {} });
			expect((await engine.run(workflow({}))).status).toBe('error');
		});

		test('are tested by the function of the node', async () => {
			const tested: INodeType = {
				...stub(echo),
				methods: {
					credentialTest: {
						async stubTest({ data }) {
							const answer: unknown = await this.helpers.request(`${String(data?.baseUrl)}/test`, {
								headers: { 'x-token': data?.accessToken },
							});
							return { status: 'OK', message: String(answer) };
						},
					},
				},
			};
			const engine = await engineWith(tested);
			expect(await engine.testCredential('stubApi', { accessToken: token, baseUrl })).toEqual({
				status: 'OK',
				message: '{"path":"/test"}',
			});
			expect(requests[0].headers['x-token']).toBe(token);
			expect(await (await engineWith(stub(echo))).testCredential('stubApi', {})).toMatchObject({
				status: 'Error',
			});
		});
	});

	test('follows the declared routing when execute() is left out', async () => {
		const engine = await engineWith(
			stub(async () => [[{ json: { by: 'execute' } }]], {
				requestDefaults: { baseURL: '={{$credentials.baseUrl}}' },
				properties: [
					{
						displayName: 'Id',
						name: 'id',
						type: 'string',
						default: '',
						routing: { request: { method: 'GET', url: '=/items/{{$value}}' } },
					},
				],
			}),
			{
				credentials: { stubApi: { type: credentialType, data: { accessToken: token, baseUrl } } },
				withoutExecute: true,
			},
		);
		const outcome = await engine.run(workflow({ parameters: { id: '={{ $json.id }}' } }), {
			inputItems: items({ id: 'a' }, { id: 'b' }),
		});
		expect(outcome.error).toBeUndefined();
		expect(outcome.items('Stub')).toMatchObject([
			{ json: { path: '/items/a' }, pairedItem: { item: 0 } },
			{ json: { path: '/items/b' }, pairedItem: { item: 1 } },
		]);
		expect(requests.map(({ headers }) => headers.authorization)).toEqual([
			`Bearer ${token}`,
			`Bearer ${token}`,
		]);
	});

	test.each([
		['memory', false],
		['filesystem', true],
	] as const)('keeps binary data in %s mode', async (binaryMode, stored) => {
		const engine = await engineWith(
			stub(async function () {
				const content = await this.helpers.getBinaryDataBuffer(0, 'data');
				const binary = await this.helpers.prepareBinaryData(
					Buffer.from(content.toString().toUpperCase()),
					'out.txt',
				);
				return [[{ json: {}, binary: { data: binary } }]];
			}),
			{ binaryMode },
		);
		const data = await engine.binary('in.txt', 'text/plain', Buffer.from('content'));
		expect(data).toMatchObject({ fileName: 'in.txt', fileExtension: 'txt', fileType: 'text' });
		expect(data.id?.startsWith('filesystem-v2:') ?? false).toBe(stored);
		const outcome = await engine.run(workflow({}), {
			inputItems: [{ json: {}, binary: { data } }],
		});
		expect(outcome.error).toBeUndefined();
		const binary = outcome.items('Stub')[0].binary?.data;
		if (binary === undefined) throw new Error('No binary data');
		expect(binary.id?.startsWith('filesystem-v2:') ?? false).toBe(stored);
		expect(String(await engine.readBinary(binary))).toBe('CONTENT');
	});

	test('collects hints and everything that is logged', async () => {
		const engine = await engineWith(
			stub(async function () {
				this.addExecutionHints({ message: 'A hint' });
				this.logger.debug('From the node', { deep: { token } });
				LoggerProxy.info('Through the proxy');
				return [[]];
			}),
		);
		const outcome = await engine.run(workflow({}));
		expect(outcome.hints('Stub')).toEqual([{ message: 'A hint' }]);
		const logs = outcome.logs.join('\n');
		expect(logs).toContain('debug: From the node');
		expect(logs).toContain(token);
		expect(logs).toContain('info: Through the proxy');
	});

	test('loads the built package under both of its names', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'n8n-harness-package-'));
		const write = (file: string, content: string) => {
			writeFileSync(join(folder, file), content);
		};
		try {
			const n8n = { nodes: ['dist/Mini.node.js'], credentials: ['dist/StubApi.credentials.js'] };
			const { description } = stub(undefined, { name: 'mini' });
			write('package.json', JSON.stringify({ name: 'n8n-nodes-mini', version: '1.0.0', n8n }));
			const unbuilt = await createEngine({ packageFolder: folder });
			engines.push(unbuilt);
			await expect(unbuilt.run(workflow({ type: 'CUSTOM.mini' }))).rejects.toThrow('CUSTOM.mini');

			mkdirSync(join(folder, 'dist'));
			write(
				'dist/Mini.node.js',
				`exports.Mini = class Mini {
					constructor() { this.description = ${JSON.stringify(description)}; }
					async execute() { return [[{ json: await this.getCredentials('stubApi') }]]; }
				};`,
			);
			write(
				'dist/StubApi.credentials.js',
				`exports.StubApi = class StubApi {
					constructor() { Object.assign(this, ${JSON.stringify(credentialType)}); }
				};`,
			);
			const engine = await createEngine({
				packageFolder: folder,
				credentials: { stubApi: { data: { accessToken: token } } },
			});
			engines.push(engine);
			for (const type of ['n8n-nodes-mini.mini', 'CUSTOM.mini']) {
				const outcome = await engine.run(workflow({ type }));
				expect(outcome.error).toBeUndefined();
				expect(outcome.items('Stub')).toMatchObject([
					{ json: { accessToken: token, baseUrl: 'http://default' } },
				]);
			}
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});

	test('leaves nothing in its folder when it is closed', async () => {
		const engine = await createEngine();
		const folder = process.env.N8N_USER_FOLDER ?? '';
		expect(existsSync(folder)).toBe(true);
		engine.close();
		expect(existsSync(folder)).toBe(false);
	});

	describe('stand-ins of n8n’s own nodes', () => {
		test('set, split and pair items', async () => {
			const engine = await engineWith(stub(echo));
			const outcome = await engine.run(
				workflow(
					{
						name: 'Raw',
						type: 'n8n-nodes-base.set',
						typeVersion: 3.4,
						parameters: { mode: 'raw', jsonOutput: '={ "list": {{ $json.list }}, "n": 1 }' },
					},
					{
						name: 'Assign',
						type: 'n8n-nodes-base.set',
						typeVersion: 3.4,
						parameters: {
							assignments: {
								assignments: [
									{ id: '1', name: 'a.b', type: 'number', value: '={{ $json.n + 1 }}' },
									{ id: '2', name: 'text', type: 'string', value: '={{ $json.n }}' },
									{ id: '3', name: 'object', type: 'object', value: '{"x":1}' },
								],
							},
							includeOtherFields: true,
						},
					},
					{
						name: 'Split',
						type: 'n8n-nodes-base.splitOut',
						parameters: { fieldToSplitOut: 'list' },
					},
				),
				{ inputItems: items({ list: [{ id: 1 }, { id: 2 }] }) },
			);
			expect(outcome.error).toBeUndefined();
			expect(outcome.items('Raw')).toMatchObject([
				{ json: { list: [{ id: 1 }, { id: 2 }], n: 1 } },
			]);
			expect(outcome.items('Assign')).toMatchObject([
				{ json: { a: { b: 2 }, text: '1', object: { x: 1 }, n: 1 } },
			]);
			expect(outcome.items('Split')).toEqual([
				{ json: { id: 1 }, pairedItem: { item: 0 } },
				{ json: { id: 2 }, pairedItem: { item: 0 } },
			]);
		});

		test('take a JSON object as an expression’s result', async () => {
			const engine = await engineWith(stub(echo));
			const outcome = await engine.run(
				workflow({
					name: 'Raw',
					type: 'n8n-nodes-base.set',
					typeVersion: 3.4,
					parameters: { mode: 'raw', jsonOutput: '={{ { a: $json.a } }}' },
				}),
				{ inputItems: items({ a: 1 }) },
			);
			expect(outcome.items('Raw')).toMatchObject([{ json: { a: 1 } }]);
		});

		test.each(['memory', 'filesystem'] as const)('read files in %s mode', async (binaryMode) => {
			const engine = await engineWith(stub(echo), { binaryMode });
			const read = (fileSelector: string) =>
				engine.run(
					workflow({
						name: 'Read',
						type: 'n8n-nodes-base.readWriteFile',
						parameters: { fileSelector, options: { dataPropertyName: 'file' } },
					}),
				);
			const [item] = (await read('./jest.conf*.js')).items('Read');
			expect(item.json).toMatchObject({ fileName: 'jest.config.js', fileExtension: 'js' });
			const binary = item.binary?.file;
			if (binary === undefined) throw new Error('No binary data');
			expect(String(await engine.readBinary(binary))).toContain('moduleNameMapper');
			expect((await read('./missing.txt')).status).toBe('error');
		});

		test('start on a schedule', async () => {
			const engine = await engineWith(stub(echo));
			const json = workflow({});
			json.nodes[0].type = 'n8n-nodes-base.scheduleTrigger';
			expect((await engine.run(json)).items('Stub')[0].json).toHaveProperty('timestamp');
		});
	});
});
