import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { properties } from '../nodes/DataExtractionAgent/resources/index.ts';
import { readMessageTables } from './support/messageTables.cts';

/*
 * docs/errors.md names every message that the code can make, and no other. A message is a text of two
 * words or more outside of the declarations; what stands in `${}` is `…` in the tables.
 */

const NODE = 'nodes/DataExtractionAgent';

/** Texts of two words that nobody reads as a message. */
const noMessages = [
	/^\[object/,
	/^multipart\/form-data/,
	/Content-Disposition/,
	...properties
		.flatMap((property) => [property, ...(property.options ?? [])])
		.map((named) => ('displayName' in named ? exactly(named.displayName) : /^$/)),
];

function exactly(text: string): RegExp {
	return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

/** Files with texts for the panel and for the agent. */
const otherTexts = /^(resources\/|schema\/(kinds|example)\.ts|DataExtractionAgent\.node\.ts)/;

/** The texts of one file, with `…` for what is filled in. */
function textsIn(file: string): string[] {
	const source = readFileSync(`${NODE}/${file}`, 'utf8');
	const texts: string[] = [];
	function visit(node: ts.Node): void {
		if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
		if (ts.isStringLiteralLike(node)) texts.push(node.text);
		if (ts.isTemplateExpression(node)) {
			texts.push(
				[node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'),
			);
		}
		ts.forEachChild(node, visit);
	}
	visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
	return texts
		.filter((text) => /\p{L}{2,}\S* .*\p{L}{2,}/su.test(text))
		.filter((text) => !noMessages.some((pattern) => pattern.test(text)));
}

/** What stays the same in a text. */
function fixedParts(text: string): string[] {
	return text
		.split('…')
		.map((part) => part.replace(/^[^\p{L}'"{\\[]+|[\s:;,.(]+$/gu, ''))
		.filter((part) => /\p{L}/u.test(part));
}

const files = readdirSync(NODE, { recursive: true, encoding: 'utf8' })
	.map((file) => file.replaceAll('\\', '/'))
	.filter((file) => file.endsWith('.ts') && !otherTexts.test(file));
const codeTexts = files.flatMap((file) => textsIn(file).map((text) => ({ file, text })));
const codeParts = codeTexts
	.flatMap(({ text }) => fixedParts(text))
	.sort((a, b) => b.length - a.length);
const rows = readMessageTables();

test('there are messages', () => {
	expect(codeTexts.length).toBeGreaterThan(100);
	expect(rows.length).toBeGreaterThan(80);
});

test.each(codeTexts)('in the tables: $text ($file)', ({ text }) => {
	const documented = readFileSync('docs/errors.md', 'utf8');
	expect(fixedParts(text).filter((part) => !documented.includes(part))).toEqual([]);
});

test.each([...new Set(rows.flatMap(({ messages, advice }) => [...messages, ...advice]))])(
	'in the code: %s',
	(text) => {
		let unknown = text;
		for (const part of codeParts) {
			const words = part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
			unknown = unknown.replace(new RegExp(`(?<![\\p{L}])${words}(?![\\p{L}])`, 'gu'), '');
		}
		expect(unknown).not.toMatch(/\p{L}/u);
	},
);

test('each message has a row of its own for what to do', () => {
	const pairs = rows.flatMap(({ messages, advice }) =>
		messages.map((message) => `${message} | ${advice.join(' ')}`),
	);
	expect(pairs.filter((pair, index) => pairs.indexOf(pair) !== index)).toEqual([]);
});

test('no message uses words that n8n’s guidelines avoid', () => {
	const avoided = /\b(errors?|problems?|failures?|mistakes?)\b/i;
	expect(codeTexts.filter(({ text }) => avoided.test(text))).toEqual([]);
});

test('no message is made from a stack', () => {
	for (const file of files)
		expect(readFileSync(`${NODE}/${file}`, 'utf8')).not.toMatch(/\.stack\b/);
});
