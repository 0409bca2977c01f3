/** Words that say nothing about which value is meant. */
const stopWords = new Set(
	'the a an of in on at to for by from with and or is are be its it this that as per'.split(' '),
);

/** Different words for the same thing, each with the one used for comparing. */
const synonyms = new Map(
	Object.entries({
		supplier: 'seller',
		vendor: 'seller',
		issuer: 'seller',
		customer: 'buyer',
		client: 'buyer',
		purchaser: 'buyer',
		cost: 'price',
		tax: 'vat',
		stock: 'availability',
		available: 'availability',
		title: 'name',
		heading: 'name',
		manufacturer: 'brand',
		maker: 'brand',
		no: 'number',
		nr: 'number',
		id: 'number',
		qty: 'quantity',
		score: 'rating',
		star: 'rating',
	}),
);

/** The words of a name, label or sentence in a comparable form, each once. */
export function comparableWords(text: string): string[] {
	const words = plainWords(text)
		.filter((word) => !stopWords.has(word) && !/^\d+$/.test(word))
		.map(singular)
		.map((word) => synonyms.get(word) ?? word);
	return [...new Set(words)];
}

/** `Unit price` → `unit_price`. */
export function snakeCase(text: string): string {
	return plainWords(text).join('_');
}

function plainWords(text: string): string[] {
	const spaced = text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2');
	return spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function singular(word: string): string {
	return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
