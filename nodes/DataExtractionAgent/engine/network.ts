import type { IHttpRequestMethods } from 'n8n-workflow';
import { Failure, mayBeAccepted } from './failures';
import { redact } from './token';

/** A request that ended without an answer. */
export interface NetworkTrouble {
	/** The system's code, such as `ECONNRESET`; empty where there is none. */
	code: string;
	/** The error's own words, cleared of the access token. */
	message: string;
	/** Whether the same request may succeed later. */
	passing: boolean;
}

/** The connection was never made, so the service cannot have seen the request. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

const PASSING = new Set([
	...NEVER_SENT,
	'ECONNABORTED',
	'ECONNRESET',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EPIPE',
	'ERR_BAD_RESPONSE',
	'ERR_NETWORK',
	'ETIMEDOUT',
]);

/** Certificates that are refused; nothing is sent before they are accepted. */
const CERTIFICATE = /^(?:\w+_)?CERT(?:_\w+)?$|^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/;

const CODE =
	/\b((?!ERROR\b)E[A-Z]{4,}|EAI_[A-Z]+|ERR_[A-Z_]+|(?:[A-Z_]+_)?CERT(?:_[A-Z_]+)?|UNABLE_TO_[A-Z_]+)\b/;

/**
 * Reads what n8n's request helper threw. Where the code stands depends on the engine: 1.x has it as
 * `httpCode` only, 2.x in the cause too, and some errors have it in their text alone.
 */
export function troubleOf(error: unknown, accessToken: string): NetworkTrouble {
	const { httpCode, code, cause, message, messages } = error as {
		httpCode?: unknown;
		code?: unknown;
		cause?: { code?: unknown; message?: unknown };
		message?: unknown;
		messages?: unknown[];
	};
	const words = [message, cause?.message, ...(messages ?? [])].filter(
		(text): text is string => typeof text === 'string',
	);
	const found =
		[code, httpCode, cause?.code].find((value) => typeof value === 'string' && CODE.test(value)) ??
		CODE.exec(words.join(' '))?.[1] ??
		(words.some((text) => /socket hang up|aborted/i.test(text)) ? 'ECONNRESET' : '');
	return {
		code: String(found),
		message: redact(words[0] ?? 'no reason was given', accessToken),
		passing: PASSING.has(String(found)),
	};
}

/** Whether a repetition cannot make the service do the work twice. */
export function wasNeverSent({ code }: NetworkTrouble): boolean {
	return NEVER_SENT.has(code);
}

/** The trouble in plain words. */
export function networkFailure(
	trouble: NetworkTrouble,
	method: IHttpRequestMethods,
	baseUrl: string,
): Failure {
	const { code, message, passing } = trouble;
	const [what, description] = explain(code, baseUrl);
	const failure = new Failure({
		message: `${what}${code ? ` (${code})` : `: ${message}`}`,
		description,
		passing,
	});
	const certain = method === 'GET' || wasNeverSent(trouble) || CERTIFICATE.test(code);
	return certain ? failure : mayBeAccepted(failure);
}

const CHECK_ADDRESS = 'Check the Base URL of the credential, and that this n8n can reach it.';

function explain(code: string, baseUrl: string): [what: string, advice: string] {
	switch (code) {
		case 'ECONNREFUSED':
			return [
				`Nothing answers at ${baseUrl}`,
				`${CHECK_ADDRESS} In Docker, localhost and 127.0.0.1 are the container itself.`,
			];
		case 'ENOTFOUND':
		case 'EAI_AGAIN':
			return [`The host of ${baseUrl} is unknown`, CHECK_ADDRESS];
		case 'ECONNABORTED':
		case 'ETIMEDOUT':
			return [
				`The service at ${baseUrl} did not answer in time`,
				`${CHECK_ADDRESS} Where the service is slow, raise 'Request Timeout (Seconds)' (requestTimeoutSeconds) under Batching.`,
			];
		case 'ECONNRESET':
		case 'EPIPE':
			return [`The connection to ${baseUrl} broke off`, `Try again later. ${CHECK_ADDRESS}`];
		case '':
			return [`The request to ${baseUrl} got no answer`, CHECK_ADDRESS];
		default:
			return CERTIFICATE.test(code)
				? [
						`The certificate of ${baseUrl} is not trusted`,
						'Check the Base URL of the credential, and that this n8n trusts the certificate of that server.',
					]
				: [`${baseUrl} cannot be reached`, CHECK_ADDRESS];
	}
}
