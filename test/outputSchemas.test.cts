import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import type { IDataObject } from 'n8n-workflow';
import { createEngine, type Engine } from '../harness/engine.cts';
import { resources } from '../nodes/DataExtractionAgent/resources/index.ts';
import { AGENT, agentWorkflow, TOKEN } from './support/agent.cts';
import { priceFields } from './support/operations.cts';
import { answer, startTinyServer, type TinyServer } from './support/tinyServer.cts';

/*
 * What the editor offers before the first run is what comes out of it. The schemas are for the
 * defaults; here they are held against the engine's output, and stricter than n8n reads them.
 */

interface OutputSchema {
	type: string;
	properties?: Record<string, OutputSchema>;
}

const id = '3f2b8c1e-5d47-4a90-9b36-8e1f0c2d7a64';

/** A result with every documented field (service document, 2.2). */
const record = {
	id,
	done: true,
	changed: true,
	when: 1_763_719_200,
	credits: { remaining: 970, used: 3 },
	details: { descr: 'Read 1 page' },
	json: { price: '€ 329.00' },
	screenshots: ['https://example.com/1.png'],
};

let service: TinyServer;
let engine: Engine;

beforeAll(async () => {
	service = await startTinyServer(({ method }, response) => {
		const result = method === 'POST' ? { id } : record;
		answer(response, 200, { message: 'OK', success: true, result });
	});
	const data = { baseUrl: service.origin, accessToken: TOKEN };
	engine = await createEngine({ credentials: { dataExtractionAgentApi: { data } } });
});

afterAll(async () => {
	engine.close();
	await service.close();
});

function schemaOf(resource: string, operation: string): OutputSchema {
	const folder = 'dist/nodes/DataExtractionAgent/__schema__/v1.0.0';
	return JSON.parse(
		readFileSync(`${folder}/${resource}/${operation}.json`, 'utf8'),
	) as OutputSchema;
}

/** The same, refusing whatever it does not name. */
function closed({ properties, ...schema }: OutputSchema): object {
	if (!properties) return schema;
	const members = Object.entries(properties).map(([name, member]) => [name, closed(member)]);
	return {
		...schema,
		properties: Object.fromEntries(members) as object,
		additionalProperties: false,
	};
}

/** Names of all members that a schema has, with those around them. */
function pathsOf({ properties = {} }: OutputSchema): string[] {
	return Object.entries(properties).flatMap(([name, member]) => [
		name,
		...pathsOf(member).map((path) => `${name}.${path}`),
	]);
}

function holds(json: unknown, path: string): boolean {
	return (
		path
			.split('.')
			.reduce<unknown>((value, name) => (value as IDataObject | undefined)?.[name], json) !==
		undefined
	);
}

const operations = resources.flatMap(({ option: { value: resource }, operations: all }) =>
	all.map(({ option: { value: operation }, properties }) => ({
		resource: String(resource),
		operation: String(operation),
		required: properties.filter((property) => property.required),
	})),
);

test.each(operations)(
	'$resource: $operation puts out what its schema says',
	async ({ resource, operation, required }) => {
		const examples = required.map(({ name, placeholder = '' }) => [
			name,
			placeholder.replace(/^e\.g\. /, ''),
		]);
		const outcome = await engine.run(
			agentWorkflow({
				resource,
				operation,
				...(Object.fromEntries(examples) as object),
				...(resource === 'dataset' && { schemaFields: priceFields }),
				waitOptions: { pollIntervalSeconds: 0.02 },
			}),
			{
				inputItems: [
					{
						json: {},
						binary: { data: await engine.binary('a.png', 'image/png', Buffer.from('a')) },
					},
				],
			},
		);
		expect({ status: outcome.status, error: outcome.error?.message }).toEqual({
			status: 'success',
		});

		const schema = schemaOf(resource, operation);
		const [{ json }] = outcome.items(AGENT);
		const validate = new Ajv({ allErrors: true }).compile(closed(schema));
		validate(json);
		expect(validate.errors ?? []).toEqual([]);
		expect(pathsOf(schema).filter((path) => !holds(json, path))).toEqual([]);
		// The table of the editor has its columns in this order.
		expect(Object.keys(json)).toEqual(Object.keys(schema.properties ?? {}));
	},
);
