import { randomUUID } from 'node:crypto';
import { runAgent, type AgentOutcome, type AgentTask } from './agent/agent.cts';
import type { JsonObject } from './json.cts';

/** A started piece of work. */
export interface Job {
	readonly id: string;
	readonly task: AgentTask;
	readonly acceptedAtMs: number;
	/** How long it is in progress. */
	durationMs: number;
	readonly creditsUsed: number;
	readonly screenshotCount: number;
}

/** A result that exists without a job: a row of a run, or a workflow's latest. */
export interface SeededResult {
	resultId: string;
	json: JsonObject;
	changed?: boolean;
	descr?: string;
	screenshots?: string[];
	/** In progress for this long after it was added; default 0, `Infinity` for ever. */
	doneAfterMs?: number;
}

/** The service's record of a result, as the document describes it. */
export interface ResultRecord {
	changed: boolean;
	credits: { remaining: number; used: number };
	details: { descr: string };
	json?: JsonObject;
	screenshots: string[];
	/** In seconds since the epoch. */
	when: number;
	done: boolean;
	id: string;
}

/** The envelope around a result record. */
export interface ResultEnvelope {
	message: string;
	result: ResultRecord;
	success: boolean;
}

/** What a start has to say about the job it wants. */
export type NewJob = Pick<Job, 'task' | 'creditsUsed' | 'screenshotCount'>;

interface StoredResult extends SeededResult {
	addedAtMs: number;
}

/** How long jobs take, and how soon they can be read. */
export interface JobTimes {
	jobDurationMs: number | ((job: Job) => number);
	/** A job is not found for this long after its start. */
	notFoundMs: number;
}

const initialCredits = 10_000;

/** All jobs, runs and workflows of the simulated service. */
export class Jobs {
	private readonly byId = new Map<string, Job>();
	private readonly outcomes = new Map<string, Promise<AgentOutcome | Error>>();
	private readonly runs = new Map<string, StoredResult[]>();
	private readonly workflows = new Map<string, StoredResult>();
	private creditsRemaining = initialCredits;

	constructor(
		private readonly times: JobTimes,
		private readonly screenshotUrl: (id: string, index: number) => string,
	) {}

	/** All started jobs, oldest first. */
	get list(): Job[] {
		return [...this.byId.values()];
	}

	get(id: string): Job | undefined {
		return this.byId.get(id);
	}

	/** Accepts a job; its work is not done before its result is asked for. */
	start(wanted: NewJob): Job {
		const job: Job = { ...wanted, id: randomUUID(), acceptedAtMs: Date.now(), durationMs: 0 };
		const { jobDurationMs } = this.times;
		job.durationMs = typeof jobDurationMs === 'number' ? jobDurationMs : jobDurationMs(job);
		this.creditsRemaining -= job.creditsUsed;
		this.byId.set(job.id, job);
		return job;
	}

	/** Adds a workflow run with its rows, in order; a run of the same id is replaced. */
	addRun({ runId, rows }: { runId: string; rows: SeededResult[] }): void {
		this.runs.set(runId.toLowerCase(), rows.map(stored));
	}

	/** Adds a workflow with its latest result; a workflow of the same id is replaced. */
	addWorkflow(workflow: { workflowId: string } & Partial<SeededResult>): void {
		const { workflowId, ...result } = workflow;
		const seeded = { resultId: randomUUID(), json: {}, ...result };
		this.workflows.set(workflowId.toLowerCase(), stored(seeded));
	}

	/** A job's result, or nothing while the service does not know it yet. */
	async jobResult(job: Job): Promise<ResultEnvelope | undefined> {
		const ageMs = Date.now() - job.acceptedAtMs;
		if (ageMs < this.times.notFoundMs) return undefined;
		const record = this.emptyRecord(job.id, job.acceptedAtMs);
		if (ageMs < job.durationMs) return inProgress(record);
		const outcome = await this.outcomeOf(job);
		record.done = true;
		record.credits.used = job.creditsUsed;
		if (outcome instanceof Error) {
			record.details.descr = outcome.message;
			return { message: outcome.message, result: record, success: false };
		}
		const screenshots = Array.from({ length: job.screenshotCount }, (_, index) =>
			this.screenshotUrl(job.id, index),
		);
		const { json, descr } = outcome;
		return finished({ ...record, json, details: { descr }, screenshots });
	}

	/** A row of a run, or its first row. */
	rowResult(runId: string, resultId: string | 'first'): ResultEnvelope | undefined {
		const rows = this.runs.get(runId) ?? [];
		const row = resultId === 'first' ? rows[0] : rows.find((one) => one.resultId === resultId);
		return row && this.storedResult(row);
	}

	/** The latest result of a workflow. */
	workflowResult(workflowId: string): ResultEnvelope | undefined {
		const result = this.workflows.get(workflowId);
		return result && this.storedResult(result);
	}

	private storedResult(seeded: StoredResult): ResultEnvelope {
		const record = this.emptyRecord(seeded.resultId, seeded.addedAtMs);
		record.changed = seeded.changed ?? false;
		if (Date.now() - seeded.addedAtMs < (seeded.doneAfterMs ?? 0)) return inProgress(record);
		const { json, descr = 'Read by the workflow', screenshots = [] } = seeded;
		return finished({ ...record, json, details: { descr }, screenshots });
	}

	private emptyRecord(id: string, acceptedAtMs: number): ResultRecord {
		return {
			changed: false,
			credits: { remaining: this.creditsRemaining, used: 0 },
			details: { descr: '' },
			screenshots: [],
			when: Math.floor(acceptedAtMs / 1000),
			done: false,
			id,
		};
	}

	private outcomeOf(job: Job): Promise<AgentOutcome | Error> {
		const outcome = this.outcomes.get(job.id) ?? runAgent(job.task).catch(asError);
		this.outcomes.set(job.id, outcome);
		return outcome;
	}
}

function stored(seeded: SeededResult): StoredResult {
	return { ...seeded, resultId: seeded.resultId.toLowerCase(), addedAtMs: Date.now() };
}

function inProgress(record: ResultRecord): ResultEnvelope {
	const details = { descr: 'The agent is working' };
	return { message: 'In progress', result: { ...record, details }, success: true };
}

function finished(record: ResultRecord): ResultEnvelope {
	return { message: 'Finished', result: { ...record, done: true }, success: true };
}

function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}
