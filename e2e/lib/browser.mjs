import { join } from 'node:path';
import { chromium, selectors } from 'playwright-core';

export const agent = 'Data Extraction Agent';
const trigger = 'When clicking ‘Execute workflow’';

/** Opens n8n's editor in a headless browser, logged in as the owner. */
export async function openEditor({ origin, owner }, executablePath) {
	selectors.setTestIdAttribute('data-test-id');
	const browser = await chromium.launch({
		executablePath,
		args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
	});
	const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
	page.setDefaultTimeout(10_000);
	await page.goto(`${origin}/signin`, { waitUntil: 'domcontentloaded' });
	await page.locator('input[name=emailOrLdapLoginId]').fill(owner.email);
	await page.locator('input[type=password]').fill(owner.password);
	await page.locator('input[type=password]').press('Enter');
	await page.waitForURL(({ pathname }) => !pathname.includes('signin'));
	return { page, close: () => browser.close() };
}

export async function openCanvas(page, origin, workflowId, nodeName) {
	await page.goto(`${origin}/workflow/${workflowId}`, { waitUntil: 'domcontentloaded' });
	await page.locator(nodeOnCanvas(nodeName)).waitFor({ timeout: 30_000 });
	// The canvas moves to its place; a click in the meantime misses.
	await page.waitForTimeout(1500);
}

export function nodeOnCanvas(name) {
	return `[data-test-id=canvas-node][data-node-name="${name}"]`;
}

/** Stores a new workflow of a trigger and the agent, and opens the agent's panel. */
export async function openPanel({ page, n8n, state }, parameters = {}, credential) {
	const { id, name } = credential ?? state.credential;
	const credentials = { dataExtractionAgentApi: { id, name } };
	const workflow = await n8n.rest('POST', '/workflows', {
		name: 'Editor',
		nodes: [
			node(trigger, 'n8n-nodes-base.manualTrigger', 0),
			{ ...node(agent, state.agentType, 220), parameters, credentials },
		],
		connections: { [trigger]: { main: [[{ node: agent, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
		active: false,
	});
	await openCanvas(page, n8n.origin, workflow.id, agent);
	await page.locator(nodeOnCanvas(agent)).dblclick();
	await page.getByTestId('parameter-input-resource').waitFor();
	return workflow;
}

function node(name, type, x) {
	return {
		id: crypto.randomUUID(),
		name,
		type,
		typeVersion: 1,
		position: [x, 0],
		parameters: {},
	};
}

/** Chooses an entry of a drop-down list in the panel. */
export async function choose(page, parameter, option) {
	await page.getByTestId(`parameter-input-${parameter}`).click();
	const entries = page.locator('[data-test-id=parameter-input-item]:visible');
	const headline = page.getByText(option, { exact: true });
	await entries.filter({ has: headline }).first().click();
	await entries.first().waitFor({ state: 'hidden' });
}

/** Types into a text parameter. */
export async function type(page, parameter, text, index = 0) {
	const field = page.getByTestId(`parameter-input-${parameter}`).nth(index);
	await field.locator('input, textarea').first().fill(text);
}

/** The chosen entry of a drop-down list. */
export async function chosenOf(page, parameter) {
	return await page.getByTestId(`parameter-input-${parameter}`).locator('input').inputValue();
}

/** Switches a boolean parameter. */
export async function toggle(page, parameter) {
	await page.getByTestId(`parameter-input-${parameter}`).locator('.el-switch').click();
}

/** The labels that can be seen, in order. */
export async function visibleLabels(page) {
	return await page
		.getByTestId('node-parameters')
		.getByTestId('input-label')
		.evaluateAll((labels) =>
			labels
				.filter((label) => label.checkVisibility())
				.map((label) =>
					label.innerText
						.trim()
						.split('\n')[0]
						.replace(/\s*\*$/, ''),
				),
		);
}

/** What can be added to a collection. */
export async function optionsOf(page, collection) {
	const section = page
		.getByTestId('parameter-item')
		.filter({ has: page.locator(`label[for=${collection}]`) })
		.last();
	await section.getByRole('combobox').click();
	const entries = page.locator('.el-select-dropdown__item:visible');
	await entries.first().waitFor();
	const names = await entries.allInnerTexts();
	await page.keyboard.press('Escape');
	await entries.first().waitFor({ state: 'hidden' });
	return names.map((name) => name.trim());
}

/** Keeps a picture, where pictures are wanted. */
export async function screenshot({ page, screenshots }, name) {
	if (screenshots === undefined) return;
	// Without messages that come and go, and without a tooltip under the pointer.
	await page.mouse.move(0, 0);
	await page.locator('.el-notification').evaluateAll((all) => all.forEach((one) => one.remove()));
	await page.waitForTimeout(500);
	await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

/** Keeps a picture of what is drawn on the canvas, without the editor around it. */
export async function screenshotCanvas({ page, screenshots }, name) {
	if (screenshots === undefined) return;
	const marginPx = 24;
	// Buttons float over the canvas.
	const buttons = page.locator(
		'[data-test-id=execute-workflow-button], .vue-flow__panel, [class*=nodeButtonsWrapper]',
	);
	await buttons.evaluateAll((all) => all.forEach((one) => (one.style.visibility = 'hidden')));
	const drawn = page.locator('.vue-flow__node, .vue-flow__node *, .vue-flow__edge-path');
	const clip = await drawn.evaluateAll((elements, margin) => {
		const boxes = elements
			.filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
			.map((element) => element.getBoundingClientRect())
			.filter(({ width, height }) => width > 0 || height > 0);
		const canvas = document.querySelector('.vue-flow').getBoundingClientRect();
		const x = Math.max(canvas.left, Math.min(...boxes.map(({ left }) => left)) - margin);
		const y = Math.max(canvas.top, Math.min(...boxes.map(({ top }) => top)) - margin);
		const right = Math.max(...boxes.map((box) => box.right)) + margin;
		const bottom = Math.max(...boxes.map((box) => box.bottom)) + margin;
		return { x, y, width: right - x, height: bottom - y };
	}, marginPx);
	await page.screenshot({ path: join(screenshots, `${name}.png`), clip });
}
