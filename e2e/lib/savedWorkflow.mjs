import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { itemsOf } from './n8n.mjs';

/** What stands in the file for where the service and the credential are. */
const savedOrigin = 'http://127.0.0.1:3456';
const savedCredential = 'Xq2ZbT7mPw9KcR4v';

/**
 * The workflow that was made with version 0.1.0 of the node and exported from n8n 1.123, with an
 * address and a credential that exist. The file is never to be changed: it stands for the workflows
 * that users have.
 *
 * @returns the text of the file
 */
export async function readSaved(project, { simulator, credential }) {
	const file = join(project, 'e2e', 'fixtures', 'saved-with-0.1.0-in-n8n-1.123.json');
	const text = await readFile(file, 'utf8');
	return text.replaceAll(savedOrigin, simulator.origin).replaceAll(savedCredential, credential.id);
}

/** What it has to give: every operation, with the parameters that the editor saved. */
export function expectSaved(execution, { ledger, origin }) {
	const { status, data } = execution;
	assert.equal(status, 'success', data.resultData.error?.message);
	const yields = (node) => itemsOf(execution, node).map(({ json }) => json);
	const rivers = ['Volga', 'Danube', 'Ural', 'Dnieper', 'Don'];

	const [invoice, ...otherInvoices] = yields('Document Start');
	assert.equal(otherInvoices.length, 0);
	assert.equal(invoice.total, '675.68 EUR');
	assert.equal(invoice.rows.length, 4);

	const jobs = ledger.starts.map(({ jobId }) => jobId);
	for (const start of ['Document', 'URL', 'Dataset']) {
		const [started, ...others] = yields(`${start} Start Without Waiting`);
		assert.deepEqual([started.done, others.length], [false, 0], start);
		assert.ok(jobs.includes(started.id), start);
	}
	assert.deepEqual(
		yields('Document Get Result').map(({ done, data }) => ({ done, data })),
		[{ done: true, data: { price: null } }],
	);

	assert.deepEqual(
		yields('URL Start').map(({ done, data }) => ({ done, data })),
		[{ done: true, data: { price: '€ 329.00' } }],
	);
	assert.equal(yields('URL Start Without Anything Else')[0].data.name, 'Cloud milk frother');
	assert.deepEqual(yields('URL Get Result')[0].result.json, {
		name: 'Aurora One espresso machine',
		price: '€ 649.00',
	});

	assert.deepEqual(
		yields('Dataset Start').map(({ name, length_km }) => [name, length_km]),
		rivers.map((name, index) => [name, ['3531', '2850', '2428', '2201', '1870'][index]]),
	);
	assert.deepEqual(
		yields('Dataset Get Result'),
		rivers.map((name) => ({ name })),
	);

	const espresso = { product: 'Aurora One espresso machine', price: '€ 649.00' };
	const grinder = { product: 'Mira 64 coffee grinder', price: '€ 329.00' };
	assert.deepEqual(yields('Run Result Get')[0].data, grinder);
	assert.deepEqual(yields('Run Result Get First'), [espresso]);
	assert.deepEqual(yields('Workflow Get Latest Result'), [espresso, grinder]);

	const query = 'The five longest rivers of Europe';
	const sent = ledger.starts.map(({ path, query, body, file }) => {
		return { path: path.replace('/api/v2/', ''), query, body: file ? file.fileName : body };
	});
	assert.deepEqual(sent, [
		{
			path: 'document/start',
			query: {
				additional_instructions: 'Read the lines of the invoice',
				cap_screenshots: '5',
				extended: 'false',
				model: 'large',
			},
			body: 'invoice.pdf',
		},
		{ path: 'document/start', query: {}, body: { price: 'Price with currency' } },
		{
			path: 'extract/start',
			query: { url: `${origin}/pages/coffee-grinder.html` },
			body: { schema: { price: 'Price with currency' } },
		},
		{
			path: 'extract/start',
			query: { url: `${origin}/pages/milk-frother.html` },
			body: undefined,
		},
		{
			path: 'extract/start',
			query: { url: `${origin}/pages/espresso-machine.html` },
			body: { schema: { name: 'text', price: 'text' } },
		},
		{
			path: 'dataset/start',
			query: { language: 'en' },
			body: {
				query,
				method: 'advanced',
				schema: { name: 'Name of the river', length_km: 'Length in kilometres' },
			},
		},
		{ path: 'dataset/start', query: { query }, body: { name: 'Name of the river' } },
	]);
}
