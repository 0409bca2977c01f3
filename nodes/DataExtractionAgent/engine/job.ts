import type { IExecuteFunctions } from 'n8n-workflow';
import type { Durations } from './durations';
import { openUpload, uploadTimeoutMs } from './document';
import { Failure, jobFailure, mayBeAccepted } from './failures';
import type { Halt } from './halt';
import type { JobMemory } from './jobMemory';
import type { Locations } from './locations';
import type { JobPlan, WaitPlan } from './plan';
import { isObject, readStartAnswer, type ResultRecord, type StartAnswer } from './record';
import { nextPollMs } from './schedule';
import { answerFailure, isSuccess, type Transport } from './transport';

/** What became of one job. */
export interface JobResult {
	/** The identifier that was started or asked for. */
	id: string;
	/** Absent where nobody asked for it, or where it was not there when the wait ended. */
	record?: ResultRecord;
	/** The answer to the start. */
	started?: StartAnswer;
}

/** Where a job comes from: this try of the execution, an earlier one, or somewhere else. */
export type Origin = 'started' | 'resumed' | 'elsewhere';

/** What the jobs of a node run share. */
export interface JobContext {
	execute: IExecuteFunctions;
	transport: Transport;
	locations: Locations;
	durations: Durations;
	memory: JobMemory;
	halt: Halt;
	/** Called with every identifier as soon as it is known. */
	onStarted(id: string): void;
}

const REQUEST_TIMEOUT_MS = 60_000;

/** Outside a wait a request is repeated this often and this long. */
const MAX_TRIES = 4;
const MAX_RETRY_MS = 60_000;

/** A job may be unknown for this long after its start. */
const OWN_START_GRACE_MS = 30_000;
/** And for this long after the node began to wait for a job that was started elsewhere. */
const GRACE_MS = 3_000;

/**
 * Starts a job; an identifier from an earlier try of this execution is taken up again.
 *
 * @throws Failure that says whether the job may have been accepted
 */
export async function startJob(
	plan: JobPlan,
	context: JobContext,
): Promise<{ answer: StartAnswer; origin: Origin }> {
	const key = memoryKey(plan, context.memory);
	const known = context.memory.recall(key);
	if (known !== undefined) {
		context.onStarted(known);
		const message = 'Started by an earlier try of this execution';
		return { answer: { id: known, message, success: true }, origin: 'resumed' };
	}
	const answer = await sendStart(plan, context);
	context.memory.remember(key, answer.id);
	context.onStarted(answer.id);
	return { answer, origin: 'started' };
}

async function sendStart(
	{ request, upload, wait, requestTimeoutMs }: JobPlan,
	{ execute, transport }: JobContext,
): Promise<StartAnswer> {
	const file = upload && openUpload(execute, upload);
	const answer = await transport
		.start(
			{
				...request,
				...(file && { body: file.body }),
				timeoutMs: requestTimeoutMs ?? (upload ? uploadTimeoutMs(upload) : REQUEST_TIMEOUT_MS),
			},
			{ deadlineMs: Date.now() + (wait?.maxWaitMs ?? MAX_RETRY_MS), maxTries: MAX_TRIES },
		)
		.catch((error: unknown) => {
			throw file?.problem ?? error;
		})
		.finally(() => file?.close());

	if (!isSuccess(answer)) {
		const failure = answerFailure(answer, transport.connection, 'start');
		throw answer.status >= 500 || answer.status === 408 ? mayBeAccepted(failure) : failure;
	}
	const started = readStartAnswer(answer.body);
	if (typeof started !== 'string') return started;
	const failure = new Failure({
		message: `The service ${started}`,
		description: 'Check the parameters of this item and the Base URL of the credential.',
	});
	throw isRefusal(answer.body) ? failure : mayBeAccepted(failure);
}

/**
 * Reads the result of a job, and waits for it where the plan says so.
 *
 * @param origin a job that was just started may be unknown for a moment
 * @throws Failure that carries the identifier
 */
export function readJob(
	plan: JobPlan,
	id: string,
	origin: Origin,
	context: JobContext,
): Promise<JobResult> {
	const result = plan.wait
		? waitForResult(plan, plan.wait, id, origin, context)
		: readOnce(plan, id, context);
	return result.catch((error: unknown) => {
		if (!(error instanceof Failure)) throw error;
		if (error.details.jobFailed) context.memory.forget(memoryKey(plan, context.memory));
		throw error.about(id);
	});
}

async function readOnce(plan: JobPlan, id: string, context: JobContext): Promise<JobResult> {
	const look = await context.locations.look(plan, id, {
		timeoutMs: plan.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
		deadlineMs: Date.now() + MAX_RETRY_MS,
		maxTries: MAX_TRIES,
	});
	if ('failure' in look) throw look.failure;
	return { id, record: checkRecord(look.record) };
}

async function waitForResult(
	plan: JobPlan,
	{ maxWaitMs, intervalMs, onTimeout }: WaitPlan,
	id: string,
	origin: Origin,
	{ locations, durations, halt }: JobContext,
): Promise<JobResult> {
	const startMs = Date.now();
	const deadlineMs = startMs + maxWaitMs;
	// Any other job has been going on for an unknown time.
	const job = origin === 'started' ? durations.begin() : undefined;
	/** Waits for the next look. What other jobs teach meanwhile moves it. */
	const untilNextLook = async (retryAfterMs = 0) => {
		const elapsedMs = Date.now() - startMs;
		const leftMs = maxWaitMs - elapsedMs;
		const known = job && durations;
		const state = { elapsedMs, leftMs, intervalMs, retryAfterMs, known };
		const random = Math.random();
		await halt.pauseUntil(() => startMs + elapsedMs + nextPollMs(state, random));
	};
	let record: ResultRecord | undefined;
	let trouble: Failure | undefined;
	try {
		if (job) await untilNextLook();
		for (;;) {
			const look = await locations.look(plan, id, {
				timeoutMs: plan.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
				deadlineMs,
				maxTries: Infinity,
			});
			if ('record' in look) {
				record = checkRecord(look.record);
				trouble = undefined;
				const elapsedMs = Date.now() - startMs;
				if (record.done) {
					if (job) durations.done(job, elapsedMs);
					return { id, record };
				}
				if (job) durations.inProgress(job, elapsedMs);
			} else {
				trouble = look.failure;
				const graceMs = graceMsOf(origin, plan);
				const tolerated = look.missing
					? Date.now() - startMs < graceMs
					: look.failure.details.passing;
				if (!tolerated) throw look.failure;
			}
			if (Date.now() >= deadlineMs) break;
			await untilNextLook(look.retryAfterMs);
		}
	} finally {
		if (job) durations.end(job);
	}
	if (onTimeout === 'returnInProgress') return { id, ...(record && { record }) };
	throw timedOut(maxWaitMs, trouble);
}

/** How long "not found" is taken for "not yet". */
function graceMsOf(origin: Origin, { resultPaths }: JobPlan): number {
	if (origin === 'elsewhere') return GRACE_MS;
	return resultPaths.length > 1 ? Infinity : OWN_START_GRACE_MS;
}

/** @throws Failure where the record says that the job failed or holds nothing */
function checkRecord(record: ResultRecord): ResultRecord {
	const { success, message, done, json } = record;
	if (success === false) throw jobFailure(message);
	if (done && json === undefined) {
		throw new Failure({
			message: `The job is complete and holds no data${message ? `: ${message}` : ''}`,
			description: 'Check the input of this item, then run it again; it is started anew.',
			jobFailed: true,
		});
	}
	return record;
}

function timedOut(maxWaitMs: number, trouble: Failure | undefined): Failure {
	return new Failure({
		...trouble?.details,
		message: `The job was still in progress after ${maxWaitMs / 1000} seconds${
			trouble ? `; at last: ${trouble.details.message}` : ''
		}`,
		description: [
			"It goes on in the service. Raise 'Max Wait (Seconds)' (maxWaitSeconds) under Wait Options, or read it later with a Get operation and its ID.",
			trouble?.details.description,
		]
			.filter(Boolean)
			.join(' '),
	});
}

/** Only an explicit "no" proves that no job was started. */
function isRefusal(body: unknown): boolean {
	return isObject(body) && body.success === false;
}

function memoryKey({ itemIndex, request, upload }: JobPlan, memory: JobMemory): string {
	return memory.key(itemIndex, { request, upload });
}
