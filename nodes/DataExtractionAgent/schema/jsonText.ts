import { shown } from '../badInput';

/**
 * Reads JSON that a person wrote.
 *
 * @throws JsonMistake that says where the text stops being JSON and why. Node.js says it in other
 * words with each release, often without the place.
 */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new Reader(text).findMistake();
	}
}

/** The first place where a text is not JSON. */
export class JsonMistake extends Error {
	constructor(text: string, index: number, what: string) {
		const before = text.slice(0, index).split('\n');
		super(`line ${before.length}, column ${[...(before.at(-1) ?? '')].length + 1}: ${what}`);
	}
}

const SPACE = /[ \t\r\n]*/y;
const WORD = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const LITERALS = ['true', 'false', 'null'];
const CURLY_QUOTES = '“”„‟«»';

/** Goes through a text that is not JSON until it finds out why. */
class Reader {
	private index = 0;

	constructor(private readonly text: string) {}

	findMistake(): JsonMistake {
		try {
			this.space();
			if (this.next !== '{' && this.next !== '[')
				return this.mistake('begin with { and end with }');
			this.value();
			this.space();
			return this.mistake('delete what follows here; the JSON is complete before it');
		} catch (error) {
			// Anything else is the call stack, which ends before such a text does.
			return error instanceof JsonMistake ? error : this.mistake('this is nested too deeply');
		}
	}

	private get next(): string | undefined {
		return this.text[this.index];
	}

	private mistake(what: string, index = this.index): JsonMistake {
		return new JsonMistake(this.text, index, what);
	}

	private value(): void {
		this.space();
		switch (this.next) {
			case '{':
				return this.members('}', () => this.namedValue());
			case '[':
				if (this.text.startsWith('[object ', this.index)) {
					throw this.mistake('an expression gave an object here; wrap it: {{ JSON.stringify(…) }}');
				}
				return this.members(']', () => this.value());
			case '"':
				return this.quoted();
			default:
				return this.word();
		}
	}

	/** What stands between a pair of brackets, with commas between. */
	private members(closing: '}' | ']', member: () => void): void {
		const start = this.index++;
		this.space();
		if (this.take(closing)) return;
		for (;;) {
			member();
			this.space();
			if (this.take(closing)) return;
			const comma = this.index;
			if (this.next === undefined) {
				throw this.mistake(`this bracket has no closing ${closing}`, start);
			}
			if (!this.take(',')) throw this.unexpected('a comma is missing before');
			this.space();
			if (this.next === closing) {
				throw this.mistake(`delete this comma: nothing follows before the ${closing}`, comma);
			}
		}
	}

	private namedValue(): void {
		if (this.next === '{' && this.text[this.index - 1] === '{') {
			throw this.mistake(
				'this looks like an expression; switch the parameter from Fixed to Expression',
				this.index - 1,
			);
		}
		if (this.next !== '"') throw this.notQuoted('a name in double quotes is missing before');
		this.quoted();
		this.space();
		if (!this.take(':')) throw this.unexpected('a colon is missing before');
		this.value();
	}

	private quoted(): void {
		const start = this.index++;
		for (; this.next !== '"'; this.index++) {
			if (this.next === undefined) throw this.mistake('this quote is never closed', start);
			if (this.next === '\n') {
				throw this.mistake(
					'this quote is not closed in its line; for a line break inside a text write \\n',
					start,
				);
			}
			if (this.next < ' ') {
				throw this.mistake('a tab or another control character; replace it by a space');
			}
			if (this.next === '\\' && !/^\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/.test(this.rest(6))) {
				throw this.mistake('for one backslash in a text write two: \\\\');
			}
			if (this.next === '\\') this.index++;
		}
		this.index++;
	}

	/** A number, or one of the three words of JSON. */
	private word(): void {
		if (this.match(NUMBER)) return;
		const start = this.index;
		const word = this.match(WORD);
		if (word !== undefined && LITERALS.includes(word)) return;
		this.index = start;
		throw this.notQuoted('a value is missing before');
	}

	/** Why there is no quoted text here. */
	private notQuoted(otherwise: string): JsonMistake {
		const start = this.index;
		const next = this.next ?? '';
		if (next === "'" || next === '`')
			return this.mistake(`use double quotes (") instead of ${next}`);
		if (next !== '' && CURLY_QUOTES.includes(next)) {
			return this.mistake(`use straight quotes (") instead of ${next}`);
		}
		if (/[\d.+-]/.test(next)) {
			return this.mistake('put double quotes (") around this, or write a number such as 1234.5');
		}
		const word = this.match(WORD);
		if (word === undefined) return this.unexpected(otherwise);
		const literal = LITERALS.find((one) => one === word.toLowerCase());
		return literal === undefined || literal === word
			? this.mistake(`put double quotes (") around ${shown(word)}`, start)
			: this.mistake(`write ${literal} instead of ${word}`, start);
	}

	private unexpected(missing: string): JsonMistake {
		const { next } = this;
		if (next === undefined) return this.mistake('the text ends too early');
		if (next === '/') return this.mistake('JSON has no comments; delete this one');
		if (/[\s\uFEFF]/.test(next)) {
			return this.mistake('a special space, often pasted from a web page; type a normal one');
		}
		return this.mistake(`${missing} ${next}`);
	}

	private space(): void {
		this.match(SPACE);
	}

	private rest(length: number): string {
		return this.text.slice(this.index, this.index + length);
	}

	private take(character: string): boolean {
		if (this.next !== character) return false;
		this.index++;
		return true;
	}

	private match(pattern: RegExp): string | undefined {
		pattern.lastIndex = this.index;
		const found = pattern.exec(this.text)?.[0];
		if (found !== undefined) this.index += found.length;
		return found;
	}
}
