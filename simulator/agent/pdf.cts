import type { Page, Text } from 'pdf2json';
import type { Findings } from './findings.cts';
import { readLines } from './text.cts';

/** pdf2json gives positions in units of 16 points, but widths in points. */
const pointsPerUnit = 16;
/** Texts closer than this (about two spaces) belong to one cell. */
const cellGapUnits = 0.4;
/** A gap wider than this inside a cell is a space. */
const spaceGapUnits = 0.08;
const sameLineUnits = 0.3;

/** Reads the text of a PDF, line by line and cell by cell, as it stands on the page. */
export async function readPdf(content: Buffer): Promise<Findings> {
	// Without its cross-reference table a PDF is cut off, and the library would report that noisily.
	if (!content.includes('startxref')) throw new Error('The PDF cannot be read');
	const pages = await parsePages(content);
	return readLines(pages.flatMap((page) => cellsByLine(page.Texts)));
}

async function parsePages(content: Buffer): Promise<Page[]> {
	// Read by the library when it is loaded, hence the late import.
	process.env.PDF2JSON_DISABLE_LOGS = '1';
	const { default: PDFParser } = await import('pdf2json');
	const parser = new PDFParser();
	try {
		return await new Promise<Page[]>((resolve, reject) => {
			parser.on('pdfParser_dataReady', (data) => {
				resolve(data.Pages);
			});
			parser.on('pdfParser_dataError', () => {
				reject(new Error('The PDF cannot be read'));
			});
			// A copy, because the library reads the whole memory block behind a small buffer.
			parser.parseBuffer(Buffer.from(new Uint8Array(content).buffer));
		});
	} finally {
		parser.destroy();
	}
}

function cellsByLine(texts: readonly Text[]): string[][] {
	const lines: Text[][] = [];
	for (const text of [...texts].sort((a, b) => a.y - b.y)) {
		const line = lines.at(-1);
		if (line !== undefined && text.y - line[0].y < sameLineUnits) line.push(text);
		else lines.push([text]);
	}
	return lines.map(joinCells);
}

function joinCells(line: readonly Text[]): string[] {
	const cells: string[] = [];
	let endUnits = -Infinity;
	for (const text of [...line].sort((a, b) => a.x - b.x)) {
		const content = text.R.map((run) => run.T).join('');
		const gapUnits = text.x - endUnits;
		const space = gapUnits > spaceGapUnits ? ' ' : '';
		if (gapUnits > cellGapUnits) cells.push(content);
		else cells.push(`${cells.pop() ?? ''}${space}${content}`);
		endUnits = text.x + text.w / pointsPerUnit;
	}
	return cells.map((cell) => cell.replace(/\s+/g, ' ').trim()).filter((cell) => cell !== '');
}
