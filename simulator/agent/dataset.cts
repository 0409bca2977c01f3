import type { JsonObject } from '../json.cts';
import { fillFields } from './fill.cts';
import { rowFindings, type Row } from './findings.cts';
import knowledge from './knowledge.json';
import { shapeOf, type Shape } from './shape.cts';
import { comparableWords } from './words.cts';

/** Builds a dataset from what the agent knows: the topic from the query, the columns from the schema. */
export function buildDataset(query: string, schema: JsonObject): { rows: JsonObject[] } {
	const rows = rowsAbout(query) ?? rowsAbout(JSON.stringify(schema)) ?? [];
	const fields = rowFields(shapeOf(schema));
	const filled = rows.map((row) => fillFields(fields, rowFindings(row)));
	return { rows: filled.slice(0, askedCount(query)) };
}

function rowsAbout(text: string): Row[] | undefined {
	const words = comparableWords(text);
	const topic = knowledge.find(({ keywords }) =>
		comparableWords(keywords).some((keyword) => words.includes(keyword)),
	);
	return topic?.rows;
}

/** A schema may describe the row itself, or an object with one list of rows. */
function rowFields(shape: Shape): Record<string, Shape> {
	if (shape.kind === 'list') return rowFields(shape.item);
	if (shape.kind === 'value') return {};
	const [only, ...others] = Object.values(shape.fields);
	const isWrapper = only?.kind === 'list' && others.length === 0;
	return isWrapper ? rowFields(only) : shape.fields;
}

/** `the 5 longest rivers` asks for five rows. */
function askedCount(query: string): number {
	const digits = /\b\d{1,3}\b/.exec(query)?.[0];
	if (digits !== undefined) return Number(digits);
	// "One" is left out: it is too often not a number.
	const word = numberWords.findIndex((name) => new RegExp(`\\b${name}\\b`, 'i').test(query));
	return word < 0 ? Infinity : word + 2;
}

const numberWords = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
