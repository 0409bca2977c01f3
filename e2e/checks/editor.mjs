import assert from 'node:assert/strict';
import { until } from '../lib/processes.mjs';
import {
	choose,
	openCanvas,
	openEditor,
	openPanel,
	screenshot,
	type,
	visibleParameters,
} from '../lib/browser.mjs';

const agent = 'Data Extraction Agent';
const trigger = 'When clicking ‘Execute workflow’';
const outputs = ['output', 'splitIntoItems', 'downloadScreenshots'];
const reads = ['waitForCompletion', ...outputs];

/** What the panel shows for each operation while all else is at its default. */
const panels = [
	['Dataset', 'Start', ['query', 'method', 'schemaMode', ...reads], ['Fields', 'Wait Options']],
	['Dataset', 'Get Result', ['resultId', ...reads], []],
	['Document', 'Start', ['documentInput', 'binaryPropertyName', ...reads], ['Wait Options']],
	['Document', 'Get Result', ['resultId', ...reads], []],
	['Run Result', 'Get', ['runId', 'resultId', ...reads], []],
	['Run Result', 'Get First', ['runId', ...reads], []],
	['URL Extract', 'Start', ['url', 'schemaMode', ...reads], ['Fields', 'Wait Options']],
	['URL Extract', 'Get Result', ['resultId', ...reads], []],
	['Workflow', 'Get Latest Result', ['workflowId', ...reads], []],
];

/** The editor as a user sees it. */
export const editorChecks = {
	async 'editor: log in'(context) {
		const editor = await openEditor(context.n8n, context.system.chromium);
		context.cleanups.unshift(() => editor.close());
		context.page = editor.page;
	},

	async 'editor: canvas'({ page, n8n, state, screenshots }) {
		await openCanvas(page, n8n.origin, state.workflows['prices-from-pages'].id, agent);
		const node = page.locator(`[data-test-id=canvas-node][data-node-name="${agent}"]`);
		assert.match(await node.innerText(), /Data Extraction Agent/);
		await screenshot(page, screenshots, 'canvas');
	},

	async 'editor: parameters of each operation'(context) {
		const { page } = context;
		await openNew(context, {});
		for (const [resource, operation, names, ownSections] of panels) {
			const title = `${resource}: ${operation}`;
			await choose(page, 'resource', resource);
			await choose(page, 'operation', operation);
			const expected = ['resource', 'operation', ...names];
			await until(
				title,
				async () => {
					const seen = await visibleParameters(page);
					return seen.names.join() === expected.join() || undefined;
				},
				{ seconds: 3 },
			).catch(() => {});
			const seen = await visibleParameters(page);
			context.state.notes.push(`${title}: ${seen.labels.join(' | ')}`);
			assert.deepEqual(seen.names, expected, title);
			for (const label of ownSections) assert.ok(seen.labels.includes(label), `${title}: ${label}`);
			assert.ok(seen.labels.includes('Batching'), title);
			if (operation === 'Start') {
				await page.getByTestId('parameter-input-operation').scrollIntoViewIfNeeded();
				await screenshot(
					page,
					context.screenshots,
					`start-${resource.toLowerCase().replace(' ', '-')}`,
				);
			}
		}
	},

	async 'editor: URL extraction'(context) {
		const { page, n8n, simulator, screenshots } = context;
		await openNew(context, { resource: 'urlExtract', operation: 'start' });
		await type(page, 'url', `${simulator.origin}/pages/espresso-machine.html`);
		for (const [index, [name, description]] of [
			['name', 'Name of the product'],
			['price', 'Price with currency'],
		].entries()) {
			await page
				.getByTestId('fixed-collection-schemaFields')
				.getByRole('button', { name: /add field/i })
				.click();
			await type(page, 'name', name, index);
			await type(page, 'description', description, index);
		}
		await page.evaluate(() => document.activeElement.blur()); // Closes the tip.
		await screenshot(page, screenshots, 'panel');
		await page.getByTestId('node-execute-button').click();
		const output = page.getByTestId('output-panel').or(page.getByTestId('ndv-output-panel'));
		await output.getByText('€ 649.00').first().waitFor({ timeout: 15_000 });
		await screenshot(page, screenshots, 'output');
		context.state.notes.push(`Output: ${(await output.innerText()).replaceAll('\n', ' | ')}`);
		assert.equal(
			simulator.ledger.starts.at(-1).query.url,
			`${simulator.origin}/pages/espresso-machine.html`,
		);
	},

	async 'editor: stop during a wait'(context) {
		const { page, simulator, n8n } = context;
		const slow = await context.startSimulator({ jobDurationMs: 120_000 });
		context.cleanups.unshift(() => slow.close());
		const credential = await n8n.rest('POST', '/credentials', {
			name: 'Slow simulator',
			type: 'dataExtractionAgentApi',
			data: { baseUrl: slow.origin, accessToken: slow.token },
		});
		const parameters = { resource: 'urlExtract', operation: 'start', url: `${slow.origin}/page` };
		const workflow = await openNew(context, parameters, credential);
		await page.getByTestId('node-execute-button').click();
		await until('the job to be started', () => slow.ledger.starts[0]);
		await page.waitForTimeout(2500);
		await page.keyboard.press('Escape');
		await page.getByTestId('stop-execution-button').waitFor();
		const stoppedAt = Date.now();
		await page.getByTestId('stop-execution-button').click();
		const execution = await until(
			'the execution to end',
			async () => {
				const { results } = await n8n.rest(
					'GET',
					`/executions?filter=${encodeURIComponent(JSON.stringify({ workflowId: workflow.id }))}`,
				);
				return results.find(({ status }) => !['new', 'running'].includes(status));
			},
			{ everyMs: 50 },
		);
		const took = Date.now() - stoppedAt;
		await page.waitForTimeout(4000);
		const late = slow.ledger.entries.filter(({ at }) => at > stoppedAt + 1000);
		context.state.notes.push(
			`Stop: ${execution.status} after ${took} ms, ${late.length} late requests`,
		);
		assert.equal(execution.status, 'canceled');
		assert.ok(took < 2000, `took ${took} ms`);
		assert.equal(late.length, 0);
		await screenshot(page, context.screenshots, 'stopped');
	},

	async 'editor: wrong ID'(context) {
		const { page, simulator, screenshots } = context;
		await openNew(context, { resource: 'urlExtract', operation: 'getResult' });
		await type(page, 'resultId', 'abc');
		const before = simulator.ledger.entries.length;
		await page.getByTestId('node-execute-button').click();
		await page.getByTestId('node-error-message').first().waitFor();
		const text = await page.getByTestId('node-error-message').first().innerText();
		await page.waitForTimeout(800);
		await screenshot(page, screenshots, 'error');
		context.state.notes.push(`Wrong ID: ${text}`);
		assert.match(text, /'Result ID' \(resultId\) is not a GUID/);
		assert.equal(simulator.ledger.entries.length, before);
	},
};

/** Stores a new workflow of a trigger and the agent, and opens the agent's panel. */
async function openNew({ page, n8n, state }, parameters, credential = state.credential) {
	const workflow = await n8n.rest('POST', '/workflows', {
		name: 'Editor',
		nodes: [
			{
				id: crypto.randomUUID(),
				name: trigger,
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: crypto.randomUUID(),
				name: agent,
				type: state.agentType,
				typeVersion: 1,
				position: [220, 0],
				parameters,
				credentials: { dataExtractionAgentApi: { id: credential.id, name: credential.name } },
			},
		],
		connections: { [trigger]: { main: [[{ node: agent, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
		active: false,
	});
	await openPanel(page, n8n.origin, workflow.id, agent);
	return workflow;
}
