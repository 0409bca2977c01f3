import { stringify } from 'flatted';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IRun,
	ITaskData,
	NodeExecutionHint,
} from 'n8n-workflow';

/** The error of an execution as n8n stores it; which fields there are depends on its class. */
export interface OutcomeError {
	name: string;
	message: string;
	description?: string | null;
	httpCode?: string | null;
	context?: IDataObject;
	node?: INode;
	messages?: string[];
	cause?: unknown;
	stack?: string;
}

export type OutcomeStatus = 'success' | 'error' | 'canceled';

/** What came out of an execution. */
export class Outcome {
	/** What n8n's server would conclude. */
	readonly status: OutcomeStatus;

	readonly error?: OutcomeError;

	/** The run data as n8n writes it into its database. */
	readonly serialized: string;

	constructor(
		readonly run: IRun,
		/** Everything that was logged during the run, of all levels. */
		readonly logs: string[],
	) {
		this.status = conclude(run);
		this.error = run.data.resultData.error as OutcomeError | undefined;
		this.serialized = stringify(run.data);
	}

	/** The items of a node's output; of its last run unless told otherwise. */
	items(nodeName: string, outputIndex = 0, runIndex?: number): INodeExecutionData[] {
		const run = this.nodeRuns(nodeName).at(runIndex ?? -1);
		return run?.data?.main[outputIndex] ?? [];
	}

	nodeRuns(nodeName: string): ITaskData[] {
		const { runData } = this.run.data.resultData;
		return Object.hasOwn(runData, nodeName) ? runData[nodeName] : [];
	}

	/** The hints of all runs of a node. */
	hints(nodeName: string): NodeExecutionHint[] {
		return this.nodeRuns(nodeName).flatMap(({ hints }) => hints ?? []);
	}
}

/** How n8n's server derives the status that it stores. */
function conclude(run: IRun): OutcomeStatus {
	if (run.status === 'canceled') return 'canceled';
	if (run.waitTill) throw new Error('The execution waits, which the harness does not support');
	const failed = run.status === 'error' || run.data.resultData.error !== undefined;
	return failed ? 'error' : 'success';
}
