import fc from 'fast-check';
import {
	networkFailure,
	troubleOf,
	wasNeverSent,
} from '../../nodes/DataExtractionAgent/engine/network.ts';

const BASE = 'https://service.example';
const TOKEN = 'secret-token-1234567890';

/** The connection was not made, or no request could pass through it. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];
const PASSING = ['ECONNABORTED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE', 'ETIMEDOUT'];
const AXIOS = ['ERR_NETWORK', 'ERR_BAD_RESPONSE'];
const CERTIFICATE = [
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'ERR_TLS_CERT_ALTNAME_INVALID',
];

/** Where the engines put the code. */
const shapes: [string, (code: string) => object][] = [
	['code', (code) => Object.assign(new Error('it failed'), { code })],
	['httpCode', (code) => Object.assign(new Error('it failed'), { httpCode: code })],
	['cause', (code) => new Error('it failed', { cause: Object.assign(new Error(), { code }) })],
	['text', (code) => new Error(`request to ${BASE} failed, reason: connect ${code} 127.0.0.1:1`)],
	['messages', (code) => Object.assign(new Error('it failed'), { messages: [`connect ${code}`] })],
];

describe.each(shapes)('a code in the %s', (_, errorWith) => {
	const read = (code: string) => troubleOf(errorWith(code), TOKEN);

	it.each(NEVER_SENT)('%s: the service cannot have seen the request', (code) => {
		const trouble = read(code);
		expect(trouble).toMatchObject({ code, passing: true });
		expect(wasNeverSent(trouble)).toBe(true);
		expect(networkFailure(trouble, 'POST', BASE).details.message).not.toMatch(/accepted/);
	});

	it.each([...PASSING, ...AXIOS])('%s: may pass, and may have been accepted', (code) => {
		const trouble = read(code);
		expect(trouble).toMatchObject({ code, passing: true });
		expect(wasNeverSent(trouble)).toBe(false);
		expect(networkFailure(trouble, 'POST', BASE).details.message).toMatch(
			/The job may have been accepted$/,
		);
		expect(networkFailure(trouble, 'GET', BASE).details.message).not.toMatch(/accepted/);
	});
});

it.each(CERTIFICATE)('%s: the certificate is named, and no request was sent', (code) => {
	const trouble = troubleOf(Object.assign(new Error('it failed'), { code }), TOKEN);
	expect(trouble.passing).toBe(false);
	const { message } = networkFailure(trouble, 'POST', BASE).details;
	expect(message).toBe(`The certificate of ${BASE} is not trusted (${code})`);
});

it.each(['socket hang up', 'aborted', 'stream has been aborted'])('knows "%s"', (text) => {
	expect(troubleOf(new Error(text), TOKEN)).toMatchObject({ code: 'ECONNRESET', passing: true });
});

it('takes neither a status nor a word in capitals for a code of the system', () => {
	for (const error of [{ httpCode: '404', message: 'Not found' }, new Error('INTERNAL ERROR')]) {
		expect(troubleOf(error, TOKEN).code).toBe('');
	}
});

it('says of unknown trouble with a start that the job may have been accepted', () => {
	for (const error of [
		new Error('Parse Error: Expected HTTP/'),
		Object.assign(new Error('premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }),
		Object.assign(new Error('it ended'), { code: 'ECANCELED' }),
	]) {
		const failure = networkFailure(troubleOf(error, TOKEN), 'POST', BASE);
		expect(failure.details.message).toMatch(/The job may have been accepted$/);
	}
});

it('says what happened, without the token, whatever was thrown', () => {
	const thrown = fc.oneof(
		fc.string().map((text) => new Error(`${text}${TOKEN}`)),
		fc.record({ message: fc.string().map((text) => `${TOKEN}${text}`) }),
		fc.record({ cause: fc.record({ message: fc.constant(TOKEN) }), code: fc.anything() }),
	);
	fc.assert(
		fc.property(thrown, fc.constantFrom('GET', 'POST'), (error, method) => {
			const { message, description } = networkFailure(
				troubleOf(error, TOKEN),
				method,
				BASE,
			).details;
			expect(message).toContain(BASE);
			expect(`${message}${description}`).not.toContain(TOKEN);
			expect(description).not.toBe('');
		}),
	);
});

it.each([
	['ECONNREFUSED', /^Nothing answers at/],
	['ENOTFOUND', /^The host of .* is unknown/],
	['ETIMEDOUT', /did not answer in time/],
	['ECONNRESET', /broke off/],
	['EHOSTUNREACH', /cannot be reached/],
])('%s has plain words', (code, words) => {
	const trouble = troubleOf({ code, message: '' }, TOKEN);
	expect(networkFailure(trouble, 'GET', BASE).details.message).toMatch(words);
});
