/** Escape sequences and other control characters, which values from a service could smuggle into a terminal. */
const controls = /\p{Cc}+/gu;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text on one line, and safe to print. */
export function oneLine(text: string): string {
	return text.replace(controls, ' ').trim();
}

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
	return [...characters.segment(text)].length;
}

/** The width of what {@link wrap} prefers not to break. */
export function widestPart(text: string): number {
	return Math.max(...partsOf(text).map((part) => widthOf(part.trimEnd())));
}

/** Breaks a text into lines, at spaces and behind slashes where it can be done. */
export function wrap(text: string, width: number): string[] {
	const lines = [''];
	for (const part of partsOf(text)) {
		const line = lines.at(-1) ?? '';
		if (widthOf((line + part).trimEnd()) <= width) lines[lines.length - 1] += part;
		else lines.push(...chop(part, width));
	}
	const filled = lines.map((line) => line.trimEnd()).filter((line) => line !== '');
	return filled.length === 0 ? [''] : filled;
}

/** `3 jobs`, `1 job`. */
export function count(number: number, noun: string): string {
	return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}

function partsOf(text: string): string[] {
	return text.split(/(?<=[\s/])/);
}

function chop(part: string, width: number): string[] {
	const all = [...characters.segment(part)].map(({ segment }) => segment);
	const pieces: string[] = [];
	for (let at = 0; at < all.length; at += width) pieces.push(all.slice(at, at + width).join(''));
	return pieces;
}
