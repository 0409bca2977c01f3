import type { IExecuteFunctions } from 'n8n-workflow';
import type { JobResult } from './job';
import type { JobPlan } from './plan';

/** Tells in the editor what the items do not show at a glance. */
export function addHints(
	context: IExecuteFunctions,
	jobs: Array<{ plan?: JobPlan; result?: JobResult }>,
): void {
	const inProgress = jobs.filter(
		({ plan, result }) => plan?.wait && result && !result.record?.done,
	).length;
	if (inProgress > 0) {
		context.addExecutionHints({
			message: `${inProgress === 1 ? '1 job was' : `${inProgress} jobs were`} still in progress when the wait ended. The items hold the ID and "done": false; read them later with a Get operation.`,
			type: 'warning',
			location: 'outputPane',
		});
	}
	let used = 0;
	let left: number | undefined;
	for (const { result } of jobs) {
		const { used: one, remaining } = result?.record?.credits ?? {};
		if (typeof one === 'number') used += one;
		if (typeof remaining === 'number') left = Math.min(remaining, left ?? remaining);
	}
	if (used > 0) {
		context.addExecutionHints({
			message: `Credits used: ${used}${left === undefined ? '' : `, remaining: ${left}`}.`,
			type: 'info',
			location: 'outputPane',
		});
	}
}
