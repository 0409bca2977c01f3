import { emptyFindings, rowsOf, type Findings } from './findings.cts';

/** Reads plain text, where two spaces or a tab separate the cells of a line. */
export function readText(text: string): Findings {
	const lines = text.split(/\r?\n/).map((line) => line.trim());
	return readLines(lines.filter((line) => line !== '').map((line) => line.split(/ {2,}|\t+/)));
}

/** Reads the lines of a page, each a list of cells: `Label: value` pairs and tables. */
export function readLines(lines: readonly (readonly string[])[]): Findings {
	const findings = emptyFindings();
	for (let index = 0; index < lines.length; index += 1) {
		const rows = isTableHeading(lines[index]) ? sameWidth(lines, index) : [];
		if (rows.length > 0) {
			findings.tables.push(rowsOf(lines[index], rows));
			index += rows.length;
		} else {
			addLabelled(findings, lines[index]);
		}
	}
	return findings;
}

/** `Label: value` in one text, or nothing. */
export function labelled(text: string): { label: string; value: string } | undefined {
	const match = /^([^:]{1,60}):\s+(\S.*)$/s.exec(text);
	return match === null ? undefined : { label: match[1].trim(), value: match[2].trim() };
}

function addLabelled(findings: Findings, cells: readonly string[]): void {
	for (let index = 0; index < cells.length; index += 1) {
		// A label in a cell of its own belongs to the next cell.
		const endsInColon = cells[index].endsWith(':') && index + 1 < cells.length;
		const pair = labelled(endsInColon ? `${cells[index]} ${cells[index + 1]}` : cells[index]);
		if (pair !== undefined) findings.values.push({ labels: [pair.label], value: pair.value });
		if (endsInColon) index += 1;
	}
}

function isTableHeading(cells: readonly string[]): boolean {
	return cells.length >= 3 && cells.every((cell) => !/[\d:]/.test(cell));
}

function sameWidth(lines: readonly (readonly string[])[], heading: number): (readonly string[])[] {
	const end = lines.findIndex(
		(cells, index) => index > heading && cells.length !== lines[heading].length,
	);
	return lines.slice(heading + 1, end === -1 ? undefined : end);
}
