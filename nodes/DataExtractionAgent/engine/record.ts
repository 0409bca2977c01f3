import type { IDataObject } from 'n8n-workflow';

/** The answer to a start (service document, 2.1). */
export interface StartAnswer {
	id: string;
	message?: string;
	success?: boolean;
}

/** A result with its envelope (service document, 2.2). A member that was left out is `undefined`. */
export interface ResultRecord {
	/** The whole answer as it was received. */
	envelope: IDataObject;
	success?: boolean;
	message?: string;
	done: boolean;
	changed?: unknown;
	when?: unknown;
	credits?: IDataObject;
	/** `details.descr`. */
	details?: unknown;
	screenshots?: unknown;
	/** The extracted data. */
	json?: unknown;
}

/**
 * Reads the answer to a start.
 *
 * @returns the answer, or what is wrong with it, continuing the sentence "The service …"
 */
export function readStartAnswer(body: unknown): StartAnswer | string {
	if (!isObject(body)) return 'answered with something that is not JSON, a web page for example';
	const message = messageOf(body);
	if (body.success === false) {
		return `did not accept the job${message ? `: ${message}` : ' and did not say why'}`;
	}
	const id = isObject(body.result) ? body.result.id : undefined;
	if (typeof id !== 'string' || id.trim() === '') {
		return 'accepted the job and sent no ID for it';
	}
	return {
		id: id.trim(),
		...(message !== undefined && { message }),
		...(typeof body.success === 'boolean' && { success: body.success }),
	};
}

/** Reads a result; `undefined` where the body holds none. */
export function readRecord(body: unknown): ResultRecord | undefined {
	if (!isObject(body) || !isObject(body.result)) return undefined;
	const { result } = body;
	if (typeof result.done !== 'boolean') return undefined;
	return {
		envelope: body,
		...(typeof body.success === 'boolean' && { success: body.success }),
		message: messageOf(body),
		done: result.done,
		changed: result.changed,
		when: result.when,
		...(isObject(result.credits) && { credits: result.credits }),
		...(isObject(result.details) && { details: result.details.descr }),
		screenshots: result.screenshots,
		...(result.json !== null && { json: result.json }),
	};
}

/** The service's own words: the `message` of an answer, on one line and of bearable length. */
export function messageOf(body: unknown): string | undefined {
	if (!isObject(body) || typeof body.message !== 'string') return undefined;
	const text = body.message.replace(/\s+/g, ' ').trim();
	return text === '' ? undefined : text.length > 500 ? `${text.slice(0, 497)}…` : text;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
