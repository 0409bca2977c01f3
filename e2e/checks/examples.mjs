import assert from 'node:assert/strict';
import { readExample } from '../lib/examples.mjs';
import { itemsOf } from '../lib/n8n.mjs';

const agent = 'Data Extraction Agent';

/** The example workflows, imported and run. What they yield is what the engine's tests expect. */
export const exampleChecks = {
	'example: invoice-from-pdf': example('invoice-from-pdf', ([{ json }, ...others]) => {
		assert.equal(others.length, 0);
		assert.equal(json.invoice_number, 'INV-2024-117');
		assert.equal(json.buyer, 'Café Morgenrot, Inh. Lena Brandt');
		assert.equal(json.total, '675.68 EUR');
		assert.equal(json.iban, 'DE89 3704 0044 0532 0130 00');
		assert.equal(json.rows.length, 4);
		assert.deepEqual(json.rows[2], {
			description: 'Burr grinder maintenance kit',
			quantity: '2',
			unit_price: '39.90',
			amount: '79.80',
		});
		assert.equal(Object.keys(json).length, 16);
	}),

	'example: prices-from-pages': example('prices-from-pages', (items) => {
		const row = (name, price, brand, rating, availability) => {
			return { name, price, brand, rating, availability };
		};
		assert.deepEqual(
			items.map(({ json }) => json),
			[
				row('Aurora One espresso machine', '€ 649.00', 'Aurora', '4.6 out of 5', 'In stock'),
				row('Mira 64 coffee grinder', '€ 329.00', 'Mira', '4.3 out of 5', 'Ships in 3 days'),
				row('Cloud milk frother', '€ 59.90', 'Cloud', '4.1 out of 5', 'Out of stock'),
			],
		);
		assert.deepEqual(
			items.map(({ pairedItem }) => pairedItem),
			[{ item: 0 }, { item: 1 }, { item: 2 }],
		);
	}),

	'example: dataset-of-rivers': example('dataset-of-rivers', (items) => {
		assert.deepEqual(
			items.map(({ json }) => [json.name, json.length_km, json.mouth]),
			[
				['Volga', '3531', 'Caspian Sea'],
				['Danube', '2850', 'Black Sea'],
				['Ural', '2428', 'Caspian Sea'],
				['Dnieper', '2201', 'Black Sea'],
				['Don', '1870', 'Sea of Azov'],
			],
		);
	}),

	'example: latest-result-of-a-workflow': example('latest-result-of-a-workflow', (items) => {
		assert.deepEqual(
			items.map(({ json }) => json),
			[
				{
					products: [
						{ product: 'Aurora One espresso machine', price: '€ 649.00' },
						{ product: 'Mira 64 coffee grinder', price: '€ 329.00' },
					],
				},
			],
		);
	}),
};

function example(file, expectItems) {
	return async (context) => {
		const { n8n, state } = context;
		const read = await readExample({ ...context, credential: state.credential }, file);
		const workflow = await n8n.rest('POST', '/workflows', read);
		state.workflows[file] = workflow;
		const execution = await n8n.finished(await n8n.run(workflow));
		const { error } = execution.data.resultData;
		assert.equal(execution.status, 'success', error?.message);
		expectItems(itemsOf(execution, agent));
	};
}
