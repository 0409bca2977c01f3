import assert from 'node:assert/strict';
import {
	agent,
	chosenOf,
	nodeOnCanvas,
	openCanvas,
	openEditor,
	openPanel,
	screenshot,
	screenshotCanvas,
	type,
} from '../lib/browser.mjs';
import { exampleNames, readExample } from '../lib/examples.mjs';
import { until } from '../lib/processes.mjs';

/** The editor as a user sees it. */
export const editorChecks = {
	async 'editor: log in'(context) {
		const editor = await openEditor(context.n8n, context.system.chromium);
		context.cleanups.unshift(() => editor.close());
		context.page = editor.page;
	},

	async 'editor: add the node'(context) {
		const { page } = context;
		await openPanel(context);
		await page.keyboard.press('Escape');
		await page.getByTestId('node-creator-plus-button').click();
		const creator = page.getByTestId('node-creator');
		await creator.getByTestId('node-creator-search-bar').fill('web scraping');
		await creator.getByText(agent, { exact: true }).click();
		await creator.getByText('Start a dataset build', { exact: true }).waitFor();
		await screenshot(context, 'actions');
		await creator.getByText('Start a dataset build', { exact: true }).click();
		await page.getByTestId('parameter-input-query').waitFor();
		assert.equal(await chosenOf(page, 'resource'), 'Dataset');
		assert.equal(await chosenOf(page, 'operation'), 'Start');
	},

	async 'editor: URL extraction'(context) {
		const { page, simulator } = context;
		await openPanel(context, { resource: 'urlExtract', operation: 'start' });
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
		await page.getByTestId('parameter-input-resource').scrollIntoViewIfNeeded();
		await screenshot(context, 'panel');
		await execute(page, '€ 649.00');
		assert.equal(
			simulator.ledger.starts.at(-1).query.url,
			`${simulator.origin}/pages/espresso-machine.html`,
		);
	},

	async 'editor: output table'(context) {
		const { page, n8n, state } = context;
		const read = await readExample(
			{ ...context, credential: state.credential },
			'prices-from-pages',
		);
		const { id } = await n8n.rest('POST', '/workflows', read);
		await openCanvas(page, n8n.origin, id, agent);
		await page.locator(nodeOnCanvas(agent)).dblclick();
		const text = await execute(page, '€ 59.90');
		for (const shown of ['3 items', 'Aurora One espresso machine', '€ 329.00', 'Out of stock']) {
			assert.ok(text.includes(shown), `${shown} in ${text}`);
		}
		await screenshot(context, 'output');
	},

	async 'editor: stop during a wait'(context) {
		const { page, n8n } = context;
		const slow = await context.startSimulator({ jobDurationMs: 120_000 });
		context.cleanups.unshift(() => slow.close());
		const credential = await n8n.rest('POST', '/credentials', {
			name: 'Slow simulator',
			type: 'dataExtractionAgentApi',
			data: { baseUrl: slow.origin, accessToken: slow.token },
		});
		const parameters = { resource: 'urlExtract', operation: 'start', url: `${slow.origin}/page` };
		const workflow = await openPanel(context, parameters, credential);
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
		await screenshot(context, 'stopped');
	},

	async 'editor: wrong ID'(context) {
		const { page, simulator } = context;
		await openPanel(context, { resource: 'urlExtract', operation: 'getResult' });
		await type(page, 'resultId', 'abc');
		const before = simulator.ledger.entries.length;
		await page.getByTestId('node-execute-button').click();
		await page.getByTestId('node-error-message').first().waitFor();
		const text = await page.getByTestId('node-error-message').first().innerText();
		await page.waitForTimeout(800);
		await screenshot(context, 'error');
		context.state.notes.push(`Wrong ID: ${text}`);
		assert.match(text, /'Result ID' \(resultId\) is not a GUID/);
		assert.equal(simulator.ledger.entries.length, before);
	},
};

/** Pictures of the examples, for the README. */
export const pictureChecks = {
	async 'editor: canvases of the examples'(context) {
		const { page, n8n, project, state } = context;
		for (const example of await exampleNames(project)) {
			const read = await readExample({ ...context, credential: state.credential }, example);
			const { id } = await n8n.rest('POST', '/workflows', read);
			const nodes = read.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
			await openCanvas(page, n8n.origin, id, nodes[0].name);
			for (const { name } of nodes) {
				assert.ok(await page.locator(nodeOnCanvas(name)).isVisible(), `${example}: ${name}`);
			}
			await screenshotCanvas(context, `canvas-${example}`);
		}
	},
};

/** Executes the open node. @returns what its output shows as soon as the text is in it */
async function execute(page, text) {
	await page.getByTestId('node-execute-button').click();
	const output = page.getByTestId('output-panel').or(page.getByTestId('ndv-output-panel'));
	await output.getByText(text).first().waitFor({ timeout: 15_000 });
	return await output.innerText();
}
