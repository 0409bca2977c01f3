import type { INodeProperties, INodePropertyOptions, INodePropertyRouting } from 'n8n-workflow';
import { properties, resources } from '../../nodes/DataExtractionAgent/resources/index.ts';

/** A declaration or a list entry that carries `routing`, with the names that lead to it. */
interface Routed {
	where: string;
	routing: INodePropertyRouting;
}

/** Every place below the operation list where `routing` can stand. */
function routedIn(property: INodeProperties, path: string): Routed[] {
	const where = `${path}.${property.name}`;
	const own = property.routing ? [{ where, routing: property.routing }] : [];
	const nested = (property.options ?? []).flatMap((option): Routed[] => {
		if ('values' in option) {
			return option.values.flatMap((value) => routedIn(value, `${where}.${option.name}`));
		}
		if ('type' in option) return routedIn(option, where);
		return option.routing
			? [{ where: `${where}=${String(option.value)}`, routing: option.routing }]
			: [];
	});
	return [...own, ...nested];
}

/** The names that a declaration's expressions take from the parameters. */
function parametersNamedIn(value: unknown): string[] {
	const text = JSON.stringify(value);
	const uses = text.match(/\$parameter/g) ?? [];
	const names = [...text.matchAll(/\$parameter(?:\.(\w+)|\[\\?["'](\w+)\\?["']\])/g)].map(
		([, dotted, quoted]) => dotted || quoted,
	);
	// Whatever else there is would escape this test.
	expect(names).toHaveLength(uses.length);
	return names;
}

const operations = resources.flatMap(({ option: { value: resource }, operations: all }) =>
	all.map((operation) => ({
		...operation,
		name: `${String(resource)}.${String(operation.option.value)}`,
	})),
);

const routed = operations.flatMap(({ name, properties: declared }) =>
	declared.flatMap((property) => routedIn(property, name)),
);

const inExceptions = ({ where }: Routed) =>
	['urlExtract.getResult.options.resultPath', 'dataset.getResult.options.resultPath'].includes(
		where,
	);

describe('operations', () => {
	test('have names of their own', () => {
		const names = operations.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
	});

	test.each(operations.map((operation) => [operation.name, operation] as const))(
		'%s declares a method and a path, and nothing else',
		(_, { option: { routing } }) => {
			expect(Object.keys(routing ?? {})).toEqual(['request']);
			expect(Object.keys(routing?.request ?? {})).toEqual(['method', 'url']);
			expect(routing?.request?.url).toMatch(/^=?\/api\/v2\/\S+$/);
		},
	);

	test.each(operations.map((operation) => [operation.name, operation] as const))(
		'%s fills its path from its own required parameters, in the notation that the engine reads',
		(_, { option: { routing }, properties: declared }) => {
			const url = routing?.request?.url ?? '';
			const names = [...url.matchAll(/\{\{\$parameter\.(\w+)\}\}/g)].map(([, name]) => name);
			expect(url.match(/\{\{/g) ?? []).toHaveLength(names.length);
			// n8n reads an expression only behind an equals sign.
			expect(url.startsWith('=')).toBe(names.length > 0);
			const required = declared.filter((property) => property.required);
			expect(required.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
			expect(new Set(names).size).toBe(names.length);
		},
	);

	test('have actions in sentence case, each of its own', () => {
		const actions = operations.map(({ option }) => String(option.action));
		expect(new Set(actions).size).toBe(operations.length);
		for (const action of actions) {
			const [first, ...rest] = action.split(' ');
			expect(first).toMatch(/^[A-Z][a-z]+$/);
			for (const word of rest) expect(word).toMatch(/^([a-z]+|URL)$/);
		}
	});

	test('name results with {id} wherever there are candidates', () => {
		for (const { resultPaths = [] } of operations) {
			for (const path of resultPaths) expect(path).toMatch(/^\/api\/v2\/[a-z/]+\{id\}(\/[a-z]+)?$/);
		}
	});

	test('that start a job say where its result is read', () => {
		const starts = operations.filter(({ option }) => option.routing?.request?.method === 'POST');
		expect(starts.length).toBeGreaterThan(2);
		for (const { name, resultPaths } of starts) {
			expect([name, resultPaths?.length]).toEqual([name, expect.any(Number)]);
		}
	});
});

describe('routing below the operations', () => {
	test('is declared at all', () => {
		expect(routed.length).toBeGreaterThan(15);
	});

	test('has the documented exceptions and no others', () => {
		expect(routed.filter(({ routing }) => routing.request).map(({ where }) => where)).toEqual(
			expect.arrayContaining([
				'dataset.getResult.options.resultPath',
				'urlExtract.getResult.options.resultPath',
			]),
		);
		expect(routed.filter(inExceptions)).toHaveLength(2);
		for (const { routing } of routed.filter(inExceptions)) {
			expect(Object.keys(routing)).toEqual(['request']);
			expect(Object.keys(routing.request ?? {})).toEqual(['url']);
		}
	});

	test.each(routed.filter((one) => !inExceptions(one)).map((one) => [one.where, one] as const))(
		'%s uses only what the engine of this package reads',
		(_, { routing }) => {
			expect(Object.keys(routing)).toEqual(['send']);
			const send = routing.send ?? {};
			const known = ['type', 'property', 'value', 'preSend'];
			expect(Object.keys(send).filter((key) => !known.includes(key))).toEqual([]);
			if (send.property === undefined) {
				expect(send.type).toBeUndefined();
				expect(send.value).toBeUndefined();
				expect(send.preSend?.length).toBeGreaterThan(0);
			} else {
				expect(['query', 'body']).toContain(send.type);
				// Dots would nest, which this package does not do; an expression could make any name.
				expect(send.property).toMatch(/^[a-z_]+$/);
			}
			// Of expressions only the one that leaves out what is empty is understood.
			if (String(send.value ?? '').startsWith('=')) {
				expect(send.value).toBe('={{ $value || undefined }}');
			}
			for (const hook of send.preSend ?? []) expect(hook).toBeInstanceOf(Function);
		},
	);

	test('never stands inside a fixed collection, where it is not read', () => {
		const fixed = operations.flatMap(({ name, properties: declared }) =>
			declared
				.flatMap((property) => [property, ...membersOf(property)])
				.filter(({ type }) => type === 'fixedCollection')
				.flatMap((property) => routedIn({ ...property, routing: undefined }, name)),
		);
		expect(fixed).toEqual([]);
	});
});

describe('all declarations', () => {
	test('name only parameters that the same operation declares', () => {
		let uses = 0;
		for (const { option, properties: declared } of operations) {
			const names = declared.map(({ name }) => name);
			for (const used of [option.routing, ...declared].flatMap(parametersNamedIn)) {
				uses += 1;
				expect(names).toContain(used);
			}
		}
		expect(uses).toBeGreaterThan(6);
	});

	test('show parameters by others of the same operation only', () => {
		for (const { properties: declared } of operations) {
			const names = declared.map(({ name }) => name);
			for (const { displayOptions: { show = {}, hide = {} } = {} } of declared) {
				for (const name of [...Object.keys(show), ...Object.keys(hide)]) {
					expect(names).toContain(name);
				}
			}
		}
	});

	test('have types that the checks of this package know', () => {
		const known = ['options', 'boolean', 'number', 'string', 'collection', 'fixedCollection'];
		for (const property of properties) {
			for (const { type } of [property, ...membersOf(property)]) {
				expect([...known, 'json']).toContain(type);
			}
		}
	});

	test('are composed in full: one list of resources, one of operations each, all parameters', () => {
		expect(properties.filter(({ name }) => name === 'resource')).toHaveLength(1);
		expect(properties.filter(({ name }) => name === 'operation')).toHaveLength(resources.length);
		const parameters = properties.filter(({ name }) => name !== 'resource' && name !== 'operation');
		expect(parameters).toHaveLength(
			operations.reduce((sum, { properties: declared }) => sum + declared.length, 0),
		);
		for (const { displayOptions } of parameters) {
			expect(displayOptions?.show?.resource).toHaveLength(1);
			expect(displayOptions?.show?.operation).toHaveLength(1);
		}
	});

	test('offer lists in which no value occurs twice, and defaults that are on the list', () => {
		for (const property of properties.flatMap((one) => [one, ...membersOf(one)])) {
			if (property.type !== 'options') continue;
			const values = (property.options as INodePropertyOptions[]).map(({ value }) => value);
			expect(new Set(values).size).toBe(values.length);
			expect(values).toContain(property.default);
		}
	});
});

function membersOf({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type !== 'collection' && type !== 'fixedCollection') return [];
	return options.flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option, ...membersOf(option)] : [];
	});
}
