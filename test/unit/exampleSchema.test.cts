import { describeSamples } from '../../nodes/DataExtractionAgent/schema/example.ts';

test.each<[what: string, samples: unknown[], schema: unknown]>([
	['whole numbers', [3], 'whole number'],
	['numbers', [3.5], 'number'],
	['whole and other numbers', [1, 2.5], 'number'],
	['booleans', [false], 'true or false'],
	['texts', ['€ 329.00'], 'text'],
	['an empty text', [''], 'text'],
	['dates', ['2024-05-01'], 'date as YYYY-MM-DD'],
	['dates with times', ['2024-05-01T10:00:00.000+02:00'], 'date and time (ISO 8601)'],
	['dates with times as databases write them', ['2024-05-01 10:00:00'], 'date and time (ISO 8601)'],
	['addresses', ['https://example.com/a?b=c'], 'URL'],
	['e-mail addresses', ['shop@example.com'], 'e-mail address'],
	['nothing', [null], 'any value'],
	['no sample', [], 'any value'],
	['a value and nothing', [null, 3], 'whole number'],
	['different kinds', [1, 'a', true], 'whole number or text or true or false'],
	['a text and a special one', ['a', '2024-05-01', 'https://example.com/'], 'text'],
	['two special texts', ['2024-05-01', 'https://example.com/'], 'date as YYYY-MM-DD or URL'],
	['a list', [['a', 'b']], ['text']],
	['an empty list', [[]], ['any value']],
	['an empty list and a filled one', [[], [1]], ['whole number']],
	['a list of nothing', [[null]], ['any value']],
	['a mixed list', [['a', 1]], ['text or whole number']],
	['a list of lists', [[[1], [2.5, 'a']]], [['number or text']]],
	['an empty object', [{}], 'object'],
	['an empty object among others', [{}, { a: 1 }], { a: 'whole number' }],
	['members of several objects', [{ a: 1 }, { b: 'x', a: null }], { a: 'whole number', b: 'text' }],
	[
		'nested members of several objects',
		[{ a: { b: 1 } }, { a: { c: [{ d: 1 }, { e: 'x' }] } }],
		{ a: { b: 'whole number', c: [{ d: 'whole number', e: 'text' }] } },
	],
	['an object and something else', [{ a: 1 }, 'x', [2]], { a: 'whole number' }],
	['a list and something else', ['x', [2]], ['whole number']],
])('%s', (_, samples, schema) => {
	expect(describeSamples(samples)).toEqual(schema);
});

test('members may have any name', () => {
	const sample: unknown = JSON.parse('{ "__proto__": 1, "constructor": { "toString": true } }');
	expect(JSON.stringify(describeSamples([sample, sample]))).toBe(
		'{"__proto__":"whole number","constructor":{"toString":"true or false"}}',
	);
});

test('a hundred levels are none too many', () => {
	let sample: unknown = 1;
	let schema: unknown = 'whole number';
	for (let level = 0; level < 100; level++) [sample, schema] = [{ a: [sample] }, { a: [schema] }];
	expect(describeSamples([sample])).toEqual(schema);
});
