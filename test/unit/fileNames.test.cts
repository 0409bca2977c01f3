import fc from 'fast-check';
import {
	fileNameFor,
	safeFileName,
	safeMimeType,
} from '../../nodes/DataExtractionAgent/engine/fileNames.ts';

const anyName = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 500 }),
	fc.string({ unit: fc.constantFrom('"', '\r', '\n', '/', '\\', '\u2028', '\0', ' ', 'a', 'ä') }),
);

describe('safeFileName', () => {
	it('holds nothing that ends a header or leaves a folder', () => {
		fc.assert(
			fc.property(anyName, (name) => {
				expect(safeFileName(name)).not.toMatch(/[\p{Cc}\u2028\u2029"/\\]/u);
			}),
		);
	});

	it('is never empty, and bounded in length', () => {
		fc.assert(
			fc.property(anyName, (name) => {
				const safe = safeFileName(name);
				expect(safe.trim()).not.toBe('');
				expect([...safe.replace(/%(22|0D|0A)/g, '_')].length).toBeLessThanOrEqual(200);
			}),
		);
		expect(safeFileName('ä'.repeat(400))).toBe('ä'.repeat(200));
		expect(safeFileName('')).toBe('file');
	});

	it('keeps harmless names as they are', () => {
		for (const name of ['invoice.pdf', 'Übersicht 2024 (1).pdf', '請求書 📄.png', "it's.pdf"]) {
			expect(safeFileName(name)).toBe(name);
		}
	});

	it('escapes as browsers do', () => {
		expect(safeFileName('a"b\r\nX: y.pdf')).toBe('a%22b%0D%0AX: y.pdf');
		expect(safeFileName('../a\\b.pdf')).toBe('.._a_b.pdf');
	});

	it('does not cut a character in two', () => {
		fc.assert(
			fc.property(fc.integer({ min: 195, max: 205 }), (length) => {
				const safe = safeFileName(`${'x'.repeat(length)}📄📄📄📄📄📄`);
				expect(Buffer.from(safe).toString()).toBe(safe);
			}),
		);
	});
});

describe('safeMimeType', () => {
	it('is of the form type/subtype, whatever it is given', () => {
		fc.assert(
			fc.property(fc.oneof(anyName, fc.constant(undefined)), (type) => {
				expect(safeMimeType(type)).toMatch(/^[^\s;,"]+\/[^\s;,"/]+$/);
			}),
		);
		for (const type of ['a/b\r\nX: y', 'pdf', '', 'a/b/c', 'a b/c']) {
			expect(safeMimeType(type)).toBe('application/octet-stream');
		}
	});

	it('leaves parameters and spaces around it out', () => {
		expect(safeMimeType(' application/pdf; charset="binary"\r\nX: y')).toBe('application/pdf');
	});

	it('keeps real types', () => {
		for (const type of [
			'application/pdf',
			'image/svg+xml',
			'application/vnd.ms-excel',
			'x-a/b.c',
		]) {
			expect(safeMimeType(type)).toBe(type);
		}
	});
});

describe('fileNameFor', () => {
	it.each([
		['image/png', 'shot.png'],
		['image/jpeg', 'shot.jpg'],
		['image/svg+xml', 'shot.svg'],
		['text/plain', 'shot'],
	])('gives %s a fitting ending', (type, name) => {
		expect(fileNameFor('shot', type)).toBe(name);
	});
});
