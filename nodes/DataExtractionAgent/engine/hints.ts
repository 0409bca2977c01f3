import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { JobResult } from './job';
import type { JobPlan } from './plan';
import { isObject } from './record';

/** Tells in the editor what the items do not show at a glance. */
export function addHints(
	context: IExecuteFunctions,
	jobs: Array<{ plan?: JobPlan; result?: JobResult }>,
): void {
	const asked = fieldsAskedFor(jobs.map(({ plan }) => plan));
	if (asked.length > 0) {
		context.addExecutionHints({
			message: `Fields asked for: ${enumerate(asked)}.`,
			type: 'info',
			location: 'outputPane',
		});
	}
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
			message:
				left === undefined
					? `Credits used: ${used}.`
					: `Credits used: ${used}, remaining: ${left}.`,
			type: 'info',
			location: 'outputPane',
		});
	}
}

const MAX_NAMES = 20;

function enumerate(names: string[]): string {
	const more = names.length - MAX_NAMES;
	return more > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} and ${more} more` : names.join(', ');
}

/** Names of the fields that the starts asked for, each once; none where the agent decides. */
function fieldsAskedFor(plans: Array<JobPlan | undefined>): string[] {
	const bodies = new Set(plans.map((plan) => plan?.request.body).filter(isObject));
	return [...new Set([...bodies].flatMap((body) => Object.keys(schemaIn(body))))];
}

/** The schema is the whole body, or its member `schema` (service document, 4.1 to 4.4). */
function schemaIn(body: IDataObject): IDataObject {
	const { schema, ...others } = body;
	const isWrapper = Object.keys(others).every((name) => name === 'query' || name === 'method');
	return isObject(schema) && isWrapper ? schema : body;
}
