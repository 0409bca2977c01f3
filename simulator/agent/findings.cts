/** A value with the labels under which it can be asked for; the first is the one that was read. */
export interface Finding {
	labels: readonly [string, ...string[]];
	value: string;
}

/** A table's row: its cells by column heading. */
export type Row = Record<string, string>;

/** What the agent found in a source. */
export interface Findings {
	values: Finding[];
	tables: Row[][];
	links: string[];
	images: string[];
}

/** No findings yet. */
export function emptyFindings(): Findings {
	return { values: [], tables: [], links: [], images: [] };
}

/** A row, seen as a source of its own. */
export function rowFindings(row: Row): Findings {
	const values = Object.entries(row).map(([label, value]): Finding => ({ labels: [label], value }));
	return { ...emptyFindings(), values };
}

/** Rows as objects by heading; surplus cells are dropped, missing ones are empty. */
export function rowsOf(headings: readonly string[], lines: readonly (readonly string[])[]): Row[] {
	return lines.map((cells) =>
		Object.fromEntries(headings.map((heading, column) => [heading, cells[column] ?? ''])),
	);
}
