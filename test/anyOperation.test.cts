import type { INodeProperties, INodeType } from 'n8n-workflow';
import { createEngine, type Engine } from '../harness/engine.cts';
import { run } from '../nodes/DataExtractionAgent/engine/run.ts';
import { composeProperties } from '../nodes/DataExtractionAgent/resources/compose.ts';
import { resources } from '../nodes/DataExtractionAgent/resources/index.ts';
import { runId } from '../nodes/DataExtractionAgent/resources/shared/ids.ts';
import { readParameters } from '../nodes/DataExtractionAgent/resources/shared/parameters.ts';
import type { Operation } from '../nodes/DataExtractionAgent/resources/types.ts';
import { AGENT, agentWorkflow, TOKEN } from './support/agent.cts';
import { builtNode } from './support/builtNode.cts';
import { priceFields } from './support/operations.cts';
import { answer, startTinyServer, type TinyServer } from './support/tinyServer.cts';

/*
 * An operation is a declaration: whatever is declared runs, without a word of it in the engine or in
 * the tests. One that does not exist stands for all that may be added (CONTRIBUTING.md).
 */

const madeUp: Operation = {
	option: {
		name: 'Made Up',
		value: 'madeUp',
		action: 'Make up a result of a workflow run',
		description: 'Read what nobody offers',
		routing: { request: { method: 'GET', url: '=/api/v2/made-up/{{$parameter.runId}}' } },
	},
	properties: [
		runId,
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			routing: { send: { type: 'query', property: 'limit' } },
		},
		...readParameters(),
	],
};
const extended = resources.map((resource) =>
	resource.option.value === 'runResult'
		? { ...resource, operations: [...resource.operations, madeUp] }
		: resource,
);
const properties = composeProperties(extended);
const node: INodeType = {
	description: { ...builtNode().description, properties },
	async execute() {
		const credentialType = 'dataExtractionAgentApi';
		return await run(this, { credentialType, properties, resources: extended });
	},
};

const operations = extended.flatMap(({ option: { value: resource }, operations: all }) =>
	all.map(({ option: { value: operation }, properties: declarations }) => ({
		name: `${String(resource)}.${String(operation)}`,
		names: { resource, operation },
		required: declarations.filter((property) => property.required),
	})),
);

/** What an operation needs besides its required parameters. */
const needed: Record<string, object> = {
	'document.start': { documentInput: 'none' },
	'dataset.start': { schemaFields: priceFields },
};

const id = '3f2b8c1e-5d47-4a90-9b36-8e1f0c2d7a64';
const row = { id, done: true, json: { price: '€ 329.00' } };

let service: TinyServer;
let executed: Engine;
let declared: Engine;

beforeAll(async () => {
	service = await startTinyServer(({ method }, response) => {
		const result = method === 'POST' ? { id } : row;
		answer(response, 200, { message: 'OK', success: true, result });
	});
	const data = { baseUrl: service.origin, accessToken: TOKEN };
	const options = {
		nodeTypes: { 'n8n-nodes-data-extraction-agent.dataExtractionAgent': node },
		credentials: { dataExtractionAgentApi: { data } },
	};
	executed = await createEngine(options);
	declared = await createEngine({ ...options, withoutExecute: true });
});

afterAll(async () => {
	executed.close();
	declared.close();
	await service.close();
});

/** The values that the placeholders of the panel show: `e.g. 42` is `42`. */
function examplesOf(required: INodeProperties[]): Record<string, string> {
	return Object.fromEntries(
		required.map(({ name, placeholder = '' }) => [name, placeholder.replace(/^e\.g\. /, '')]),
	);
}

/** The requests and the items of one run. */
async function runIn(engine: Engine, parameters: object) {
	service.requests.length = 0;
	const outcome = await engine.run(agentWorkflow(parameters));
	expect({ status: outcome.status, error: outcome.error?.message }).toEqual({ status: 'success' });
	const requests = service.requests.map(({ method, url, headers }) => {
		const { authorization, accept, 'content-type': contentType } = headers;
		return { method, url, authorization, accept, contentType };
	});
	return { requests, items: outcome.items(AGENT).map(({ json }) => json) };
}

test.each(operations)(
	'$name runs with the examples in its placeholders, and sends what n8n’s own RoutingNode sends',
	async ({ name, names, required }) => {
		const parameters = {
			...names,
			...examplesOf(required),
			...needed[name],
			waitForCompletion: false,
		};
		const { requests, items } = await runIn(executed, parameters);
		expect(requests).toHaveLength(1);
		expect(requests).toEqual((await runIn(declared, parameters)).requests);
		expect(items).toEqual([expect.objectContaining({ id })]);
	},
);

test('an operation that was added has waiting, output forms and its own parameters', async () => {
	const parameters = {
		resource: 'runResult',
		operation: 'madeUp',
		runId: id,
		limit: 7,
		waitForCompletion: true,
		output: 'data',
	};
	const { requests, items } = await runIn(executed, parameters);
	expect(requests.map(({ url }) => url)).toEqual([`/api/v2/made-up/${id}?limit=7`]);
	expect(items).toEqual([row.json]);
});
