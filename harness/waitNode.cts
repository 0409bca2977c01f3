import { setTimeout as sleep } from 'node:timers/promises';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

const unitsMs = new Map([
	['seconds', 1000],
	['minutes', 60_000],
	['hours', 3_600_000],
	['days', 86_400_000],
]);

/** n8n's "Wait" for a time. It stays in the process, however long: there is no database here. */
export async function waitForTime(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const unitMs = unitsMs.get(this.getNodeParameter('unit', 0) as string);
	if (this.getNodeParameter('resume', 0) !== 'timeInterval' || unitMs === undefined) {
		throw new NodeOperationError(this.getNode(), 'The stand-in of Wait only waits for a time');
	}
	const amount = this.getNodeParameter('amount', 0) as number;
	await sleep(amount * unitMs, undefined, { signal: this.getExecutionCancelSignal() });
	return [this.getInputData()];
}
