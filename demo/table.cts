import { widestPart, widthOf, wrap } from './text.cts';

/** Widest line of a table; terminals are not always wider than this. */
const maxWidth = 96;

/** Draws a table whose first row is its heading; cells that are too long go on in the next line. */
export function drawTable(rows: readonly (readonly string[])[]): string[] {
	const widths = fit(rows);
	const rule = (left: string, middle: string, right: string) =>
		left + widths.map((width) => '─'.repeat(width + 2)).join(middle) + right;
	const bodies = rows.map((row) => drawRow(row, widths));
	// Lines between the rows are only needed where one row takes several lines.
	const needsLines = bodies.slice(1).some((lines) => lines.length > 1);
	const separator = rule('├', '┼', '┤');
	return [
		rule('┌', '┬', '┐'),
		...bodies.flatMap((lines, index) =>
			index === 1 || (index > 1 && needsLines) ? [separator, ...lines] : lines,
		),
		rule('└', '┴', '┘'),
	];
}

function drawRow(row: readonly string[], widths: readonly number[]): string[] {
	const cells = widths.map((width, column) => wrap(row[column], width));
	const height = Math.max(...cells.map((lines) => lines.length));
	return Array.from({ length: height }, (_, line) => {
		const texts = cells.map((lines, column) => pad(lines[line] ?? '', widths[column]));
		return `│ ${texts.join(' │ ')} │`;
	});
}

function columnWidths(
	rows: readonly (readonly string[])[],
	measure: (cell: string) => number,
): number[] {
	return rows[0].map((_, column) => Math.max(1, ...rows.map((row) => measure(row[column]))));
}

/** Takes from the widest columns until the table is narrow enough; breaks words only if it must. */
function fit(rows: readonly (readonly string[])[]): number[] {
	const widths = columnWidths(rows, widthOf);
	const words = columnWidths(rows, widestPart);
	const borders = 3 * widths.length + 1;
	let excess = widths.reduce((sum, width) => sum + width, borders) - maxWidth;
	for (; excess > 0; excess -= 1) {
		const slack = widths.map((width, column) => (width > words[column] ? width : 0));
		const candidates = Math.max(...slack) > 0 ? slack : widths;
		const widest = Math.max(...candidates);
		if (widest === 1) break;
		widths[candidates.indexOf(widest)] -= 1;
	}
	return widths;
}

function pad(text: string, width: number): string {
	return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
