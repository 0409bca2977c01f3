import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { getConnection } from './connection';
import { Durations } from './durations';
import { failureItem, runError, toFailure, type Failure } from './failures';
import { Halt, Halted } from './halt';
import { addHints } from './hints';
import { readJob, startJob, type JobContext, type JobResult } from './job';
import { JobMemory } from './jobMemory';
import { Locations } from './locations';
import { toItems } from './output';
import { Pace } from './pace';
import { ParameterReader } from './parameters';
import { planItem, type ItemPlan, type JobPlan } from './plan';
import { downloadScreenshots } from './screenshots';
import type { Service } from './service';
import { Transport } from './transport';

/** Screenshots are files of a page: this is ample for each. */
const SCREENSHOT_TIMEOUT_MS = 60_000;

/** Planning is mere computation: after so many items n8n gets a chance to do something else. */
const ITEMS_PER_BREATH = 100;

/**
 * Runs the node for all items: bounded concurrency, output in input order, failures as the node's
 * error setting says.
 *
 * @returns the items of the node's one output
 * @throws NodeOperationError or NodeApiError for the first item that fails, unless the node continues
 * on fail; ManualExecutionCancelledError after the user's Stop
 */
export async function run(
	context: IExecuteFunctions,
	service: Service,
): Promise<INodeExecutionData[][]> {
	const input = context.getInputData();
	if (input.length === 0) return [[]];
	return [await new NodeRun(context, service).execute(input.length)];
}

/** One job's place in the output, in the order of the input. */
interface Slot {
	itemIndex: number;
	/** Absent where the input was refused. */
	plan?: JobPlan;
	result?: JobResult;
	items?: INodeExecutionData[];
}

class NodeRun {
	private readonly halt: Halt;

	private readonly memory: JobMemory;

	/** Whether an item that fails becomes an item, instead of the end of the run. */
	private readonly continuesOnFail: boolean;

	private readonly startedIds = new Set<string>();

	/** Starts under way: their identifiers must become known before the run may end. */
	private readonly starting = new Set<Promise<unknown>>();

	private firstFailure?: { failure: Failure; itemIndex: number };

	/** Resolves with the first failure that ends the run. */
	private readonly ended: Promise<void>;

	private end!: () => void;

	private failedItems = 0;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly service: Service,
	) {
		this.continuesOnFail = context.continueOnFail() || isTool(context);
		this.halt = new Halt(context);
		this.memory = new JobMemory(context);
		this.ended = new Promise((resolve) => (this.end = resolve));
	}

	async execute(itemCount: number): Promise<INodeExecutionData[]> {
		const { slots, limits } = await this.plan(itemCount);
		const jobs = await this.connect(slots, limits);
		if (jobs) await this.runJobs(slots, limits.maxConcurrentJobs, jobs);
		this.halt.check();
		addHints(this.context, slots);
		if (this.failedItems === 0) this.memory.clear();
		return slots.flatMap(({ items = [] }) => items);
	}

	/** Checks every item before the first request leaves. */
	private async plan(itemCount: number) {
		const parameters = new ParameterReader(this.context, this.service);
		const slots: Slot[] = [];
		let limits: ItemPlan['limits'] | undefined;
		for (let itemIndex = 0; itemIndex < itemCount; itemIndex++) {
			if (itemIndex > 0 && itemIndex % ITEMS_PER_BREATH === 0) await this.halt.breathe();
			const item = await planItem(this.context, parameters, itemIndex).catch((error: unknown) =>
				this.refuse(error, itemIndex),
			);
			if ('jobs' in item) {
				limits ??= item.limits;
				slots.push(...item.jobs.map((plan) => ({ itemIndex, plan })));
			} else {
				slots.push(item);
			}
		}
		return { slots, limits: limits ?? { maxConcurrentJobs: 1 } };
	}

	/** A bad item ends the run before it cost anything, or becomes a failure item. */
	private refuse(error: unknown, itemIndex: number): Slot {
		if (!this.continuesOnFail) {
			throw error instanceof NodeOperationError || error instanceof NodeApiError
				? error
				: new NodeOperationError(this.context.getNode(), error as Error, { itemIndex });
		}
		return { itemIndex, items: [this.failed(toFailure(error), itemIndex)] };
	}

	/** @returns `undefined` where there is nothing to do, or no connection to do it with */
	private async connect(
		slots: Slot[],
		{ maxRequestsPerSecond }: ItemPlan['limits'],
	): Promise<JobContext | undefined> {
		const planned = slots.filter(({ plan }) => plan);
		if (planned.length === 0) return undefined;
		const { credentialType } = this.service;
		const [{ itemIndex }] = planned;
		const connection = await getConnection(this.context, credentialType, itemIndex).catch(
			(error: unknown) => {
				for (const slot of planned) Object.assign(slot, this.refuse(error, slot.itemIndex));
				return undefined;
			},
		);
		if (!connection) return undefined;
		const pace = new Pace(this.halt, maxRequestsPerSecond);
		const transport = new Transport(this.context, credentialType, connection, pace, this.halt);
		return {
			execute: this.context,
			transport,
			locations: new Locations(transport),
			durations: new Durations(),
			memory: this.memory,
			halt: this.halt,
			onStarted: (id) => this.startedIds.add(id),
		};
	}

	/**
	 * As many workers as jobs may be in flight, each taking the next job in line. After the first
	 * failure no job starts any more, and waits end; what is just being started is let finish, so that
	 * its identifier is known.
	 */
	private async runJobs(slots: Slot[], maxConcurrentJobs: number, jobs: JobContext): Promise<void> {
		const queue = slots.values();
		const worker = async () => {
			for (const slot of queue) {
				if (this.firstFailure) return;
				if (slot.plan && !slot.items) {
					await this.deliver(slot, slot.plan, jobs).catch((error: unknown) =>
						this.settle(slot, error),
					);
				}
			}
		};
		const workers = Array.from({ length: Math.min(maxConcurrentJobs, slots.length) }, worker);
		await Promise.race([Promise.all(workers), this.ended]);
		if (!this.firstFailure) return;
		await Promise.allSettled(this.starting);
		if (this.halt.canceled) this.halt.check();
		const { failure, itemIndex } = this.firstFailure;
		throw runError(this.context.getNode(), failure, itemIndex, [...this.startedIds]);
	}

	private async deliver(slot: Slot, plan: JobPlan, jobs: JobContext): Promise<void> {
		const result = await this.runJob(plan, jobs);
		const { transport } = jobs;
		const files =
			plan.output.downloadScreenshots && result.record?.done
				? await downloadScreenshots(this.context, transport, result.record, SCREENSHOT_TIMEOUT_MS)
				: undefined;
		slot.result = result;
		slot.items = toItems(plan.itemIndex, result, plan.output, { upload: plan.upload, ...files });
	}

	private async runJob(plan: JobPlan, jobs: JobContext): Promise<JobResult> {
		if (plan.request.method === 'GET') {
			return await readJob(plan, plan.request.id ?? '', 'elsewhere', jobs);
		}
		const start = startJob(plan, jobs);
		this.starting.add(start);
		const { answer, origin } = await start.finally(() => this.starting.delete(start));
		return plan.wait
			? { ...(await readJob(plan, answer.id, origin, jobs)), started: answer }
			: { id: answer.id, started: answer };
	}

	/** What a job's error means for the run. Rethrows the user's Stop. */
	private settle(slot: Slot, error: unknown): void {
		if (this.halt.canceled) this.halt.check();
		if (error instanceof Halted) return;
		const failure = toFailure(error);
		if (this.continuesOnFail) {
			slot.items = [this.failed(failure, slot.itemIndex)];
		} else if (!this.firstFailure) {
			this.firstFailure = { failure, itemIndex: slot.itemIndex };
			this.halt.stop();
			this.end();
		}
	}

	private failed(failure: Failure, itemIndex: number): INodeExecutionData {
		this.failedItems++;
		const resource = this.context.getNodeParameter('resource', itemIndex, '') as string;
		const operation = this.context.getNodeParameter('operation', itemIndex, '') as string;
		return failureItem(failure, { resource, operation }, itemIndex);
	}
}

/**
 * Whether an AI agent runs the node as a tool: n8n then adds this suffix to its type. A tool cannot
 * throw: the editor offers no On Error for it, and depending on the version of the agent an error ends
 * the whole execution, or the model gets an empty text, and never the advice. An item with the failure
 * reaches the model in all of them, so that it can correct itself.
 */
function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}
