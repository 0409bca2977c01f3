import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { startThenRead, withScriptedModel } from '../lib/agents.mjs';
import { exampleNames, readExample } from '../lib/examples.mjs';
import { itemsOf } from '../lib/n8n.mjs';
import { openCommandLine, runByEditor, runBySchedule, runByWebhook, store } from '../lib/runs.mjs';
import { manually, withNode, withParameters, withTrigger } from '../lib/workflows.mjs';

const agent = 'Data Extraction Agent';

/**
 * Each example: what has to be changed before it can run here, if anything, and what it yields,
 * whichever way it is run. That is what the engine's tests expect too.
 */
const examples = {
	'ai-agent-that-extracts': {
		async prepare(workflow, context) {
			const page = `${context.simulator.origin}/pages/coffee-grinder.html`;
			return (await withScriptedModel(context, workflow, startThenRead(page))).workflow;
		},
		expect(items) {
			assert.deepEqual(jsonOf(items('AI Agent')), [{ output: 'It costs € 329.00.' }]);
		},
	},

	'alert-on-failure': {
		expect(items, { simulator }) {
			const prices = jsonOf(items('Results')).map(({ price }) => price);
			assert.deepEqual(prices, ['€ 649.00', '€ 329.00', '€ 59.90']);
			const [{ text }, ...others] = jsonOf(items('Alert'));
			assert.equal(others.length, 0);
			const [page, reason, advice, job] = text.split('\n');
			assert.equal(page, `No data from ${simulator.origin}/pages/no-such-page.html`);
			assert.equal(reason, 'Reason: The job failed: The page answered with status 404');
			assert.match(advice, /^What to do: [A-Z].+\.$/);
			assert.match(job, /^Job: [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
		},
	},

	'dataset-of-rivers': {
		expect(items) {
			assert.deepEqual(
				items(agent).map(({ json }) => [json.name, json.length_km, json.mouth]),
				[
					['Volga', '3531', 'Caspian Sea'],
					['Danube', '2850', 'Black Sea'],
					['Ural', '2428', 'Caspian Sea'],
					['Dnieper', '2201', 'Black Sea'],
					['Don', '1870', 'Sea of Azov'],
				],
			);
		},
	},

	'invoice-from-pdf': {
		expect(items) {
			assert.deepEqual(jsonOf(items(agent)), [
				{
					vat_id: 'DE291847563',
					invoice_number: 'INV-2024-117',
					invoice_date: '2024-11-04',
					due_date: '2024-12-04',
					order_number: 'PO-88213',
					currency: 'EUR',
					seller: 'Nordlicht Coffee Supplies GmbH',
					buyer: 'Café Morgenrot, Inh. Lena Brandt',
					buyer_address: 'Karl-Heine-Str. 51, 04229 Leipzig',
					net_amount: '567.80 EUR',
					vat_19: '107.88 EUR',
					total: '675.68 EUR',
					payment_terms: '30 days net, by bank transfer',
					iban: 'DE89 3704 0044 0532 0130 00',
					bic: 'COBADEFFXXX',
					rows: [
						['Espresso beans Sidamo, 1 kg', '24', '18.50', '444.00'],
						['Filter paper size 4, 100 pieces', '10', '3.20', '32.00'],
						['Burr grinder maintenance kit', '2', '39.90', '79.80'],
						['Delivery, Leipzig', '1', '12.00', '12.00'],
					].map(([description, quantity, unit_price, amount]) => {
						return { description, quantity, unit_price, amount };
					}),
				},
			]);
		},
	},

	'invoices-from-email': {
		/** A file from disk in the place of the mailbox, with what the workflow reads of an e-mail. */
		prepare(workflow) {
			const from = { id: randomUUID(), name: 'from', value: 'seller@example.com', type: 'string' };
			const [started, attached] = ['Mailbox', 'Attachment'];
			const nodes = [
				{ name: started, ...manually },
				{
					name: attached,
					type: 'n8n-nodes-base.readWriteFile',
					typeVersion: 1,
					parameters: {
						fileSelector: 'examples/inputs/invoice.pdf',
						options: { dataPropertyName: 'attachment_0' },
					},
				},
			].map((node, index) => ({ ...node, id: randomUUID(), position: [220 * (index - 2), 0] }));
			const email = withNode(workflow, 'E-Mail', (node) => ({
				...node,
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: {
					assignments: { assignments: [from] },
					includeOtherFields: true,
					options: { stripBinary: false },
				},
			}));
			const link = (node) => ({ main: [[{ node, type: 'main', index: 0 }]] });
			return {
				...email,
				nodes: [...email.nodes, ...nodes],
				connections: {
					...email.connections,
					[started]: link(attached),
					[attached]: link('E-Mail'),
				},
			};
		},
		expect(items) {
			const rows = jsonOf(items('Table Row'));
			assert.deepEqual(
				rows.map(({ amount }) => amount),
				['444.00', '32.00', '79.80', '12.00'],
			);
			assert.deepEqual(rows[2], {
				sender: 'seller@example.com',
				invoice_number: 'INV-2024-117',
				invoice_date: '2024-11-04',
				seller: 'Nordlicht Coffee Supplies GmbH',
				description: 'Burr grinder maintenance kit',
				quantity: '2',
				amount: '79.80',
				currency: 'EUR',
			});
		},
	},

	'latest-result-of-a-workflow': {
		expect(items) {
			assert.deepEqual(jsonOf(items(agent)), [
				{
					products: [
						{ product: 'Aurora One espresso machine', price: '€ 649.00' },
						{ product: 'Mira 64 coffee grinder', price: '€ 329.00' },
					],
				},
			]);
		},
	},

	'long-jobs': {
		prepare: (workflow) => withParameters(workflow, 'Wait', { amount: 0.1 }),
		expect(items) {
			const results = jsonOf(items('Results'));
			assert.deepEqual(results.map(({ done, data }) => [done, data.price]).sort(), [
				[true, '€ 329.00'],
				[true, '€ 59.90'],
				[true, '€ 649.00'],
			]);
			const started = jsonOf(items('Start Jobs')).map(({ id }) => id);
			assert.deepEqual(results.map(({ id }) => id).sort(), started.sort());
			assert.deepEqual(items('Failed'), []);
		},
	},

	'nightly-price-list': {
		/** n8n has no data tables in `n8n execute`. */
		byCommand: false,
		/** The table that the note asks for. */
		async prepare(workflow, { n8n }) {
			const project = await n8n.rest('GET', '/projects/personal');
			const table = await n8n.rest('POST', `/projects/${project.id}/data-tables`, {
				name: `Prices ${randomUUID()}`,
				columns: ['product', 'price', 'availability'].map((name) => ({ name, type: 'string' })),
			});
			const dataTableId = { __rl: true, mode: 'id', value: table.id };
			return withParameters(workflow, 'Price List', { dataTableId });
		},
		expect(items) {
			assert.deepEqual(
				jsonOf(items('Price List')).map(({ product, price, availability }) => {
					return [product, price, availability];
				}),
				[
					['Aurora One espresso machine', '€ 649.00', 'In stock'],
					['Mira 64 coffee grinder', '€ 329.00', 'Ships in 3 days'],
					['Cloud milk frother', '€ 59.90', 'Out of stock'],
				],
			);
			assert.deepEqual(items('Failed Pages'), []);
		},
	},

	'prices-from-pages': {
		expect(items) {
			const row = (name, price, brand, rating, availability) => {
				return { name, price, brand, rating, availability };
			};
			assert.deepEqual(jsonOf(items(agent)), [
				row('Aurora One espresso machine', '€ 649.00', 'Aurora', '4.6 out of 5', 'In stock'),
				row('Mira 64 coffee grinder', '€ 329.00', 'Mira', '4.3 out of 5', 'Ships in 3 days'),
				row('Cloud milk frother', '€ 59.90', 'Cloud', '4.1 out of 5', 'Out of stock'),
			]);
			assert.deepEqual(
				items(agent).map(({ pairedItem }) => pairedItem),
				[{ item: 0 }, { item: 1 }, { item: 2 }],
			);
		},
	},
};

/** The example workflows, imported, and begun in each of the four ways that n8n has. */
export const exampleChecks = {
	async 'examples: n8n import:workflow'(context) {
		const files = await exampleNames(context.project);
		assert.deepEqual(Object.keys(examples), files.sort(), 'Each example needs an entry here');
		await commandExecutions(context);
	},

	...Object.fromEntries(
		Object.keys(examples).map((name) => [`example: ${name}`, (context) => run(context, name)]),
	),
};

/**
 * Imports all examples and begins to run them on the command line, one after the other. That is
 * seconds of computing for each; it goes on while the checks wait for their other executions.
 *
 * @returns the executions to come, by example
 */
function commandExecutions(context) {
	context.state.commandExecutions ??= (async () => {
		const names = Object.keys(examples).filter((name) => examples[name].byCommand !== false);
		const workflows = await Promise.all(
			names.map(async (name) => ({
				// The command line begins with manual triggers only.
				...withTrigger(await prepared(context, name), manually),
				id: randomUUID().slice(-12),
			})),
		);
		const commandLine = await openCommandLine(context);
		const ids = await commandLine.importWorkflows(JSON.stringify(workflows));
		const executions = new Map();
		let last = Promise.resolve();
		for (const [index, name] of names.entries()) {
			const execution = last.then(() => commandLine.execute(ids[index]));
			executions.set(name, execution);
			// The check of the example gets the error; the next one begins nevertheless.
			last = execution.catch(() => {});
		}
		return executions;
	})();
	return context.state.commandExecutions;
}

async function prepared(context, name) {
	const { prepare = (workflow) => workflow } = examples[name];
	const credentialed = { ...context, credential: context.state.credential };
	return await prepare(await readExample(credentialed, name), context);
}

/** From the editor, by a webhook, by a Schedule Trigger, and by `n8n execute`, at the same time. */
async function run(context, name) {
	const workflow = await prepared(context, name);
	const stored = await store(context.n8n, workflow);
	const byCommand = (await commandExecutions(context)).get(name);
	const outcomes = await Promise.allSettled([
		runByEditor(context, stored).then((execution) => check(context, name, execution, 'manual')),
		runByWebhook(context, workflow).then(({ execution, answer }) => {
			check(context, name, execution, 'webhook');
			const { lastNodeExecuted, runData } = execution.data.resultData;
			assert.deepEqual(answer, jsonOf(runData[lastNodeExecuted].at(-1).data.main[0]));
		}),
		runBySchedule(context, workflow).then((execution) =>
			check(context, name, execution, 'trigger'),
		),
		byCommand?.then((execution) => check(context, name, execution, 'cli')),
	]);
	const [error] = outcomes.flatMap(({ reason }) => reason ?? []);
	if (error) throw error;
}

function check(context, name, execution, mode) {
	const { status, data } = execution;
	assert.equal(status, 'success', `${mode}: ${data.resultData.error?.message}`);
	assert.equal(execution.mode, mode);
	try {
		examples[name].expect((node) => itemsOf(execution, node), context);
	} catch (error) {
		error.message = `${mode}: ${error.message}`;
		throw error;
	}
}

function jsonOf(items) {
	return items.map(({ json }) => json);
}
