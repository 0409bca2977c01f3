/** A table of texts, the first row being its head. */
export function drawTable(rows) {
	const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
	const lines = rows.map((row) =>
		row.map((cell, column) => cell.padEnd(widths[column])).join('  '),
	);
	lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
	return lines.map((line) => line.trimEnd()).join('\n');
}
