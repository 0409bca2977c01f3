import type { Jobs } from './jobs.cts';

/** A workflow that is always there. */
export const demoWorkflowId = '7b0f6f43-6a7e-4a43-9a8c-0a5b7c1d2e3f';
/** A workflow run that is always there. */
export const demoRunId = '2f6d1c58-93b4-4e0f-8a71-5c9e40b7d612';
/** The rows of that run, in order. */
export const demoResultIds = [
	'c4a8e2d0-1f37-4b96-a5d3-7e08b91f6c25',
	'91e3b7f6-58c2-4d1a-bf09-26a4d8c7035e',
] as const;

/** Adds a workflow and a run, so that every endpoint answers without preparation. */
export function addDemoData(jobs: Jobs): void {
	const [first, second] = demoResultIds;
	const rows = [
		{ resultId: first, json: { product: 'Aurora One espresso machine', price: '€ 649.00' } },
		{ resultId: second, json: { product: 'Mira 64 coffee grinder', price: '€ 329.00' } },
	];
	jobs.addRun({ runId: demoRunId, rows });
	jobs.addWorkflow({
		workflowId: demoWorkflowId,
		resultId: first,
		changed: true,
		json: { products: rows.map(({ json }) => json) },
	});
}
