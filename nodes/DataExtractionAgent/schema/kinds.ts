/**
 * Kinds of values in the words that the agent reads. The service takes names with descriptions and
 * knows no types (service document, 4.3), so a kind is told in words.
 */
export const kindWords = {
	boolean: 'true or false',
	date: 'date as YYYY-MM-DD',
	dateTime: 'date and time (ISO 8601)',
	email: 'e-mail address',
	integer: 'whole number',
	list: 'list',
	number: 'number',
	text: 'text',
	url: 'URL',
} as const;

/** A kind of value; the values of a field's type are the same. */
export type Kind = keyof typeof kindWords;

/** Whether this is a kind, and not the absence of one. */
export function isKind(value: unknown): value is Kind {
	return typeof value === 'string' && Object.hasOwn(kindWords, value);
}
