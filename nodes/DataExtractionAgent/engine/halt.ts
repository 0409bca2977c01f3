import { ManualExecutionCancelledError, sleep, type IExecuteFunctions } from 'n8n-workflow';

/** Slices of a pause: how long after the user's Stop a request may still start, at most. */
const SLICE_MS = 250;

/** Thrown inside a job when another item's failure ends the node run. */
export class Halted extends Error {}

/** Whether the node run goes on: ended by the user, or by the first failure. */
export class Halt {
	private failed = false;

	constructor(private readonly context: IExecuteFunctions) {}

	/** Ends the run's waiting: no further request starts. */
	stop(): void {
		this.failed = true;
	}

	/** Whether the user stopped the execution. */
	get canceled(): boolean {
		return this.context.getExecutionCancelSignal()?.aborted ?? false;
	}

	/**
	 * @throws ManualExecutionCancelledError after the user's Stop, which the engine reports as canceled
	 * @throws Halted after another item's failure
	 */
	check(): void {
		if (this.canceled) throw new ManualExecutionCancelledError(this.context.getExecutionId());
		if (this.failed) throw new Halted();
	}

	/** Lets n8n do something else, and notices the user's Stop. */
	async breathe(): Promise<void> {
		this.check();
		await sleep(0);
		this.check();
	}

	/** Waits, and ends early with an error when the run ends. */
	async pause(durationMs: number): Promise<void> {
		const endMs = Date.now() + durationMs;
		await this.pauseUntil(() => endMs);
	}

	/** The same, until a time that may change meanwhile. */
	async pauseUntil(endMs: () => number): Promise<void> {
		this.check();
		for (let leftMs = endMs() - Date.now(); leftMs > 0; leftMs = endMs() - Date.now()) {
			await sleep(Math.min(leftMs, SLICE_MS));
			this.check();
		}
	}
}
