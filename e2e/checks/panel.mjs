import assert from 'node:assert/strict';
import {
	choose,
	chosenOf,
	openPanel,
	optionsOf,
	screenshot,
	toggle,
	visibleLabels,
} from '../lib/browser.mjs';
import { until } from '../lib/processes.mjs';

const head = ['Resource', 'Operation'];
const result = ['Output', 'Split Into Items', 'Download Screenshots'];
const wait = 'Wait for Completion';
const reads = [wait, ...result];
const waits = [...reads, 'Wait Options'];

/** What the panel shows for each operation while all else is at its default. */
const panels = [
	['Dataset', 'Start', ['Query', 'Method', 'Schema', 'Fields', ...waits, 'Options']],
	['Dataset', 'Get Result', ['Result ID', ...reads, 'Options']],
	['Document', 'Start', ['Send', 'Input Binary Field', ...waits, 'Options']],
	['Document', 'Get Result', ['Result ID', ...reads]],
	['Run Result', 'Get', ['Run ID', 'Result ID', ...reads]],
	['Run Result', 'Get First', ['Run ID', ...reads]],
	['URL Extract', 'Start', ['URL', 'Schema', 'Fields', ...waits, 'Options']],
	['URL Extract', 'Get Result', ['Result ID', ...reads, 'Options']],
	['Workflow', 'Get Latest Result', ['Workflow ID', ...reads]],
];

const schemaForms = [
	['JSON', 'Schema (JSON)'],
	['Example', 'Example Output (JSON)'],
	['Fields', 'Fields'],
];

const agentOptions = ['Additional Instructions', 'Cap Screenshots', 'Extended', 'Model'];
const waitOptions = ['Max Wait (Seconds)', 'On Timeout', 'Poll Interval (Seconds)'];
const batching = ['Max Concurrent Jobs', 'Max Requests per Second', 'Request Timeout (Seconds)'];

/** What can be added to the collections of the operations that have the most of them; one entry alone would be a button. */
const collections = [
	['Document', 'Start', 'options', [...agentOptions, 'Extra Query Parameters']],
	['URL Extract', 'Start', 'options', [...agentOptions, 'Result Path', 'Extra Query Parameters']],
	['Dataset', 'Start', 'options', ['Inputs Location', 'Result Path', 'Extra Query Parameters']],
	['Dataset', 'Start', 'waitOptions', waitOptions],
	['Dataset', 'Start', 'batching', batching],
];

/** The node's panel shows what an operation needs, and nothing else. */
export const panelChecks = {
	async 'panel: each operation'(context) {
		const { page } = context;
		await openPanel(context);
		for (const [resource, operation, parameters] of panels) {
			await select(page, resource, operation);
			await expectLabels(page, `${resource}: ${operation}`, [...parameters, 'Batching']);
			if (operation !== 'Start') continue;
			await page.getByTestId('parameter-input-operation').scrollIntoViewIfNeeded();
			await screenshot(context, `start-${resource.toLowerCase().replace(' ', '-')}`);
		}
	},

	async 'panel: with and without a wait'(context) {
		const { page } = context;
		await openPanel(context);
		for (const [resource, own] of [
			['Dataset', ['Query', 'Method', 'Schema', 'Fields']],
			['Document', ['Send', 'Input Binary Field']],
			['URL Extract', ['URL', 'Schema', 'Fields']],
		]) {
			await select(page, resource, 'Start');
			await toggle(page, 'waitForCompletion');
			await expectLabels(page, `${resource}, no wait`, [...own, wait, 'Options', 'Batching']);
			await toggle(page, 'waitForCompletion');
			await expectLabels(page, `${resource}, wait`, [...own, ...waits, 'Options', 'Batching']);
		}
		await select(page, 'Run Result', 'Get First');
		await toggle(page, 'waitForCompletion');
		await expectLabels(page, 'read, wait', ['Run ID', ...waits, 'Batching']);
	},

	async 'panel: forms of a schema'(context) {
		const { page } = context;
		const tail = [...waits, 'Options', 'Batching'];
		await openPanel(context);
		await select(page, 'URL Extract', 'Start');
		for (const [form, label] of schemaForms) {
			await choose(page, 'schemaMode', form);
			await expectLabels(page, form, ['URL', 'Schema', label, ...tail]);
		}
		await choose(page, 'schemaMode', 'None');
		await expectLabels(page, 'None', ['URL', 'Schema', ...tail]);
		await select(page, 'Document', 'Start');
		await choose(page, 'documentInput', 'Schema');
		for (const [form, label] of schemaForms) {
			await choose(page, 'schemaMode', form);
			await expectLabels(page, form, ['Send', 'Schema', label, ...tail]);
		}
		await choose(page, 'documentInput', 'Nothing');
		await expectLabels(page, 'Nothing', ['Send', ...tail]);
	},

	async 'panel: collections'(context) {
		const { page } = context;
		await openPanel(context);
		for (const [resource, operation, collection, options] of collections) {
			await select(page, resource, operation);
			const title = `${resource}: ${operation}, ${collection}`;
			assert.deepEqual(await optionsOf(page, collection), options, title);
		}
	},
};

async function select(page, resource, operation) {
	await choose(page, 'resource', resource);
	// Until then, the list of operations is still that of the resource before.
	await until(resource, async () => (await chosenOf(page, 'operation')) !== '' || undefined);
	await choose(page, 'operation', operation);
}

async function expectLabels(page, title, parameters) {
	const expected = [...head, ...parameters];
	const seen = () => visibleLabels(page);
	const isThere = async () => (await seen()).join() === expected.join() || undefined;
	// A wrong panel fails below, with both lists.
	await until(title, isThere, { seconds: 3 }).catch(() => undefined);
	assert.deepEqual(await seen(), expected, title);
}
