import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type {
	ICredentialType,
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeType,
	INodeTypes,
} from 'n8n-workflow';
import { NodeHelpers, Workflow } from 'n8n-workflow';
import { acquireCore, releaseCore } from '../harness/n8nCore.cts';
import { loadPackage } from '../harness/nodeTypes.cts';

/*
 * Public names: everything here is spelled out as the contract has it, because a saved workflow
 * depends on it. A difference is a breaking change, not a reason to change a line here. Resources and
 * operations may be added to these; unit/declarations.test.cts checks them as well.
 */

/** What a saved workflow depends on in a parameter. */
interface Shape {
	name: string;
	type: string;
	default: unknown;
	required?: true;
	/** Entries of a list, in alphabetical order of the values. */
	values?: unknown[];
	/** Members of a collection, in alphabetical order of the names. */
	members?: Shape[];
	groups?: Record<string, Shape[]>;
	multiple?: true;
}

function shapeOf(property: INodeProperties): Shape {
	const { name, type, required, typeOptions, options = [] } = property;
	const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
	return {
		name,
		type,
		default: property.default,
		...(required && { required }),
		...(typeOptions?.multipleValues && { multiple: true }),
		...(type === 'options' && {
			values: (options as INodePropertyOptions[]).map(({ value }) => value).sort(),
		}),
		...(type === 'collection' && {
			members: [...(options as INodeProperties[])].sort(byName).map(shapeOf),
		}),
		...(type === 'fixedCollection' && {
			groups: Object.fromEntries(
				(options as INodePropertyCollection[]).map((group) => [
					group.name,
					group.values.map(shapeOf),
				]),
			),
		}),
	};
}

const text = (name: string, initial = ''): Shape => ({ name, type: 'string', default: initial });
const number = (name: string, initial: number): Shape => ({
	name,
	type: 'number',
	default: initial,
});
const flag = (name: string, initial: boolean): Shape => ({
	name,
	type: 'boolean',
	default: initial,
});
const list = (name: string, initial: string, ...values: string[]): Shape => ({
	name,
	type: 'options',
	default: initial,
	values: values.sort(),
});
const collection = (name: string, ...members: Shape[]): Shape => ({
	name,
	type: 'collection',
	default: {},
	members,
});
const required = (shape: Shape): Shape => ({ ...shape, required: true });

/** A list with these, in any order, and perhaps others. */
const atLeast = (...values: string[]): unknown => expect.arrayContaining(values);

const additionalInstructions = text('additionalInstructions');
const capScreenshots = number('capScreenshots', 5);
const extended = flag('extended', false);
const model = list('model', 'auto', 'auto', 'large', 'small');
const resultPath = text('resultPath');
const extraQuery: Shape = {
	name: 'extraQuery',
	type: 'fixedCollection',
	default: {},
	multiple: true,
	groups: { parameter: [text('name'), text('value')] },
};

const fieldType = list(
	'type',
	'any',
	...['any', 'boolean', 'date', 'dateTime', 'email', 'integer', 'list', 'number', 'text', 'url'],
);
const schema: Shape[] = [
	{
		name: 'schemaFields',
		type: 'fixedCollection',
		default: {},
		multiple: true,
		groups: { field: [text('name'), text('description'), fieldType] },
	},
	{ name: 'schemaJson', type: 'json', default: '' },
	{ name: 'schemaExample', type: 'json', default: '' },
];

const waitOptions = collection(
	'waitOptions',
	number('maxWaitSeconds', 600),
	list('onTimeout', 'error', 'error', 'returnInProgress'),
	number('pollIntervalSeconds', 5),
);
const output = [
	list('output', 'simplified', 'simplified', 'data', 'full'),
	flag('splitIntoItems', false),
	flag('downloadScreenshots', false),
];
const batching = collection(
	'batching',
	number('maxConcurrentJobs', 10),
	number('maxRequestsPerSecond', 10),
	number('requestTimeoutSeconds', 60),
);
const schemaMode = list('schemaMode', 'fields', 'fields', 'json', 'example');
const optionalSchemaMode = list('schemaMode', 'fields', 'fields', 'json', 'example', 'none');
const resultId = required(text('resultId'));
const runId = required(text('runId'));
const workflowId = required(text('workflowId'));

const start = (...options: Shape[]): Shape[] => [
	flag('waitForCompletion', true),
	...output,
	waitOptions,
	collection('options', ...options),
	batching,
];
const read = (...options: Shape[]): Shape[] => [
	flag('waitForCompletion', false),
	...output,
	waitOptions,
	...(options.length > 0 ? [collection('options', ...options)] : []),
	batching,
];

/** Every parameter of every operation, in the order of the panel. */
const parameters: Record<string, Shape[]> = {
	'document.start': [
		list('documentInput', 'file', 'file', 'schema', 'none'),
		text('binaryPropertyName', 'data'),
		schemaMode,
		...schema,
		...start(additionalInstructions, capScreenshots, extended, extraQuery, model),
	],
	'document.getResult': [resultId, ...read()],
	'urlExtract.start': [
		required(text('url')),
		optionalSchemaMode,
		...schema,
		...start(additionalInstructions, capScreenshots, extended, extraQuery, model, resultPath),
	],
	'urlExtract.getResult': [resultId, ...read(resultPath)],
	'dataset.start': [
		text('query'),
		list('method', 'simple', 'simple', 'advanced'),
		schemaMode,
		...schema,
		...start(extraQuery, list('inputsLocation', 'query', 'query', 'body'), resultPath),
	],
	'dataset.getResult': [resultId, ...read(resultPath)],
	'runResult.get': [runId, resultId, ...read()],
	'runResult.getFirst': [runId, ...read()],
	'workflow.getLatest': [workflowId, ...read()],
};

/** What the panel shows: operation, the parameters that differ from the default, names in order. */
const panels: [operation: string, values: INodeParameters, shown: string][] = [
	[
		'document.start',
		{},
		'documentInput binaryPropertyName waitForCompletion output splitIntoItems downloadScreenshots waitOptions options batching',
	],
	[
		'document.start',
		{ waitForCompletion: false },
		'documentInput binaryPropertyName waitForCompletion options batching',
	],
	[
		'document.start',
		{ documentInput: 'schema' },
		'documentInput schemaMode schemaFields waitForCompletion output splitIntoItems downloadScreenshots waitOptions options batching',
	],
	[
		'document.start',
		{ documentInput: 'schema', schemaMode: 'json', waitForCompletion: false },
		'documentInput schemaMode schemaJson waitForCompletion options batching',
	],
	[
		'document.start',
		{ documentInput: 'schema', schemaMode: 'example', waitForCompletion: false },
		'documentInput schemaMode schemaExample waitForCompletion options batching',
	],
	[
		'document.start',
		{ documentInput: 'none', waitForCompletion: false },
		'documentInput waitForCompletion options batching',
	],
	[
		'document.getResult',
		{},
		'resultId waitForCompletion output splitIntoItems downloadScreenshots batching',
	],
	[
		'document.getResult',
		{ waitForCompletion: true },
		'resultId waitForCompletion output splitIntoItems downloadScreenshots waitOptions batching',
	],
	[
		'urlExtract.start',
		{},
		'url schemaMode schemaFields waitForCompletion output splitIntoItems downloadScreenshots waitOptions options batching',
	],
	[
		'urlExtract.start',
		{ waitForCompletion: false },
		'url schemaMode schemaFields waitForCompletion options batching',
	],
	[
		'urlExtract.start',
		{ schemaMode: 'json', waitForCompletion: false },
		'url schemaMode schemaJson waitForCompletion options batching',
	],
	[
		'urlExtract.start',
		{ schemaMode: 'example', waitForCompletion: false },
		'url schemaMode schemaExample waitForCompletion options batching',
	],
	[
		'urlExtract.start',
		{ schemaMode: 'none', waitForCompletion: false },
		'url schemaMode waitForCompletion options batching',
	],
	[
		'urlExtract.getResult',
		{},
		'resultId waitForCompletion output splitIntoItems downloadScreenshots options batching',
	],
	[
		'urlExtract.getResult',
		{ waitForCompletion: true },
		'resultId waitForCompletion output splitIntoItems downloadScreenshots waitOptions options batching',
	],
	[
		'dataset.start',
		{},
		'query method schemaMode schemaFields waitForCompletion output splitIntoItems downloadScreenshots waitOptions options batching',
	],
	[
		'dataset.start',
		{ waitForCompletion: false },
		'query method schemaMode schemaFields waitForCompletion options batching',
	],
	[
		'dataset.start',
		{ schemaMode: 'json', waitForCompletion: false },
		'query method schemaMode schemaJson waitForCompletion options batching',
	],
	[
		'dataset.start',
		{ schemaMode: 'example', waitForCompletion: false },
		'query method schemaMode schemaExample waitForCompletion options batching',
	],
	[
		'dataset.getResult',
		{},
		'resultId waitForCompletion output splitIntoItems downloadScreenshots options batching',
	],
	[
		'dataset.getResult',
		{ waitForCompletion: true },
		'resultId waitForCompletion output splitIntoItems downloadScreenshots waitOptions options batching',
	],
	[
		'runResult.get',
		{},
		'runId resultId waitForCompletion output splitIntoItems downloadScreenshots batching',
	],
	[
		'runResult.get',
		{ waitForCompletion: true },
		'runId resultId waitForCompletion output splitIntoItems downloadScreenshots waitOptions batching',
	],
	[
		'runResult.getFirst',
		{},
		'runId waitForCompletion output splitIntoItems downloadScreenshots batching',
	],
	[
		'runResult.getFirst',
		{ waitForCompletion: true },
		'runId waitForCompletion output splitIntoItems downloadScreenshots waitOptions batching',
	],
	[
		'workflow.getLatest',
		{},
		'workflowId waitForCompletion output splitIntoItems downloadScreenshots batching',
	],
	[
		'workflow.getLatest',
		{ waitForCompletion: true },
		'workflowId waitForCompletion output splitIntoItems downloadScreenshots waitOptions batching',
	],
];

interface Manifest {
	[key: string]: unknown;
	files: string[];
	scripts: Record<string, string>;
	keywords: string[];
	n8n: { n8nNodesApiVersion: number; strict: boolean; credentials: string[]; nodes: string[] };
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const nodeFolder = 'dist/nodes/DataExtractionAgent';

let node: INodeType;
let credential: ICredentialType;

beforeAll(async () => {
	const loaded = await loadPackage(acquireCore(), process.cwd());
	const type = loaded.nodes['n8n-nodes-data-extraction-agent.dataExtractionAgent'];
	if (!('description' in type) || 'nodeVersions' in type) throw new Error('Not a single version');
	node = type;
	credential = loaded.credentials.dataExtractionAgentApi;
});

afterAll(releaseCore);

/** All declarations of one operation, whether or not they are shown at the moment. */
function declarationsOf(name: string): INodeProperties[] {
	const [resource, operation] = name.split('.');
	return node.description.properties.filter(
		({ displayOptions: { show = {} } = {} }) =>
			show.resource?.includes(resource) && show.operation?.includes(operation),
	);
}

/** What the panel shows, as n8n itself works it out. */
function shownFor(name: string, values: INodeParameters): string[] {
	const [resource, operation] = name.split('.');
	const { description } = node;
	const { properties } = description;
	const self = { typeVersion: 1 };
	const filled = NodeHelpers.getNodeParameters(
		properties,
		{ resource, operation, ...values },
		true,
		false,
		self,
		description,
	) as INodeParameters;
	return properties
		.filter((property) => NodeHelpers.displayParameter(filled, property, self, description))
		.map((property) => property.name);
}

describe('the node', () => {
	test('has its names, one input, one output, and can be an agent’s tool', () => {
		expect(node.constructor.name).toBe('DataExtractionAgent');
		expect(node.description).toMatchObject({
			displayName: 'Data Extraction Agent',
			// n8n's loader adds nothing to the name of a package's node.
			name: 'dataExtractionAgent',
			version: 1,
			usableAsTool: true,
			inputs: ['main'],
			outputs: ['main'],
			defaults: { name: 'Data Extraction Agent' },
		});
		expect(node.execute).toBeInstanceOf(Function);
	});

	test('needs the credential, and brings the test for it', () => {
		expect(node.description.credentials).toEqual([
			{ name: 'dataExtractionAgentApi', required: true, testedBy: 'dataExtractionAgentApiTest' },
		]);
		expect(node.methods?.credentialTest?.dataExtractionAgentApiTest).toBeInstanceOf(Function);
	});

	test('has the resources', () => {
		const [resource] = node.description.properties;
		expect(shapeOf(resource)).toEqual({
			name: 'resource',
			type: 'options',
			default: 'urlExtract',
			values: atLeast('dataset', 'document', 'runResult', 'urlExtract', 'workflow'),
		});
	});

	test('has the operations of each resource', () => {
		const lists = node.description.properties.filter(({ name }) => name === 'operation');
		const byResource = Object.fromEntries(
			lists.map((property) => [String(property.displayOptions?.show?.resource), shapeOf(property)]),
		);
		const operation = (initial: string, ...values: string[]) => ({
			...list('operation', initial),
			values: atLeast(...values),
		});
		expect(byResource).toMatchObject({
			document: operation('start', 'start', 'getResult'),
			urlExtract: operation('start', 'start', 'getResult'),
			dataset: operation('start', 'start', 'getResult'),
			runResult: operation('get', 'get', 'getFirst'),
			workflow: operation('getLatest', 'getLatest'),
		});
	});

	test('has the requests of the operations', () => {
		const lists = node.description.properties.filter(({ name }) => name === 'operation');
		const requests = lists.flatMap(({ displayOptions, options = [] }) =>
			(options as INodePropertyOptions[]).map(({ value, routing }) => [
				`${String(displayOptions?.show?.resource)}.${String(value)}`,
				`${String(routing?.request?.method)} ${String(routing?.request?.url)}`,
			]),
		);
		expect(Object.fromEntries(requests)).toMatchObject({
			'document.start': 'POST /api/v2/document/start',
			'document.getResult': 'GET =/api/v2/document/result/{{$parameter.resultId}}',
			'urlExtract.start': 'POST /api/v2/extract/start',
			'urlExtract.getResult': 'GET =/api/v2/extract/result/{{$parameter.resultId}}',
			'dataset.start': 'POST /api/v2/dataset/start',
			'dataset.getResult': 'GET =/api/v2/dataset/result/{{$parameter.resultId}}',
			'runResult.get': 'GET =/api/v2/results/{{$parameter.runId}}/{{$parameter.resultId}}',
			'runResult.getFirst': 'GET =/api/v2/results/{{$parameter.runId}}/first',
			'workflow.getLatest': 'GET =/api/v2/workflow/{{$parameter.workflowId}}/latest.json',
		});
	});

	test('has the actions of the operations', () => {
		const actions = node.description.properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [] }) =>
				(options as INodePropertyOptions[]).map(({ action }) => action),
			);
		expect(actions).toEqual(
			atLeast(
				'Get a result of a workflow run',
				'Get the first result of a workflow run',
				'Get the latest result of a workflow',
				'Get the result of a URL extraction',
				'Get the result of a dataset build',
				'Get the result of a document extraction',
				'Start a URL extraction',
				'Start a dataset build',
				'Start a document extraction',
			),
		);
	});

	test.each(Object.entries(parameters))('%s has its parameters', (operation, shapes) => {
		expect(declarationsOf(operation).map(shapeOf)).toEqual(shapes);
	});

	test.each(panels)('%s with %j shows its parameters', (operation, values, shown) => {
		expect(shownFor(operation, values).join(' ')).toBe(`resource operation ${shown}`);
	});

	test.each(panels)('%s with %j shows no name twice', (operation, values) => {
		const names = shownFor(operation, values);
		expect(new Set(names).size).toBe(names.length);
	});

	test('says of the undocumented paths that they are assumed', () => {
		for (const operation of ['urlExtract.start', 'urlExtract.getResult', 'dataset.getResult']) {
			const options = declarationsOf(operation).find(({ name }) => name === 'options')?.options;
			const path = (options as INodeProperties[]).find(({ name }) => name === 'resultPath');
			expect(path?.description).toMatch(/does not document/);
			expect(path?.description).toContain('{id}');
		}
	});
});

/** What n8n makes of expressions, in a node with these parameters or in a credential (`self`). */
function evaluate(
	parameters: INodeParameters,
	value: INodeParameters | string | undefined,
	self = {},
) {
	const testNode: INode = {
		id: '1',
		name: 'Agent',
		type: 'agent',
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
	const nodeTypes = { getByNameAndVersion: () => node } as unknown as INodeTypes;
	const workflow = new Workflow({ nodes: [testNode], connections: {}, active: false, nodeTypes });
	return workflow.expression.getComplexParameterValue(
		testNode,
		value,
		'internal',
		{},
		undefined,
		undefined,
		self,
	);
}

describe('the subtitle', () => {
	test.each([
		[{}, 'URL Extract: Start'],
		[{ operation: 'getResult' }, 'URL Extract: Get Result'],
		[{ resource: 'dataset' }, 'Dataset: Start'],
		[{ resource: 'runResult', operation: 'getFirst' }, 'Run Result: Get First'],
		[{ resource: 'workflow' }, 'Workflow: Get Latest Result'],
	])('of %j names resource and operation as the lists do', (parameters, subtitle) => {
		expect(evaluate(parameters, node.description.subtitle)).toBe(subtitle);
	});

	test('of "Custom API Call" is empty', () => {
		const parameters = { resource: 'document', operation: '__CUSTOM_API_CALL__' };
		expect(evaluate(parameters, node.description.subtitle)).toBeFalsy();
	});
});

describe('the credential', () => {
	test('has its names and fields', () => {
		expect(credential.constructor.name).toBe('DataExtractionAgentApi');
		expect(credential.name).toBe('dataExtractionAgentApi');
		expect(credential.properties.map(shapeOf)).toEqual([
			required(text('baseUrl')),
			required(text('accessToken')),
			// n8n's own two, which it would add with "all".
			list('allowedHttpRequestDomains', 'domains', 'all', 'domains', 'none'),
			{ name: 'allowedDomains', type: 'hidden', default: expect.stringMatching(/^=/) as string },
		]);
	});

	test.each([
		['https://api.example.com', 'api.example.com'],
		['https://api.example.com/', 'api.example.com'],
		['  http://API.example.com:8080/base/v2?a=b ', 'API.example.com'],
		['http://127.0.0.1:3000', '127.0.0.1'],
		['http://[::1]:3000/x', '[::1]'],
		// Without a host the HTTP Request node sends nothing.
		['api.example.com', undefined],
		['', undefined],
	])('allows the HTTP Request node the host of the Base URL: %j', (baseUrl, host) => {
		const data = NodeHelpers.getNodeParameters(
			credential.properties,
			{ baseUrl, accessToken: 'secret' },
			true,
			false,
			null,
			null,
		) as INodeParameters;
		expect(data.allowedHttpRequestDomains).toBe('domains');
		expect(evaluate({}, data, data)).toMatchObject({ allowedDomains: host });
	});

	test('hides the token, and nothing else', () => {
		const hidden = credential.properties.filter(({ typeOptions }) => typeOptions?.password);
		expect(hidden.map(({ name }) => name)).toEqual(['accessToken']);
	});

	test('sends the token as a bearer token', () => {
		expect(credential.authenticate).toEqual({
			type: 'generic',
			properties: { headers: { Authorization: '=Bearer {{$credentials.accessToken}}' } },
		});
	});
});

describe('the package', () => {
	test('is what n8n asks of a community node', () => {
		expect(manifest).toMatchObject({
			name: 'n8n-nodes-data-extraction-agent',
			license: 'MIT',
			main: 'index.js',
			files: ['dist'],
			peerDependencies: { 'n8n-workflow': '*' },
			n8n: {
				n8nNodesApiVersion: 1,
				strict: true,
				credentials: ['dist/credentials/DataExtractionAgentApi.credentials.js'],
				nodes: ['dist/nodes/DataExtractionAgent/DataExtractionAgent.node.js'],
			},
		});
		expect(manifest.keywords).toContain('n8n-community-node-package');
		expect(Object.keys(manifest.peerDependencies as object)).toEqual(['n8n-workflow']);
	});

	test.each([
		'dependencies',
		'optionalDependencies',
		'bundledDependencies',
		'overrides',
		'private',
	])('has no %s', (field) => {
		expect(manifest).not.toHaveProperty(field);
	});

	test.each(['prepare', 'preinstall', 'install', 'postinstall'])(
		'runs nothing at installation: no script %s',
		(script) => {
			expect(Object.keys(manifest.scripts)).not.toContain(script);
		},
	);

	test('has built files where it says, and those that the structure asks for', () => {
		for (const file of [
			...manifest.n8n.nodes,
			...manifest.n8n.credentials,
			'index.js',
			'gulpfile.js',
			'tsconfig.json',
			'LICENSE',
		]) {
			expect([file, existsSync(file)]).toEqual([file, true]);
		}
	});

	test('brings the icons of the node and of the credential: square, light and dark', () => {
		// n8n's loader replaces `icon` by addresses below the package's name.
		const light = `icons/n8n-nodes-data-extraction-agent/${nodeFolder}/dataExtractionAgent.svg`;
		const dark = `icons/n8n-nodes-data-extraction-agent/${nodeFolder}/dataExtractionAgent.dark.svg`;
		for (const iconUrl of [node.description.iconUrl, credential.iconUrl]) {
			expect(iconUrl).toEqual({ light, dark });
		}
		for (const file of ['dataExtractionAgent.svg', 'dataExtractionAgent.dark.svg']) {
			const svg = readFileSync(resolve(nodeFolder, file), 'utf8');
			const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
			expect(Number(width)).toBeGreaterThan(0);
			expect(height).toBe(width);
		}
	});

	test('brings a codex file that belongs to the node', () => {
		const file = resolve(dirname(manifest.n8n.nodes[0]), 'DataExtractionAgent.node.json');
		expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
			node: 'n8n-nodes-data-extraction-agent.dataExtractionAgent',
			nodeVersion: '1.0',
			codexVersion: '1.0',
		});
	});

	test('is found by the search of the nodes panel, which leaves the category AI out', () => {
		const file = resolve(dirname(manifest.n8n.nodes[0]), 'DataExtractionAgent.node.json');
		const { categories } = JSON.parse(readFileSync(file, 'utf8')) as { categories: string[] };
		expect(categories).toEqual(['Data & Storage', 'Utility']);
	});
});
