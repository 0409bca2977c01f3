import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { DataExtractionAgentApi } from '../../credentials/DataExtractionAgentApi.credentials.ts';
import { toItems } from '../../nodes/DataExtractionAgent/engine/output.ts';
import { readRecord } from '../../nodes/DataExtractionAgent/engine/record.ts';
import { properties, resources } from '../../nodes/DataExtractionAgent/resources/index.ts';
import { builtNode } from '../support/builtNode.cts';

/*
 * n8n's UX guidelines, as far as a machine can judge them (docs/verification.md). n8n's linter looks
 * at literals in the source; this looks at what the panel gets.
 */

/** A declaration or a list entry. */
interface Labelled {
	label: string;
	description?: string;
}

const credential = new DataExtractionAgentApi();
const all = [...properties, ...credential.properties].flatMap(withMembers);
const entries = all.flatMap(entriesOf);
const texts: Labelled[] = [
	...all.map(({ displayName: label, description }) => ({ label, description })),
	...entries.map(({ name: label, description }) => ({ label, description })),
];

function withMembers(property: INodeProperties): INodeProperties[] {
	const { type, options = [] } = property;
	if (type !== 'collection' && type !== 'fixedCollection') return [property];
	const members = options.flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [property, ...members.flatMap(withMembers)];
}

function entriesOf({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
	return type === 'options' ? (options as INodePropertyOptions[]) : [];
}

/** The rows that differ from what they should be, for a readable message. */
function offenders<T>(rows: T[], isRight: (row: T) => boolean): T[] {
	return rows.filter((row) => !isRight(row));
}

test('labels are in title case', () => {
	const small = /^(a|an|and|as|at|by|for|from|in|is|of|on|or|per|the|to|with)$/;
	const isRight = ({ label }: Labelled) =>
		label
			.split(/[ (]+/)
			.every((word, index) => /^[A-Z]/.test(word) || (index > 0 && small.test(word)));
	expect(offenders(texts, isRight)).toEqual([]);
});

test('descriptions begin with a capital letter; only several sentences end with a full stop', () => {
	const isRight = ({ description = 'None' }: Labelled) =>
		/^[A-Z]/.test(description) && /[.:] [A-Z]/.test(description) === description.endsWith('.');
	expect(offenders(texts, isRight)).toEqual([]);
});

test('descriptions of switches begin with "Whether"', () => {
	const switches = all.filter(({ type }) => type === 'boolean');
	expect(offenders(switches, ({ description = '' }) => description.startsWith('Whether '))).toEqual(
		[],
	);
});

test('placeholders are examples', () => {
	const fields = all.filter(({ type, placeholder }) => placeholder && !/ollection$/.test(type));
	expect(fields.length).toBeGreaterThan(5);
	expect(offenders(fields, ({ placeholder = '' }) => placeholder.startsWith('e.g. '))).toEqual([]);
});

test('lists and collections are in alphabetical order', () => {
	const isSorted = (names: string[]) =>
		names.join() === [...names].sort((a, b) => a.localeCompare(b)).join();
	const lists = all.filter(({ name, type }) => type === 'options' && name !== 'operation');
	expect(
		offenders(lists, (list) => isSorted(entriesOf(list).map(({ name }) => name))).map(
			({ name }) => name,
		),
	).toEqual([]);
	const collections = all.filter(({ type }) => type === 'collection');
	const optionsOf = ({ options = [] }: INodeProperties) =>
		(options as INodeProperties[])
			// The way out for what has no field of its own stands last.
			.filter(({ name }) => name !== 'extraQuery')
			.map(({ displayName }) => displayName);
	expect(offenders(collections, (one) => isSorted(optionsOf(one))).map(({ name }) => name)).toEqual(
		[],
	);
});

test('resource and operation come first, and are the subtitle, in title case', () => {
	expect(properties.slice(0, 2).map(({ displayName }) => displayName)).toEqual([
		'Resource',
		'Operation',
	]);
	const { subtitle, defaults, displayName } = builtNode().description;
	for (const { option, operations } of resources) {
		for (const operation of operations) {
			expect(subtitle).toContain(`"${option.name}: ${operation.option.name}"`);
		}
	}
	expect(displayName).not.toMatch(/node/i);
	expect(defaults.name).toBe(displayName);
});

test('no label speaks of binary data or of keys', () => {
	expect(offenders(texts, ({ label }) => !/binary (data|property)|\bkey/i.test(label))).toEqual([]);
});

test('the simplified output has ten fields at most', () => {
	const record = readRecord({
		message: 'OK',
		success: true,
		result: {
			id: '3f2b8c1e-5d47-4a90-9b36-8e1f0c2d7a64',
			done: true,
			changed: true,
			when: 1,
			credits: { used: 1, remaining: 2 },
			details: { descr: 'Read' },
			screenshots: ['x'],
			json: { price: 1 },
		},
	});
	if (!record) throw new Error('No record');
	const upload = { field: 'data', fileName: 'a.pdf', mimeType: 'application/pdf', sizeBytes: 1 };
	const [{ json }] = toItems(
		0,
		{ id: 'x', record },
		{ form: 'simplified', splitIntoItems: false, downloadScreenshots: false },
		{ upload: { ...upload, itemIndex: 0, ofSeveral: false } },
	);
	expect(Object.keys(json).length).toBeLessThanOrEqual(10);
	expect(Object.keys(json)).toContain('screenshots');
});
