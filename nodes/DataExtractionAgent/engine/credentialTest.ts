import { randomUUID } from 'crypto';
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { readConnection, type Connection } from './connection';
import { statusFailure } from './failures';
import { networkFailure, troubleOf } from './network';
import { isObject, messageOf } from './record';
import { redact } from './token';

const TIMEOUT_MS = 15_000;

/**
 * Tells a good token from a refused one, an unreachable host, and a host that is not this service.
 * No endpoint answers 2xx without an identifier, so it asks for the result of one that does not
 * exist: "not found" from the service itself means that it took the token.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const connection = readConnection(credential.data ?? {});
	if (typeof connection === 'string') return refused(connection);
	const { baseUrl, accessToken } = connection;

	const probe = await ask(this, connection, accessToken);
	if (typeof probe === 'string') return refused(probe);
	const { status, body } = probe;
	if (status === 401 || status === 403 || status === 429 || status >= 500 || isRedirect(status)) {
		const { message, description } = statusFailure(status, {
			serviceMessage: messageOf(body),
			accessToken,
			location: probe.location,
		}).details;
		return refused(`${message}. ${description}`);
	}
	if (isEnvelope(body)) return { status: 'OK', message: 'The service accepts the access token' };

	// Not in the service's own form, and error bodies are not documented: it is the service if it
	// minds a missing token.
	const anonymous = await ask(this, connection);
	return typeof anonymous !== 'string' && (anonymous.status === 401 || anonymous.status === 403)
		? { status: 'OK', message: 'The service accepts the access token' }
		: refused(
				`${baseUrl} answers (${status}), and not like the Data-Extraction Agent service. Check the Base URL`,
			);
}

interface Probe {
	status: number;
	body: unknown;
	location?: string;
}

/** @returns the answer, or in plain words why there is none */
async function ask(
	context: ICredentialTestFunctions,
	{ baseUrl, accessToken }: Connection,
	bearer?: string,
): Promise<Probe | string> {
	try {
		// The only request helper that n8n gives to a credential test.
		const response = (await context.helpers.request({
			method: 'GET',
			uri: `${baseUrl}/api/v2/document/result/${randomUUID()}`,
			headers: {
				Accept: 'application/json',
				...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
			},
			json: true,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: TIMEOUT_MS,
		})) as { statusCode: number; headers?: { location?: string }; body: unknown };
		const location = response.headers?.location;
		return {
			status: response.statusCode,
			body: redact(response.body, accessToken),
			...(location !== undefined && { location: redact(location, accessToken) }),
		};
	} catch (error) {
		const { message, description } = networkFailure(
			troubleOf(error, accessToken),
			'GET',
			baseUrl,
		).details;
		return `${message}. ${description}`;
	}
}

function refused(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}

function isRedirect(status: number): boolean {
	return status >= 300 && status < 400;
}

/** The envelope of every documented answer has a boolean `success` (service document, 7). */
function isEnvelope(body: unknown): boolean {
	return isObject(body) && typeof body.success === 'boolean';
}
