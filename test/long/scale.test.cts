import { demoWorkflowId } from '../../simulator/demo-data.cts';
import { AGENT, numbered, setStage, type Stage } from '../support/agent.cts';

let stage: Stage;
afterEach(() => stage.close());

it('reads 10,000 results', async () => {
	stage = await setStage();
	const outcome = await stage.run(
		{
			resource: 'workflow',
			operation: 'getLatest',
			workflowId: demoWorkflowId,
			batching: { maxConcurrentJobs: 50 },
		},
		{ inputItems: numbered(10_000) },
	);
	expect(outcome.error).toBeUndefined();
	const items = outcome.items(AGENT);
	expect(items).toHaveLength(10_000);
	expect(items.every(({ json, pairedItem }, item) => json.done && isItem(pairedItem, item))).toBe(
		true,
	);
	expect(stage.simulator.ledger.of('workflow.getLatest')).toHaveLength(10_000);
}, 120_000);

it('waits for 1,000 jobs at the same time', async () => {
	stage = await setStage({ jobDurationMs: 2_000 });
	const outcome = await stage.run(
		{
			resource: 'document',
			operation: 'start',
			documentInput: 'none',
			batching: { maxConcurrentJobs: 1_000 },
		},
		{ inputItems: numbered(1_000) },
	);
	expect(outcome.error).toBeUndefined();
	const items = outcome.items(AGENT);
	expect(items).toHaveLength(1_000);
	expect(new Set(items.map(({ json }) => json.id)).size).toBe(1_000);
	expect(stage.simulator.ledger.starts).toHaveLength(1_000);
}, 120_000);

function isItem(pairedItem: unknown, item: number): boolean {
	return (pairedItem as { item?: number } | undefined)?.item === item;
}
