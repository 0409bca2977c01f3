import { parse } from 'flatted';
import type { WorkflowExecute } from 'n8n-core';
import type {
	ICredentialsHelper,
	INode,
	INodeExecutionData,
	IPinData,
	IRun,
	IRunExecutionData,
	IWorkflowBase,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createEmptyRunExecutionData, Workflow } from 'n8n-workflow';
import { additionalData } from './additionalData.cts';
import { openLog } from './logs.cts';
import type { N8nCore } from './n8nCore.cts';
import type { HarnessNodeTypes } from './nodeTypes.cts';
import { Outcome } from './outcome.cts';
import type { NormalizedWorkflow } from './workflowJson.cts';

/** How to run a workflow. */
export interface RunOptions {
	/** Name of the node to start from; its trigger if unset. */
	startNode?: string;
	/** What the start node gets, and a trigger emits. One empty item if unset. */
	inputItems?: INodeExecutionData[];
	pinData?: IPinData;
	/** Called as soon as the execution can be cancelled, before its first node runs. */
	onStarted?: (control: { cancel(): void }) => void;
	/** `manual`, or `retry` together with `retryOf`, if unset. */
	mode?: WorkflowExecuteMode;
	/**
	 * Resumes a failed execution as n8n's "Retry execution" does. The nodes come from the workflow that
	 * is given: the same one is "with original workflow", a changed one "with currently saved workflow".
	 */
	retryOf?: Outcome;
	/** Cancels the execution after this time, as the workflow's timeout setting does. */
	executionTimeoutMs?: number;
}

type Execution = ReturnType<WorkflowExecute['processRunExecutionData']>;
type RunParameters = Parameters<WorkflowExecute['run']>[0];
/** `WorkflowExecute.run` before 2.0: the same by position. */
type RunByPosition = (
	workflow: Workflow,
	startNode?: INode,
	destinationNode?: undefined,
	pinData?: IPinData,
	triggerToStartFrom?: RunParameters['triggerToStartFrom'],
) => Execution;

let executions = 0;

/** Runs a workflow to its end. */
export async function execute(
	n8n: N8nCore,
	nodeTypes: HarnessNodeTypes,
	credentials: ICredentialsHelper,
	json: NormalizedWorkflow,
	options: RunOptions,
): Promise<Outcome> {
	const { retryOf, executionTimeoutMs } = options;
	const mode = options.mode ?? (retryOf === undefined ? 'manual' : 'retry');
	executions += 1;
	const executionId = String(executions);
	const log = openLog();
	let timer: NodeJS.Timeout | undefined;
	try {
		const workflow = new Workflow({ id: 'harness', active: false, nodeTypes, ...json });
		const data = additionalData(credentials, executionId);
		data.hooks = new n8n.core.ExecutionLifecycleHooks(mode, executionId, workflowBase(json));
		if (executionTimeoutMs !== undefined) {
			data.executionTimeoutTimestamp = Date.now() + executionTimeoutMs;
		}
		const runData = retryOf === undefined ? undefined : dataForRetry(retryOf, workflow);
		const engine = new n8n.core.WorkflowExecute(data, mode, runData);
		const startNode =
			options.startNode === undefined
				? findTrigger(workflow)
				: getNode(workflow, options.startNode);

		let execution: Execution;
		try {
			execution =
				runData === undefined
					? start(n8n, engine, workflow, startNode, options)
					: engine.processRunExecutionData(workflow);
		} catch (error) {
			// A workflow with issues is refused before it starts; n8n's server stores it as failed.
			return new Outcome(failedRun(error as Error, mode), log.lines);
		}
		const cancel = () => {
			execution.cancel();
		};
		if (executionTimeoutMs !== undefined) timer = setTimeout(cancel, executionTimeoutMs);
		options.onStarted?.({ cancel });
		const run = await execution;
		return new Outcome(run, log.lines);
	} finally {
		clearTimeout(timer);
		log.close();
	}
}

function start(
	{ major }: N8nCore,
	engine: WorkflowExecute,
	workflow: Workflow,
	startNode: INode,
	{ inputItems, pinData }: RunOptions,
): Execution {
	const triggerToStartFrom =
		inputItems === undefined
			? undefined
			: {
					name: startNode.name,
					data: {
						startTime: 0,
						executionIndex: 0,
						executionTime: 0,
						source: [],
						data: { main: [inputItems] },
					},
				};
	if (major === 1) {
		const run = engine.run.bind(engine) as unknown as RunByPosition;
		return run(workflow, startNode, undefined, pinData, triggerToStartFrom);
	}
	return engine.run({ workflow, startNode, pinData, triggerToStartFrom });
}

function findTrigger(workflow: Workflow): INode {
	const isTrigger = (node: INode) =>
		node.disabled !== true &&
		workflow.nodeTypes
			.getByNameAndVersion(node.type, node.typeVersion)
			.description.group.includes('trigger');
	const node = Object.values(workflow.nodes).find(isTrigger) ?? workflow.getStartNode();
	if (node === undefined) throw new Error('The workflow has no node to start from');
	return node;
}

function getNode(workflow: Workflow, name: string): INode {
	const node = workflow.getNode(name);
	if (node === null) throw new Error(`The workflow has no node "${name}"`);
	return node;
}

/** What n8n's server does with a stored execution before it runs it again. */
function dataForRetry({ serialized }: Outcome, workflow: Workflow): IRunExecutionData {
	const data = parse(serialized) as IRunExecutionData;
	const { lastNodeExecuted, runData } = data.resultData;
	if (lastNodeExecuted !== undefined) {
		delete data.resultData.error;
		const runs = Object.hasOwn(runData, lastNodeExecuted) ? runData[lastNodeExecuted] : [];
		// Without an error the execution crashed, and what the node has done stays.
		if (runs.at(-1)?.error !== undefined) runs.pop();
	}
	for (const entry of data.executionData?.nodeExecutionStack ?? []) {
		entry.node = getNode(workflow, entry.node.name);
	}
	return data;
}

function failedRun(error: Error, mode: WorkflowExecuteMode): IRun {
	const data = createEmptyRunExecutionData();
	const stored = { ...error, name: error.name, message: error.message, stack: error.stack };
	data.resultData.error = stored as unknown as IRunExecutionData['resultData']['error'];
	const now = new Date();
	return {
		data,
		mode,
		finished: false,
		startedAt: now,
		stoppedAt: now,
		storedAt: 'db',
		status: 'error',
	};
}

function workflowBase(json: NormalizedWorkflow): IWorkflowBase {
	const now = new Date();
	return {
		id: 'harness',
		active: false,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
		activeVersionId: null,
		...json,
	};
}
