import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { toItems } from '../../nodes/DataExtractionAgent/engine/output.ts';
import type { OutputOptions } from '../../nodes/DataExtractionAgent/engine/plan.ts';
import { isObject, readRecord } from '../../nodes/DataExtractionAgent/engine/record.ts';

const id = '3f2b8c1e-5d47-4a90-9b36-8e1f0c2d7a64';

const row = fc.dictionary(fc.constantFrom('error', 'name', 'price', 'data'), fc.jsonValue());
const json = fc.oneof(
	fc.jsonValue(),
	row,
	fc.array(row),
	fc.dictionary(fc.constantFrom('error', 'rows', 'more'), fc.oneof(fc.array(row), fc.jsonValue())),
);
const envelope = fc.record(
	{
		success: fc.constant(true),
		message: fc.string(),
		error: fc.jsonValue(),
		result: fc.record(
			{ done: fc.boolean(), id: fc.constant(id), json, changed: fc.boolean(), when: fc.nat() },
			{ requiredKeys: ['done'] },
		),
	},
	{ requiredKeys: ['result'] },
);
const options: fc.Arbitrary<OutputOptions> = fc.record({
	form: fc.constantFrom('simplified', 'data', 'full'),
	splitIntoItems: fc.boolean(),
	downloadScreenshots: fc.constant(false),
});

function itemsOf(answer: object, how: OutputOptions) {
	return toItems(3, { id, record: readRecord(answer) }, how);
}

const isRows = (value: unknown): value is object[] =>
	Array.isArray(value) && value.length > 0 && value.every(isObject);

/** The contract's rule, told once more. */
function expectedRows(data: unknown): number {
	if (isRows(data)) return data.length;
	const lists = isObject(data) ? Object.values(data).filter(isRows) : [];
	return lists.length === 1 ? lists[0].length : 1;
}

it('never yields a top-level error, and always an item with its pair', () => {
	fc.assert(
		fc.property(envelope, options, (answer, how) => {
			const items = itemsOf(answer, how);
			expect(items.length).toBeGreaterThan(0);
			for (const item of items) {
				expect(Object.hasOwn(item.json, 'error')).toBe(false);
				expect(item.pairedItem).toEqual({ item: 3 });
			}
		}),
		{ numRuns: 500 },
	);
});

it('yields an item per row where it is to split a finished result, else one', () => {
	fc.assert(
		fc.property(envelope, options, (answer, how) => {
			const { done, json: data } = answer.result;
			const expected = done && how.splitIntoItems ? expectedRows(data ?? undefined) : 1;
			expect(itemsOf(answer, how)).toHaveLength(expected);
		}),
		{ numRuns: 500 },
	);
});

it('never loses the ID of a job in progress', () => {
	fc.assert(
		fc.property(envelope, options, (answer, how) => {
			const progress = { ...answer, result: { ...answer.result, done: false } };
			const items = itemsOf(progress, how);
			expect(items).toHaveLength(1);
			expect(JSON.stringify(items[0].json)).toContain(id);
		}),
		{
			examples: [
				[
					{ result: { done: false, json: [{}, {}] } },
					{ form: 'full', splitIntoItems: true, downloadScreenshots: false },
				],
			],
		},
	);
});

it('passes the whole answer on in full form', () => {
	const form = { form: 'full', splitIntoItems: false, downloadScreenshots: false } as const;
	fc.assert(
		fc.property(envelope, (answer) => {
			const finished = { ...answer, result: { ...answer.result, done: true } };
			const [{ json: item }] = itemsOf(finished, form);
			const expected = Object.hasOwn(answer, 'error') ? { data: finished } : finished;
			expect(item).toEqual(expected as unknown as IDataObject);
		}),
	);
});

it('does not change the record it is given', () => {
	fc.assert(
		fc.property(envelope, options, (answer, how) => {
			const before = JSON.stringify(answer);
			itemsOf(answer, how);
			expect(JSON.stringify(answer)).toBe(before);
		}),
	);
});
