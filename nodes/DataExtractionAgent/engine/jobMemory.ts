import { createHash } from 'crypto';
import type { IContextObject, IExecuteFunctions } from 'n8n-workflow';

/** The member of the node's context object that holds the identifiers. */
const MEMBER = 'startedJobs';

/**
 * Identifiers of started jobs, kept in the execution's own data, so that Retry On Fail and "Retry
 * execution" go on waiting for them instead of starting them again. n8n stores the context with the
 * execution and keeps it through both kinds of retry; it does not survive a crash.
 */
export class JobMemory {
	private readonly context: IContextObject;

	private readonly runIndex: string;

	constructor(context: IExecuteFunctions) {
		this.context = context.getContext('node');
		// A node in a loop runs several times; each run starts jobs of its own.
		this.runIndex = String(context.getWorkflowDataProxy(0).$runIndex);
	}

	/**
	 * @param request everything that makes the job what it is: an item whose parameters were changed
	 * between two tries is another job
	 */
	key(itemIndex: number, request: unknown): string {
		const fingerprint = createHash('sha256').update(JSON.stringify(request)).digest('hex');
		return `${this.runIndex}:${itemIndex}:${fingerprint.slice(0, 16)}`;
	}

	recall(key: string): string | undefined {
		return this.jobs()[key];
	}

	remember(key: string, id: string): void {
		this.context[MEMBER] = this.jobs();
		this.jobs()[key] = id;
	}

	/** For a job that failed, so that a retry starts it anew. */
	forget(key: string): void {
		delete this.jobs()[key];
	}

	/** For a run that delivered everything: nobody needs its identifiers any more. */
	clear(): void {
		const jobs = this.jobs();
		for (const key of Object.keys(jobs)) {
			if (key.startsWith(`${this.runIndex}:`)) delete jobs[key];
		}
		if (Object.keys(jobs).length === 0) delete this.context[MEMBER];
	}

	private jobs(): Record<string, string> {
		return (this.context[MEMBER] as Record<string, string> | undefined) ?? {};
	}
}
