import type { IncomingHttpHeaders } from 'node:http';
import type { FaultKind } from './faults.cts';

/** What a request asks for, named after the node's resources and operations. */
export type Operation =
	| 'document.start'
	| 'document.getResult'
	| 'urlExtract.start'
	| 'urlExtract.getResult'
	| 'dataset.start'
	| 'dataset.getResult'
	| 'runResult.get'
	| 'runResult.getFirst'
	| 'workflow.getLatest'
	| 'customResult'
	| 'screenshot'
	| 'page'
	| 'unknown';

/** An uploaded file, as received; its bytes are not kept here. */
export interface LedgerFile {
	fieldName: string;
	fileName: string;
	mimeType: string;
	size: number;
	sha256: string;
}

/** One request, recorded when it arrives and completed while it is answered. */
export interface LedgerEntry {
	/** Arrival, in milliseconds since the epoch. */
	at: number;
	/** From arrival to the end of the answer; absent while the request is open. */
	durationMs?: number;
	method: string;
	/** Without the query string. */
	path: string;
	query: Record<string, string | string[]>;
	headers: IncomingHttpHeaders;
	/** The parsed JSON body; absent for uploads and requests without a body. */
	body?: unknown;
	file?: LedgerFile;
	/** Number of multipart parts received. */
	parts: number;
	operation: Operation;
	/** The job that this start created. */
	jobId?: string;
	/** The status answered; absent if no answer was given. */
	status?: number;
	/** The scripted fault that struck this request. */
	fault?: FaultKind;
	/** The connection closed before the answer was complete, and not by a scripted reset. */
	aborted: boolean;
}

/** Everything the simulator received, in order of arrival. */
export class Ledger {
	readonly entries: LedgerEntry[] = [];

	/** The starts that were accepted, so that a job exists. */
	get starts(): LedgerEntry[] {
		return this.entries.filter((entry) => entry.jobId !== undefined);
	}

	/** The requests for one operation. */
	of(operation: Operation): LedgerEntry[] {
		return this.entries.filter((entry) => entry.operation === operation);
	}

	add(entry: LedgerEntry): void {
		this.entries.push(entry);
	}

	clear(): void {
		this.entries.length = 0;
	}
}
