/** A readable text as the type that the schema asks for, or null where it does not say one. */
export function convert(
	text: string,
	type: 'text' | 'number' | 'boolean',
): string | number | boolean | null {
	if (type === 'number') return toNumber(text);
	if (type === 'boolean') return toBoolean(text);
	return text;
}

/** The first number in a text: `€ 1,234.50` and `1.234,50 €` are both 1234.5. */
function toNumber(text: string): number | null {
	const digits = /-?\d[\d.,]*/.exec(text)?.[0].replace(/[.,]$/, '');
	if (digits === undefined) return null;
	const decimal = /[.,](\d+)$/.exec(digits);
	const separators = digits.match(/[.,]/g) ?? [];
	const isThousands = decimal?.[1].length === 3 && new Set(separators).size === 1;
	if (decimal === null || (isThousands && (separators.length > 1 || separators[0] === ','))) {
		return Number(digits.replace(/[.,]/g, ''));
	}
	const whole = digits.slice(0, decimal.index).replace(/[.,]/g, '');
	return Number(`${whole}.${decimal[1]}`);
}

function toBoolean(text: string): boolean | null {
	if (/^(yes|true|in stock|available)\b/i.test(text)) return true;
	if (/^(no|false|out of stock|unavailable|sold out)\b/i.test(text)) return false;
	return null;
}
