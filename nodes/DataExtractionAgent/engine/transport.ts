import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
} from 'n8n-workflow';
import type { Connection } from './connection';
import { isUpload } from './document';
import { fileNameFor } from './fileNames';
import { Failure, isPassingStatus, statusFailure } from './failures';
import type { Halt } from './halt';
import { networkFailure, wasNeverSent, type NetworkTrouble, troubleOf } from './network';
import type { Pace } from './pace';
import { messageOf } from './record';
import { backoffMs, retryAfterMs } from './schedule';
import { mayHold, redact } from './token';

/** One request to the service, relative to its base URL. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	qs?: IDataObject;
	body?: IHttpRequestOptions['body'];
	timeoutMs: number;
}

/** An answer of the service, cleared of the access token. */
export interface Answer {
	status: number;
	/** The parsed JSON; `undefined` where the body is none. */
	body: unknown;
	/** `Retry-After`, 0 where absent. */
	retryAfterMs: number;
	/** Target of a redirect. */
	location?: string;
}

/** How long a request is repeated. */
export interface Patience {
	/** No repetition starts after this time. */
	deadlineMs: number;
	/** How often it is sent at most. */
	maxTries: number;
	/** Whether an answer is good enough to stop; used for repeatable requests only. */
	accepts?: (answer: Answer) => boolean;
}

const WATCH_MS = 250;

/** Timers of a longer time end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A read gets at least this long, also when the wait is over sooner. */
const LAST_LOOK_MS = 2_000;

/** Authenticated requests to the service: paced, repeated where that is safe, free of the token. */
export class Transport {
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly credentialType: string,
		readonly connection: Connection,
		private readonly pace: Pace,
		private readonly halt: Halt,
	) {}

	/**
	 * Reads, and repeats after network errors, 408, 425, 429, 5xx and unusable bodies.
	 *
	 * @returns the answer, with any status that repeating cannot mend
	 * @throws Failure when no answer could be had in time
	 */
	read(request: ServiceRequest, patience: Patience): Promise<Answer> {
		return this.send(request, patience, (outcome) =>
			'status' in outcome
				? isPassingStatus(outcome.status) ||
					(isSuccess(outcome) && !(patience.accepts?.(outcome) ?? true))
				: outcome.passing,
		);
	}

	/**
	 * Starts a job, and repeats only what the service cannot have accepted: refused connections,
	 * unknown hosts, 429.
	 *
	 * @returns the answer, with any status
	 * @throws Failure when no answer came; it says so where the job may have been accepted
	 */
	start(request: ServiceRequest, patience: Patience): Promise<Answer> {
		return this.send(request, patience, (outcome) =>
			'status' in outcome ? outcome.status === 429 : wasNeverSent(outcome),
		);
	}

	private async send(
		request: ServiceRequest,
		{ deadlineMs, maxTries }: Patience,
		isRepeatable: (outcome: Answer | NetworkTrouble) => boolean,
	): Promise<Answer> {
		for (let tries = 1; ; tries++) {
			const startedMs = await this.pace.turn(deadlineMs);
			const outcome = await this.call({ ...request, timeoutMs: timeoutMs(request, deadlineMs) });
			if ('status' in outcome && outcome.status === 429) {
				this.pace.slowDown(startedMs, outcome.retryAfterMs);
			} else if ('status' in outcome && isSuccess(outcome)) {
				this.pace.speedUp();
			}
			const askedMs = 'status' in outcome ? outcome.retryAfterMs : 0;
			const delayMs = Math.max(backoffMs(tries, Math.random()), askedMs);
			// A refusal for going too fast says nothing about the request: it does not use up a try.
			const triesLeft = ('status' in outcome && outcome.status === 429) || tries < maxTries;
			if (!isRepeatable(outcome) || !triesLeft || Date.now() + delayMs > deadlineMs) {
				if ('status' in outcome) return outcome;
				throw networkFailure(outcome, request.method, this.connection.baseUrl);
			}
			await this.halt.pause(delayMs);
		}
	}

	/**
	 * Fetches a file into n8n's binary storage. The token goes along only to the service's own origin,
	 * and there no redirect is followed.
	 *
	 * @param address absolute, or relative to the base URL
	 * @throws Failure with a plain reason
	 */
	async download(address: string, name: string, timeoutMs: number): Promise<IBinaryData> {
		const { baseUrl, accessToken } = this.connection;
		const url = URL.canParse(address, `${baseUrl}/`) ? new URL(address, `${baseUrl}/`) : undefined;
		if (!url || !/^https?:$/.test(url.protocol)) {
			throw new Failure({ message: 'This is not an http(s) address', description: '' });
		}
		const own = url.origin === new URL(baseUrl).origin;
		await this.pace.turn(Date.now() + timeoutMs);
		const response = await this.stream(url.href, own, timeoutMs).catch((error: unknown) => {
			this.halt.check();
			throw networkFailure(troubleOf(error, accessToken), 'GET', url.origin);
		});
		const { statusCode: status, headers, body } = response;
		let ended = false;
		const store = async () => {
			const mimeType = String(headers['content-type'] ?? 'image/png').split(';')[0];
			return await this.context.helpers
				.prepareBinaryData(body, fileNameFor(name, mimeType), mimeType)
				.catch((error: unknown) => {
					throw networkFailure(troubleOf(error, accessToken), 'GET', url.origin);
				});
		};
		try {
			if (status !== 200) {
				throw new Failure({ message: `The address answers ${status}`, description: '' });
			}
			// The helper's time-out ends with the headers; the body gets the same time again.
			return await Promise.race([store(), this.watch(timeoutMs, () => ended)]);
		} finally {
			ended = true;
			body.destroy();
		}
	}

	/** Fails when the run ends or the time is over before `ended`. */
	private async watch(timeoutMs: number, ended: () => boolean): Promise<never> {
		const deadlineMs = Date.now() + timeoutMs;
		while (!ended() && Date.now() < deadlineMs) await this.halt.pause(WATCH_MS);
		throw new Failure({ message: 'The address did not send the file in time', description: '' });
	}

	private async stream(url: string, own: boolean, timeoutMs: number): Promise<StreamedResponse> {
		const options: IHttpRequestOptions = {
			url,
			timeout: timeoutMs,
			encoding: 'stream',
			json: false,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: own,
		};
		const { helpers } = this.context;
		return (await (own
			? helpers.httpRequestWithAuthentication.call(this.context, this.credentialType, options)
			: helpers.httpRequest(options))) as StreamedResponse;
	}

	/** One request. A fresh options object each time: n8n writes into it. */
	private async call(request: ServiceRequest): Promise<Answer | NetworkTrouble> {
		const { baseUrl, accessToken } = this.connection;
		try {
			const response = (await this.context.helpers.httpRequestWithAuthentication.call(
				this.context,
				this.credentialType,
				{
					method: request.method,
					url: `${baseUrl}${request.path}`,
					...(request.qs && { qs: request.qs }),
					...bodyOf(request),
					timeout: request.timeoutMs,
					encoding: 'text',
					returnFullResponse: true,
					// An error thrown by n8n's helper can carry the request, and the token with it.
					ignoreHttpStatusErrors: true,
					// Followed redirects would carry the token along, and make uploads be buffered.
					disableFollowRedirect: true,
				},
			)) as { statusCode: number; headers: IDataObject; body: unknown };
			const { statusCode: status, headers } = response;
			return {
				status,
				body: readBody(response.body, accessToken),
				retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()),
				...(headers.location !== undefined && {
					location: redact(String(headers.location), accessToken),
				}),
			};
		} catch (error) {
			if (this.halt.canceled) this.halt.check();
			return troubleOf(error, accessToken);
		}
	}
}

/** No read may outlast the wait; a start is let finish, so that its identifier is known. */
function timeoutMs({ method, timeoutMs: fullMs }: ServiceRequest, deadlineMs: number): number {
	const leftMs = Math.max(deadlineMs - Date.now(), LAST_LOOK_MS);
	return Math.min(fullMs, LONGEST_TIMER_MS, method === 'GET' ? leftMs : Infinity);
}

/** The body and the headers that go with it. */
function bodyOf({ body }: ServiceRequest): Pick<IHttpRequestOptions, 'body' | 'headers'> {
	const headers = { Accept: 'application/json' };
	if (body === undefined) return { headers };
	if (isUpload(body)) return { headers, body };
	// As text, because axios drops members of objects that are called "constructor" and the like.
	return {
		headers: { ...headers, 'Content-Type': 'application/json' },
		body: JSON.stringify(body),
	};
}

interface StreamedResponse {
	statusCode: number;
	headers: IDataObject;
	body: Exclude<Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0], Buffer>;
}

/** Whether the status is 2xx. */
export function isSuccess({ status }: Answer): boolean {
	return status >= 200 && status < 300;
}

/** The failure that an answer to a start or a read means. */
export function answerFailure(
	answer: Answer,
	{ accessToken }: Connection,
	purpose: 'start' | 'read' = 'read',
): Failure {
	return statusFailure(answer.status, {
		serviceMessage: messageOf(answer.body),
		accessToken,
		purpose,
		location: answer.location,
	});
}

/** The parsed JSON, cleared of the access token; `undefined` where the body is none. */
function readBody(body: unknown, accessToken: string): unknown {
	const value = parseJson(body);
	const isClear = typeof body === 'string' && !mayHold(body, accessToken);
	return isClear ? value : redact(value, accessToken);
}

function parseJson(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
}
