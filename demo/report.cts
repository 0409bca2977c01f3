import type { IDataObject } from 'n8n-workflow';
import type { Finding } from './findings.cts';
import { drawTable } from './table.cts';
import { oneLine } from './text.cts';

type Value = IDataObject[string];

/** The tables of one workflow: one row per item, or one row per value where there is one item only. */
export function reportLines(findings: readonly Finding[]): string[] {
	if (findings.length === 0) return ['Nothing was extracted.'];
	const rows = findings.map(({ values }) => values);
	const sources = findings.map(({ source }) => oneLine(source));
	if (new Set(sources).size > 1) return drawWithSources(rows, sources);
	return [`From ${sources[0]}`, ...(rows.length > 1 ? drawRows(rows) : drawValues(rows[0]))];
}

/** One row per item beside its source; what the sources have in common is said once, above. */
function drawWithSources(rows: readonly IDataObject[], sources: readonly string[]): string[] {
	const folder = commonFolder(sources);
	const [heading, ...cells] = toRows(rows);
	const table = drawTable([
		['From', ...heading],
		...cells.map((row, index) => [sources[index].slice(folder.length), ...row]),
	]);
	return folder === '' ? table : [`From ${folder}…`, ...table];
}

/** What all the addresses begin with, up to a slash; empty where not even the host is the same. */
function commonFolder([first, ...others]: readonly string[]): string {
	let folder = first;
	while (folder !== '' && !others.every((other) => other.startsWith(folder))) {
		folder = folder.slice(0, -1);
	}
	return /^https?:\/\/[^/]+\/(.*\/)?/.exec(folder)?.[0] ?? '';
}

/** Label and value; a list of objects gets a table of its own. */
function drawValues(values: IDataObject): string[] {
	const entries = Object.entries(values);
	const lists = entries.filter(([, value]) => isRows(value)) as [string, IDataObject[]][];
	const single = entries.filter(([, value]) => !isRows(value));
	return [
		...(single.length === 0
			? []
			: drawTable([
					['Label', 'Value'],
					...single.map(([label, value]) => [oneLine(label), cell(value)]),
				])),
		...lists.flatMap(([label, rows]) => [`${oneLine(label)}:`, ...drawRows(rows)]),
	];
}

function drawRows(rows: readonly IDataObject[]): string[] {
	return drawTable(toRows(rows));
}

/** A heading with all the labels that occur, and the rows below it. */
function toRows(rows: readonly IDataObject[]): string[][] {
	const labels = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	return [labels.map(oneLine), ...rows.map((row) => labels.map((label) => cell(row[label])))];
}

function isRows(value: Value): boolean {
	return (
		Array.isArray(value) &&
		value.length > 0 &&
		value.every((one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one))
	);
}

function cell(value: Value): string {
	if (value === null || value === undefined || value === '') return '–';
	return oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
