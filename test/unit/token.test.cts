import fc from 'fast-check';
import { expiryOf, mayHold, redact } from '../../nodes/DataExtractionAgent/engine/token.ts';

const MASK = '[access token]';

/** The ways in which a service can write a token into its answers. */
const forms: ((text: string) => string)[] = [
	(text) => text,
	(text) => JSON.stringify(text).slice(1, -1),
	(text) => encodeURIComponent(text),
];

/** Tokens as the credential accepts them: printable, without spaces. */
const token = fc
	.string({
		unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
		minLength: 16,
		maxLength: 60,
	})
	// Where an escaped form holds the token itself, a stray escape character may stay behind.
	.filter((text) => forms.every((write) => write(text) === text || !write(text).includes(text)));

const form = fc.constantFrom(...forms);

function jwt(claims: unknown): string {
	const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
	return `${part({ alg: 'HS256' })}.${part(claims)}.c2ln`;
}

describe('redact', () => {
	it('removes the token from texts, wherever and however it is written', () => {
		fc.assert(
			fc.property(token, form, fc.string(), fc.string(), (secret, write, before, after) => {
				const text = redact(`${before} ${write(secret)} ${write(secret)} ${after}`, secret);
				expect(text).not.toContain(write(secret));
				expect(text).toContain(`${MASK} ${MASK}`);
			}),
		);
	});

	it('removes it from nested values and from names of members', () => {
		fc.assert(
			fc.property(token, form, fc.jsonValue(), (secret, write, other) => {
				const said = write(secret);
				const value = { list: [[{ deep: `<${said}>` }]], [`key ${said}`]: other, n: 1, no: null };
				const clean = redact(value, secret);
				expect(JSON.stringify(clean)).not.toContain(JSON.stringify(said).slice(1, -1));
				expect(clean).toMatchObject({ list: [[{ deep: `<${MASK}>` }]], n: 1, no: null });
				expect(Object.keys(clean)).toContain(`key ${MASK}`);
			}),
		);
	});

	it('changes nothing else', () => {
		fc.assert(
			fc.property(token, fc.jsonValue({ noUnicodeString: false }), (secret, value) => {
				fc.pre(!forms.some((write) => JSON.stringify(value).includes(write(secret))));
				expect(JSON.stringify(redact(value, secret))).toBe(JSON.stringify(value));
			}),
		);
		expect(redact(undefined, 'secret')).toBeUndefined();
	});
});

describe('mayHold', () => {
	/** A text as JSON may write it too. */
	const escaped = (text: string) =>
		Array.from(text, (character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('');

	it('finds the token in JSON, wherever and however it is written', () => {
		fc.assert(
			fc.property(token, form, fc.jsonValue(), fc.boolean(), (secret, write, other, inKey) => {
				const said = `<${write(secret)}>`;
				const json = JSON.stringify(inKey ? { other, [said]: 1 } : [other, { said }]);
				expect(mayHold(json, secret)).toBe(true);
			}),
		);
		const json = `{"said":"${escaped('my-secret-token')}"}`;
		expect(JSON.parse(json)).toEqual({ said: 'my-secret-token' });
		expect(mayHold(json, 'my-secret-token')).toBe(true);
	});

	it('spares what cannot hold it', () => {
		expect(mayHold('{"price":"€ 329.00"}', 'my-secret-token')).toBe(false);
	});
});

describe('expiryOf', () => {
	it('reads the expiry of a JWT', () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 8_000_000_000 }), (exp) => {
				expect(expiryOf(jwt({ sub: 'Jürgen', exp }))).toEqual(new Date(exp * 1000));
			}),
		);
	});

	it('knows nothing about other tokens, and never fails', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (claims) => {
				fc.pre(typeof (claims as { exp?: unknown } | null)?.exp !== 'number');
				expect(expiryOf(jwt(claims))).toBeUndefined();
			}),
		);
		fc.assert(
			fc.property(token, (secret) => {
				expect(expiryOf(secret)).toBeUndefined();
			}),
		);
	});
});

it('a very short token is removed as a word only, and never from names', () => {
	expect(redact({ t: 'Bearer t, attached to it' }, 't')).toEqual({
		t: 'Bearer [access token], attached to it',
	});
	expect(redact('stock and tok', 'tok')).toBe('stock and [access token]');
});
