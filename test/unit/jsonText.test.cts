import fc from 'fast-check';
import { JsonMistake, parseJson } from '../../nodes/DataExtractionAgent/schema/jsonText.ts';

function mistakeIn(text: string): string | undefined {
	try {
		parseJson(text);
		return undefined;
	} catch (error) {
		if (error instanceof JsonMistake) return error.message;
		throw error;
	}
}

describe('a mistake in JSON', () => {
	test.each<[what: string, text: string, says: string]>([
		[
			'a missing comma',
			'{\n  "name": "Name"\n  "price": "Price"\n}',
			'line 3, column 3: a comma is missing before "',
		],
		[
			'a comma at the end',
			'{\n  "name": "Name",\n}',
			'line 2, column 17: delete this comma: nothing follows before the }',
		],
		[
			'a comma at the end of a list',
			'{ "a": ["b",] }',
			'line 1, column 12: delete this comma: nothing follows before the ]',
		],
		[
			'two commas',
			'{ "a": "b",, }',
			'line 1, column 12: a name in double quotes is missing before ,',
		],
		['a missing colon', '{ "a" "b" }', 'line 1, column 7: a colon is missing before "'],
		['a missing value', '{ "a": , "b": "c" }', 'line 1, column 8: a value is missing before ,'],
		['a missing value at the end', '{ "a": }', 'line 1, column 8: a value is missing before }'],
		['an open object', '{ "a": { "b": "c" }', 'line 1, column 1: this bracket has no closing }'],
		['an open list', '{\n"a": [ "b"', 'line 2, column 6: this bracket has no closing ]'],
		['a wrong bracket', '{ "a": [ "b" } ]', 'line 1, column 14: a comma is missing before }'],
		['nothing behind a name', '{ "a"', 'line 1, column 6: the text ends too early'],
		['nothing behind a bracket', '{', 'line 1, column 2: the text ends too early'],
		['nothing behind a comma', '{ "a": "b",', 'line 1, column 12: the text ends too early'],
		['an open quote', '{ "a": "b }', 'line 1, column 8: this quote is never closed'],
		[
			'a line break in a text',
			'{ "a": "b\nc" }',
			'line 1, column 8: this quote is not closed in its line; for a line break inside a text write \\n',
		],
		[
			'a tab in a text',
			'{ "a": "b\tc" }',
			'line 1, column 10: a tab or another control character; replace it by a space',
		],
		[
			'a backslash',
			'{ "a": "C:\\path" }',
			'line 1, column 11: for one backslash in a text write two: \\\\',
		],
		['single quotes', "{ 'a': 'b' }", `line 1, column 3: use double quotes (") instead of '`],
		[
			'a single quote behind',
			`{ "a": 'b' }`,
			`line 1, column 8: use double quotes (") instead of '`,
		],
		['curly quotes', '{ “a”: “b” }', 'line 1, column 3: use straight quotes (") instead of “'],
		['a bare name', '{ price: "Price" }', 'line 1, column 3: put double quotes (") around "price"'],
		['a bare value', '{ "a": Prix }', 'line 1, column 8: put double quotes (") around "Prix"'],
		['true in another language', '{ "a": True }', 'line 1, column 8: write true instead of True'],
		[
			'a name like a word of JSON',
			'{ null: 1 }',
			'line 1, column 3: put double quotes (") around "null"',
		],
		...['1.', '01', '.5', '+1', '1.5.2', '0x1F', '12a'].map((number): [string, string, string] => [
			`the number ${number}`,
			`{ "a": ${number} }`,
			'line 1, column 8: put double quotes (") around this, or write a number such as 1234.5',
		]),
		[
			'a decimal comma',
			'{ "a": 1,5 }',
			'line 1, column 10: put double quotes (") around this, or write a number such as 1234.5',
		],
		[
			'a comment',
			'{ // Price\n"a": "b" }',
			'line 1, column 3: JSON has no comments; delete this one',
		],
		[
			'a special space',
			'{\u00a0"a": "b" }',
			'line 1, column 2: a special space, often pasted from a web page; type a normal one',
		],
		[
			'an expression in a fixed text',
			'{ "a": {{ $json.a }} }',
			'line 1, column 8: this looks like an expression; switch the parameter from Fixed to Expression',
		],
		[
			'an object inside of an expression',
			'{ "a": [object Object] }',
			'line 1, column 8: an expression gave an object here; wrap it: {{ JSON.stringify(…) }}',
		],
		['a bare text', 'price', 'line 1, column 1: begin with { and end with }'],
		[
			'two objects',
			'{ "a": 1 } { "b": 2 }',
			'line 1, column 12: delete what follows here; the JSON is complete before it',
		],
		[
			'characters outside of the basic plane',
			'{ "😀😀": x }',
			'line 1, column 9: put double quotes (") around "x"',
		],
	])('%s', (_, text, says) => {
		expect(mistakeIn(text)).toBe(says);
	});

	test('is found wherever there is one, and nowhere else', () => {
		const json = fc.json({ maxDepth: 3 }).map((text) => `{"a":${text}}`);
		const damage = fc.record({
			at: fc.nat(),
			length: fc.integer({ min: 0, max: 2 }),
			text: fc.constantFrom(
				'',
				'"',
				',',
				'}',
				']',
				'{',
				':',
				'\\',
				"'",
				' ',
				'\n',
				'x',
				'1',
				'.',
				'\u0001',
			),
		});
		fc.assert(
			fc.property(json, damage, (text, { at, length, text: inserted }) => {
				const index = at % (text.length + 1);
				const damaged = text.slice(0, index) + inserted + text.slice(index + length);
				let value: unknown;
				try {
					value = JSON.parse(damaged);
				} catch {
					expect(mistakeIn(damaged)).toMatch(/^line \d+, column \d+: \S/);
					return;
				}
				expect(parseJson(damaged)).toEqual(value);
			}),
			{ numRuns: 5000 },
		);
	});

	test('is found before the call stack ends', () => {
		expect(mistakeIn('['.repeat(100_000))).toMatch(
			/^line 1, column \d+: this is nested too deeply$/,
		);
	});

	test('is the same for every text that is JSON but for one character', () => {
		const text = JSON.stringify({ a: ['b', { c: true, d: null, e: -1.5e3 }], f: 'g\\"h' }, null, 1);
		for (let index = 0; index < text.length; index++) {
			const damaged = text.slice(0, index) + text.slice(index + 1);
			try {
				JSON.parse(damaged);
			} catch {
				// A wrong turn of the reader would say that the JSON is complete.
				const complete = mistakeIn(damaged)?.includes('the JSON is complete');
				expect([damaged, complete && index < text.length - 1 && index > 0]).toEqual([
					damaged,
					false,
				]);
			}
		}
	});
});
