import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';
import { withMessage } from '../badInput';
import { expiryOf } from './token';

/** What went wrong with one item, for a person. */
export interface FailureDetails {
	/** What happened, one sentence without a full stop. */
	message: string;
	/** What to do about it, sentences. */
	description: string;
	/** HTTP status, where the service answered. */
	httpCode?: string;
	/** The job or result that this is about. */
	id?: string;
	/** The job itself ended without a result, so that a retry has to start a new one. */
	jobFailed?: boolean;
	/** Trouble that may be over the next time. */
	passing?: boolean;
}

/** A failure on its way to the item or to the end of the run. */
export class Failure extends Error {
	constructor(readonly details: FailureDetails) {
		super(details.message);
	}

	/** The same failure, with the identifier that it concerns. */
	about(id: string | undefined): Failure {
		return id ? new Failure({ ...this.details, id }) : this;
	}
}

/** Any error as a failure. Errors of n8n keep their own words. */
export function toFailure(error: unknown): Failure {
	if (error instanceof Failure) return error;
	const { message, description } = error as { message?: string; description?: string | null };
	return new Failure({
		message: message ?? String(error),
		description: description ?? 'Check the parameters of this item.',
	});
}

/**
 * The failure of an item under continue-on-fail: one key, `error`, holding an object. Every engine
 * version sends an item of this shape to the error output and keeps its contents.
 */
export function failureItem(
	failure: Failure,
	{ resource, operation }: { resource: string; operation: string },
	itemIndex: number,
): INodeExecutionData {
	const { message, description, httpCode, id } = failure.details;
	return {
		json: {
			error: {
				message,
				description,
				...(httpCode && { httpCode }),
				resource,
				operation,
				...(id && { id }),
			},
		},
		pairedItem: { item: itemIndex },
	};
}

/**
 * The error that ends the run.
 *
 * @param startedIds every job that was started so far
 */
export function runError(
	node: INode,
	failure: Failure,
	itemIndex: number,
	startedIds: string[],
): NodeApiError | NodeOperationError {
	const { message, httpCode, id } = failure.details;
	const description = [
		failure.details.description,
		id && `ID: ${id}.`,
		startedIds.length > 0 &&
			`Jobs started so far: ${startedIds.join(', ')}. They go on in the service, and retrying this execution waits for them instead of starting them again.`,
	]
		.filter(Boolean)
		.join(' ');
	return withMessage(
		httpCode
			? new NodeApiError(node, { message }, { itemIndex, httpCode, message, description })
			: new NodeOperationError(node, message, { itemIndex, description }),
		message,
	);
}

/** The service's last word on a job. */
export function jobFailure(serviceMessage: string | undefined): Failure {
	return new Failure({
		message: `The job failed${serviceMessage ? `: ${serviceMessage}` : ' and the service did not say why'}`,
		description: 'Check the input of this item, then run it again; it is started anew.',
		jobFailed: true,
	});
}

/** A start that got no clear answer: to repeat it may cost twice. */
export function mayBeAccepted({ details }: Failure): Failure {
	return new Failure({
		...details,
		message: `${details.message}. The job may have been accepted`,
		description:
			'Look in the service whether the job was started before you run this item again: starting it again may cost twice.',
	});
}

/** Statuses that say "not now": the same request may succeed later. */
export function isPassingStatus(status: number): boolean {
	return status === 408 || status === 425 || status === 429 || status >= 500;
}

const CREDENTIAL_ADVICE = 'Open the credential of this node and enter a valid access token.';

const UNKNOWN_REQUEST: [string, string] = [
	'The service does not know this request',
	'Check the Base URL of the credential; the service may also have changed.',
];

const UNKNOWN_ID: [string, string] = [
	'The service has nothing under this ID',
	'Check the ID, and that it belongs to this operation and to the account of the credential.',
];

/** What there is to know about a refused request. */
export interface Refusal {
	serviceMessage?: string;
	/** Tells whether a refused token has expired. */
	accessToken?: string;
	/** A start names no identifier that could be wrong. */
	purpose?: 'start' | 'read';
	/** Target of a redirect. */
	location?: string;
}

/** What an HTTP status means here, and what to do about it. */
export function statusFailure(status: number, refusal: Refusal): Failure {
	const { serviceMessage } = refusal;
	const [what, description] = explain(status, refusal);
	return new Failure({
		message: `${what} (${status})${serviceMessage ? `: ${serviceMessage}` : ''}`,
		description,
		httpCode: String(status),
		passing: isPassingStatus(status),
	});
}

function explain(
	status: number,
	{ accessToken = '', purpose = 'read', location }: Refusal,
): [string, string] {
	switch (status) {
		case 400:
		case 422:
			return [
				'The service did not accept the request',
				'Check the parameters of this item against what the service says.',
			];
		case 401:
		case 403:
			return explainRefusal(status, accessToken);
		case 402:
			return [
				'The service asks for payment',
				'Check the credits of your account, then run the workflow again.',
			];
		case 404:
		case 410:
			return purpose === 'start' ? UNKNOWN_REQUEST : UNKNOWN_ID;
		case 405:
			return UNKNOWN_REQUEST;
		case 413:
			return [
				'The file is too large for the service',
				'Send a smaller file, or split it into several ones.',
			];
		case 415:
			return [
				'The service cannot read this kind of file',
				'Send a PDF or an image, and check the file type of the binary data.',
			];
		case 429:
			return [
				'The service got too many requests',
				"Lower 'Max Concurrent Jobs' or 'Max Requests per Second' under Batching, or try again later.",
			];
		default:
	}
	if (status >= 300 && status < 400) {
		return [
			'The service redirects to another address',
			`The access token is not sent to another address. Enter the final address as Base URL in the credential${location ? `; the service points to ${location}` : ''}.`,
		];
	}
	if (status >= 500) {
		return [
			'The service has trouble',
			'Try again later. If it goes on, ask those who run the service.',
		];
	}
	return ['The service did not accept the request', 'Check the parameters of this item.'];
}

function explainRefusal(status: number, accessToken: string): [string, string] {
	const expiry = expiryOf(accessToken);
	if (expiry && expiry.getTime() <= Date.now()) {
		return [
			`The access token expired on ${expiry.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
			'Get a new access token and enter it in the credential of this node.',
		];
	}
	return status === 401
		? ['The service refused the access token', CREDENTIAL_ADVICE]
		: [
				'The access token is not allowed to do this',
				'Check the permissions of the token, and that the ID belongs to its account.',
			];
}
