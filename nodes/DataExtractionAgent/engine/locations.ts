import { Failure, jobFailure } from './failures';
import type { JobPlan } from './plan';
import { isObject, messageOf, readRecord, type ResultRecord } from './record';
import {
	answerFailure,
	isSuccess,
	type Answer,
	type Patience,
	type ServiceRequest,
	type Transport,
} from './transport';

/** One look at a result. */
export type Look = {
	/** How long the service asked to wait before the next look. */
	retryAfterMs: number;
} & (
	| { record: ResultRecord }
	| {
			failure: Failure;
			/** The service knows nothing under this identifier (yet). */
			missing: boolean;
	  }
);

/** What a candidate answers when the result is not there (contract, "Result location"). */
const NOT_HERE = new Set([400, 404, 405, 410, 422]);

/**
 * Where results are read. Where the service does not document it, candidates are tried in order; the
 * first that answers with a result is kept for the rest of the node run.
 */
export class Locations {
	private readonly found = new Map<string, string>();

	constructor(private readonly transport: Transport) {}

	/**
	 * Looks once for a result, at every candidate until one has it.
	 *
	 * @returns the record, or why there is none; refusals and passing trouble end the round
	 */
	async look(
		{ resultPaths, request }: JobPlan,
		id: string,
		patience: Omit<Patience, 'accepts'> & { timeoutMs: number },
	): Promise<Look> {
		// Those of a start belong to the start.
		const qs = request.method === 'GET' ? request.qs : {};
		const key = resultPaths.join(' ');
		const known = this.found.get(key);
		const paths = known === undefined ? resultPaths : [known];
		const sure = paths.length === 1;
		let notHere: Answer | undefined;
		let words: string | undefined;
		for (const path of paths) {
			const answer = await this.read({ path: path.replaceAll('{id}', id), qs }, sure, patience);
			if (answer instanceof Failure) return { failure: answer, missing: false, retryAfterMs: 0 };
			const record = isSuccess(answer) ? readRecord(answer.body) : undefined;
			if (record) {
				this.found.set(key, path);
				return { record, retryAfterMs: answer.retryAfterMs };
			}
			if (sure || !(isSuccess(answer) || NOT_HERE.has(answer.status))) return this.noRecord(answer);
			notHere = mostTelling(notHere, answer);
			// A verdict on the job says more than a place that is not there.
			const said = messageOf(answer.body);
			words = isVerdict(answer.body) && isSuccess(answer) ? (said ?? words) : (words ?? said);
		}
		return {
			failure: this.nowhere(resultPaths, notHere, words),
			missing: true,
			retryAfterMs: notHere?.retryAfterMs ?? 0,
		};
	}

	private read(
		request: Pick<ServiceRequest, 'path' | 'qs'>,
		sure: boolean,
		{ timeoutMs, ...patience }: Omit<Patience, 'accepts'> & { timeoutMs: number },
	): Promise<Answer | Failure> {
		const accepts = ({ body }: Answer) =>
			!sure || readRecord(body) !== undefined || isVerdict(body);
		return this.transport
			.read({ ...request, method: 'GET', timeoutMs }, { ...patience, accepts })
			.catch((error: unknown) => {
				if (error instanceof Failure) return error;
				throw error;
			});
	}

	/** Why the only place, or the one that refused, holds no record. */
	private noRecord(answer: Answer): Look {
		if (!isSuccess(answer)) {
			return {
				failure: answerFailure(answer, this.transport.connection),
				missing: answer.status === 404,
				retryAfterMs: answer.retryAfterMs,
			};
		}
		const failure = isVerdict(answer.body)
			? jobFailure(messageOf(answer.body))
			: new Failure({
					message: `The service answered with ${answer.body === undefined ? 'something that is not JSON, a web page for example' : 'JSON that holds no result'}`,
					description: 'Check the Base URL of the credential; the service may also have changed.',
					httpCode: String(answer.status),
					passing: true,
				});
		return { failure, missing: false, retryAfterMs: answer.retryAfterMs };
	}

	/** @param words what the service said, where it said why */
	private nowhere(
		resultPaths: readonly string[],
		answer: Answer | undefined,
		words: string | undefined,
	): Failure {
		const { httpCode } =
			answer && !isSuccess(answer)
				? answerFailure(answer, this.transport.connection).details
				: { httpCode: undefined };
		return new Failure({
			message: `No result was found under this ID${httpCode ? ` (${httpCode})` : ''}${words ? `: ${words}` : ''}`,
			description: `The service does not document where this result is read; the node tried ${resultPaths.join(', ')}. Check the ID, or enter the right path as 'Result Path' (resultPath) under Options.`,
			...(httpCode && { httpCode }),
		});
	}
}

/** `success: false` without a record is the service's last word on the job. */
function isVerdict(body: unknown): boolean {
	return isObject(body) && body.success === false;
}

/** Of several "not here" answers the 404 says it best. */
function mostTelling(first: Answer | undefined, second: Answer): Answer {
	return first === undefined || (second.status === 404 && first.status !== 404) ? second : first;
}
