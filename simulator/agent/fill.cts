import type { Json, JsonObject } from '../json.cts';
import { convert } from './convert.cts';
import { rowFindings, type Findings, type Row } from './findings.cts';
import { bestMatch, type WantedField } from './match.cts';
import type { Shape } from './shape.cts';
import { snakeCase } from './words.cts';

/** Fills the asked-for fields with what was found; what was not found is null. */
export function fillFields(
	fields: Record<string, Shape>,
	findings: Findings,
	parents: readonly string[] = [],
): JsonObject {
	const filled = Object.entries(fields).map(([name, shape]) => [
		name,
		fillField(name, shape, findings, parents),
	]);
	return Object.fromEntries(filled) as JsonObject;
}

/** Everything that was found, by label, for a start without a schema. */
export function allFindings({ values, tables }: Findings): JsonObject {
	const json: JsonObject = {};
	for (const { labels, value } of values) json[snakeCase(labels[0])] ??= value;
	if (tables.length > 0) json.rows = longest(tables).map(snakeCaseRow);
	return json;
}

function fillField(
	name: string,
	shape: Shape,
	findings: Findings,
	parents: readonly string[],
): Json {
	switch (shape.kind) {
		case 'object':
			return fillFields(shape.fields, findings, [...parents, name]);
		case 'list':
			return fillList(name, shape.item, findings);
		case 'value': {
			const wanted: WantedField = { name, description: shape.description, parents };
			const found = bestMatch(wanted, findings.values);
			return found === undefined ? null : convert(found.value, shape.type);
		}
	}
}

function fillList(name: string, item: Shape, { tables }: Findings): Json[] {
	switch (item.kind) {
		case 'object': {
			const table = bestTable(item.fields, tables);
			return table.map((row) => fillFields(item.fields, rowFindings(row)));
		}
		case 'value': {
			const wanted: WantedField = { name, description: item.description, parents: [] };
			const columns = tables.flatMap((table) =>
				Object.keys(table[0]).map((label) => ({ labels: [label] as [string], label, table })),
			);
			const column = bestMatch(wanted, columns);
			return column?.table.map((row) => convert(row[column.label], item.type)) ?? [];
		}
		case 'list':
			return [];
	}
}

/** The table with the most of the asked-for columns. */
function bestTable(fields: Record<string, Shape>, tables: readonly Row[][]): Row[] {
	let best: { table: Row[]; found: number } = { table: [], found: 0 };
	for (const table of tables) {
		const first = fillFields(fields, rowFindings(table[0]));
		const found = Object.values(first).filter((value) => value !== null).length;
		if (found > best.found) best = { table, found };
	}
	return best.table;
}

function longest(tables: readonly Row[][]): Row[] {
	return tables.reduce((a, b) => (b.length > a.length ? b : a));
}

function snakeCaseRow(row: Row): Row {
	return Object.fromEntries(Object.entries(row).map(([label, cell]) => [snakeCase(label), cell]));
}
