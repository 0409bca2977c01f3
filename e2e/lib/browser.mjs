import { join } from 'node:path';
import { chromium, selectors } from 'playwright-core';

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

/** The panel of a node: opens the workflow, then the node. */
export async function openPanel(page, origin, workflowId, nodeName) {
	await openCanvas(page, origin, workflowId, nodeName);
	await page.locator(nodeOnCanvas(nodeName)).dblclick();
	await page.getByTestId('parameter-input-resource').waitFor();
}

export async function openCanvas(page, origin, workflowId, nodeName) {
	await page.goto(`${origin}/workflow/${workflowId}`, { waitUntil: 'domcontentloaded' });
	await page.locator(nodeOnCanvas(nodeName)).waitFor({ timeout: 30_000 });
	// The canvas moves to its place; a click in the meantime misses.
	await page.waitForTimeout(1500);
}

function nodeOnCanvas(name) {
	return `[data-test-id=canvas-node][data-node-name="${name}"]`;
}

/** Chooses an entry of a drop-down list in the panel. */
export async function choose(page, parameter, option) {
	await page.getByTestId(`parameter-input-${parameter}`).click();
	const entries = page.locator('[data-test-id=parameter-input-item]:visible');
	const headline = page.getByText(option, { exact: true });
	await entries.filter({ has: headline }).first().click();
}

/** Types into a text parameter. */
export async function type(page, parameter, text, index = 0) {
	const field = page.getByTestId(`parameter-input-${parameter}`).nth(index);
	await field.locator('input, textarea').first().fill(text);
}

/** The parameters that can be seen, in order; sections by their labels. */
export async function visibleParameters(page) {
	return await page.getByTestId('node-parameters').evaluate((panel) => {
		const isVisible = (element) => element.checkVisibility();
		const found = [...panel.querySelectorAll('[data-test-id^=parameter-input-]')]
			.filter(isVisible)
			.map((element) => element.dataset.testId.replace('parameter-input-', ''))
			.filter((name) => name !== 'field' && name !== 'item');
		const labels = [...panel.querySelectorAll('[data-test-id=input-label]')]
			.filter(isVisible)
			.map((element) => element.innerText.trim().split('\n')[0]);
		return { names: found, labels };
	});
}

export async function screenshot(page, folder, name) {
	if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}
