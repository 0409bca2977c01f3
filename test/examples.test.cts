import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
	NodeHelpers,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
} from 'n8n-workflow';
import { runDemo } from '../demo/demo.cts';
import { agentType, exampleFiles, loadExample } from '../demo/examples.cts';
import { openService, SettingsError, simulatedService, type Service } from '../demo/service.cts';
import { drawTable } from '../demo/table.cts';
import {
	createEngine,
	type Engine,
	type NodeJson,
	type Outcome,
	type WorkflowJson,
} from '../harness/engine.cts';
import { properties } from '../nodes/DataExtractionAgent/resources/index.ts';
import { startSimulator } from '../simulator/server.cts';
import { TOKEN } from './support/agent.cts';

const agent = 'Data Extraction Agent';
const stockTypes = [
	'dataTable',
	'emailReadImap',
	'filter',
	'if',
	'manualTrigger',
	'noOp',
	'readWriteFile',
	'scheduleTrigger',
	'set',
	'splitOut',
	'stickyNote',
	'wait',
];
/** Not in the demo: it is about n8n's own Wait, which the engine alone does not have. */
const longJobs = 'long-jobs.json';
/** Nor these: they need a mailbox or a table, or a page that fails. */
const otherFiles = ['alert-on-failure.json', 'invoices-from-email.json', 'nightly-price-list.json'];
/** Not run here: n8n's AI nodes need a whole n8n, where the end-to-end tests run them. */
const aiAgent = 'ai-agent-that-extracts.json';
const toolType = `${agentType}Tool`;
const knownTypes = [
	agentType,
	toolType,
	...stockTypes.map((name) => `n8n-nodes-base.${name}`),
	...['agent', 'lmChatOpenAi'].map((name) => `@n8n/n8n-nodes-langchain.${name}`),
];

interface Exported {
	name: string;
	nodes: (Required<Pick<NodeJson, 'id' | 'name' | 'type' | 'position'>> & {
		parameters: Record<string, unknown>;
	})[];
	connections: Record<string, { main: { node: string; type: string; index: number }[][] }>;
	settings: object;
}

function read(file: string): Exported {
	return JSON.parse(readFileSync(join('examples', file), 'utf8')) as Exported;
}

describe('files', () => {
	const files = [...exampleFiles, longJobs, ...otherFiles, aiAgent];

	it('are all known here', () => {
		const found = readdirSync('examples').filter((name) => name.endsWith('.json'));
		expect(found.sort()).toEqual(files.sort());
	});

	describe.each(files)('%s', (file) => {
		const { name, nodes, settings } = read(file);
		const names = nodes.map((node) => node.name);

		it('can be imported', () => {
			expect(name).not.toBe('');
			expect(settings).toMatchObject({ executionOrder: 'v1' });
			expect(new Set(names).size).toBe(names.length);
			expect(new Set(nodes.map(({ id }) => id)).size).toBe(names.length);
			for (const { id, type, position } of nodes) {
				expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
				expect(knownTypes).toContain(type);
				expect(position).toHaveLength(2);
			}
		});

		it('has only parameters that the panel shows', () => {
			for (const node of nodes.filter(({ type }) => type.startsWith(agentType))) {
				const parameters = node.parameters as INodeParameters;
				const shown = NodeHelpers.getNodeParameters(
					properties,
					parameters,
					true,
					false,
					node as INode,
					null,
				);
				// n8n gives these to a node that is used as a tool.
				const ofTool = node.type === toolType ? ['descriptionType', 'toolDescription'] : [];
				expect([...Object.keys(shown ?? {}), ...ofTool]).toEqual(
					expect.arrayContaining(Object.keys(parameters)),
				);
			}
		});

		it('holds no credentials and no pinned data', () => {
			const text = readFileSync(join('examples', file), 'utf8');
			expect(text).not.toMatch(/"credentials"|"pinData"|accessToken|bearer/i);
		});

		it('explains itself in a note that covers no node', () => {
			const note = nodes.find(({ type }) => type.endsWith('.stickyNote'));
			expect(note?.parameters.content).toMatch(/^## .+\n\n.+\n\n\*\*Change:\*\* /);
			const bottom = (note?.position[1] ?? 0) + Number(note?.parameters.height);
			for (const node of nodes.filter((one) => one !== note)) {
				expect(node.position[1]).toBeGreaterThan(bottom);
			}
		});
	});

	describe.each(exampleFiles)('%s, in the demo,', (file) => {
		const { nodes, connections, settings } = read(file);

		it('has no settings of its own', () => {
			expect(settings).toEqual({ executionOrder: 'v1' });
		});

		it('is connected from left to right', () => {
			const chain = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
			expect(chain.map(({ position }) => position)).toEqual(chain.map((_, x) => [220 * x, 0]));
			const links = chain.slice(1).map((node, index) => {
				return [chain[index].name, { main: [[{ node: node.name, type: 'main', index: 0 }]] }];
			});
			expect(connections).toEqual(Object.fromEntries(links));
		});
	});

	it('have what leaves the loop of the long jobs above its Wait, where n8n runs it first', () => {
		const { nodes, connections, settings } = read(longJobs);
		const heightOf = (name: string) => nodes.find((node) => node.name === name)?.position[1] ?? NaN;
		const targets = Object.entries(connections).flatMap(([from, { main }]) =>
			main.map(([{ node }], output) => `${from} ${String(output)} → ${node}`),
		);
		expect(targets.slice(3)).toEqual([
			'Start Jobs 0 → Wait',
			'Start Jobs 1 → Not Started',
			'Wait 0 → Get Result',
			'Get Result 0 → Finished?',
			'Get Result 1 → Failed',
			'Finished? 0 → Results',
			'Finished? 1 → Wait',
		]);
		for (const name of ['Results', 'Failed', 'Not Started']) {
			expect(heightOf(name)).toBeLessThan(heightOf('Wait'));
			expect(heightOf(name)).toBeLessThan(heightOf('Finished?'));
		}
		expect(settings).toEqual({ executionOrder: 'v1', saveExecutionProgress: true });
	});
});

describe('results', () => {
	let service: Service;
	beforeAll(async () => {
		service = await simulatedService(50, TOKEN);
	});
	afterAll(() => service.close());

	async function run(file: string, change?: (workflow: WorkflowJson) => void): Promise<Outcome> {
		const { workflow } = await loadExample(file, service);
		change?.(workflow);
		return await runWorkflow(workflow, service);
	}

	/** @param filesOf what the trigger brings, where it brings files */
	async function runWorkflow(
		workflow: WorkflowJson,
		{ baseUrl }: Service,
		filesOf?: (engine: Engine) => Promise<INodeExecutionData[]>,
	): Promise<Outcome> {
		const data = { baseUrl, accessToken: TOKEN };
		const engine = await createEngine({ credentials: { dataExtractionAgentApi: { data } } });
		try {
			return await engine.run(workflow, { inputItems: await filesOf?.(engine) });
		} finally {
			engine.close();
		}
	}

	function parametersOf(nodes: NodeJson[], name: string): Record<string, unknown> {
		return nodes.find((node) => node.name === name)?.parameters as Record<string, unknown>;
	}

	/** The values and the number of the input item that each belongs to. */
	function resultsOf(outcome: Outcome) {
		expect(outcome.error).toBeUndefined();
		expect(outcome.status).toBe('success');
		return outcome.items(agent).map(({ json, pairedItem }) => ({ json, pairedItem }));
	}

	it('reads the invoice', async () => {
		const [{ json, pairedItem }, ...others] = resultsOf(await run('invoice-from-pdf.json'));
		expect(others).toEqual([]);
		expect(pairedItem).toEqual({ item: 0 });
		expect(json).toEqual({
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
		});
	});

	it('reads the pages, in their order', async () => {
		const pages = [
			['espresso-machine', 'Aurora One espresso machine', '€ 649.00', 'Aurora', '4.6', 'In stock'],
			['coffee-grinder', 'Mira 64 coffee grinder', '€ 329.00', 'Mira', '4.3', 'Ships in 3 days'],
			['milk-frother', 'Cloud milk frother', '€ 59.90', 'Cloud', '4.1', 'Out of stock'],
		];
		const outcome = await run('prices-from-pages.json');
		expect(outcome.items('One Item per Page').map(({ json }) => json.url)).toEqual(
			pages.map(([file]) => `${service.baseUrl}/pages/${file}.html`),
		);
		expect(resultsOf(outcome)).toEqual(
			pages.map(([file, name, price, brand, stars, availability], item) => {
				const rating = `${stars} out of 5`;
				const html = readFileSync(join('examples/inputs/pages', `${file}.html`), 'utf8');
				for (const value of [name, price, brand, rating, availability]) {
					expect(html).toContain(`>${value}<`);
				}
				return { json: { name, price, brand, rating, availability }, pairedItem: { item } };
			}),
		);
	});

	it('builds the dataset', async () => {
		const results = resultsOf(await run('dataset-of-rivers.json'));
		expect(results.map(({ json }) => [json.name, json.length_km, json.mouth])).toEqual([
			['Volga', '3531', 'Caspian Sea'],
			['Danube', '2850', 'Black Sea'],
			['Ural', '2428', 'Caspian Sea'],
			['Dnieper', '2201', 'Black Sea'],
			['Don', '1870', 'Sea of Azov'],
		]);
		expect(results[4].json).toEqual({
			name: 'Don',
			length_km: '1870',
			source: 'Central Russian Upland',
			mouth: 'Sea of Azov',
			countries: 'Russia',
		});
		expect(results.map(({ pairedItem }) => pairedItem)).toEqual(Array(5).fill({ item: 0 }));
	});

	it('reads the latest result', async () => {
		const products = [
			{ product: 'Aurora One espresso machine', price: '€ 649.00' },
			{ product: 'Mira 64 coffee grinder', price: '€ 329.00' },
		];
		const results = resultsOf(await run('latest-result-of-a-workflow.json'));
		expect(results).toEqual([{ json: { products }, pairedItem: { item: 0 } }]);
	});

	it('keeps the nightly prices in the table, and a page that fails out of it', async () => {
		const outcome = await run('nightly-price-list.json', ({ nodes }) => {
			const [pages, table] = ['Pages', 'Price List'].map((name) => parametersOf(nodes, name));
			pages.jsonOutput = String(pages.jsonOutput).replace('milk-frother', 'no-such-page');
			// What the note asks of the user.
			table.dataTableId = { __rl: true, mode: 'list', value: 'prices' };
		});
		expect(outcome.status).toBe('success');
		expect(outcome.items('Price List').map(({ json }) => json)).toMatchObject([
			{ product: 'Aurora One espresso machine', price: '€ 649.00', availability: 'In stock' },
			{ product: 'Mira 64 coffee grinder', price: '€ 329.00', availability: 'Ships in 3 days' },
		]);
		expect(outcome.items('Failed Pages').map(({ json }) => json.url)).toEqual([
			`${service.baseUrl}/pages/no-such-page.html`,
		]);
	});

	it('reads the invoices that are attached, row by row, and no other file', async () => {
		const { workflow } = await loadExample('invoices-from-email.json', service);
		const outcome = await runWorkflow(workflow, service, async (engine) => {
			const pdf = readFileSync('examples/inputs/invoice.pdf');
			const attach = (name: string) => engine.binary(name, 'application/octet-stream', pdf);
			return [
				{ json: { from: 'friend@example.com' } },
				{
					json: { from: 'seller@example.com' },
					binary: {
						attachment_0: await attach('logo.png'),
						attachment_1: await attach('INVOICE.PDF'),
						attachment_2: await attach('copy.pdf'),
					},
				},
			];
		});
		expect(outcome.error).toBeUndefined();
		expect(outcome.items('Only PDFs').map(({ binary }) => Object.keys(binary ?? {}))).toEqual([
			['attachment_1'],
			['attachment_2'],
		]);
		const rows = outcome.items('Table Row').map(({ json }) => json);
		expect(rows).toHaveLength(8);
		expect(rows.slice(0, 4)).toEqual(rows.slice(4));
		expect(rows.map(({ amount }) => amount).slice(4)).toEqual([
			'444.00',
			'32.00',
			'79.80',
			'12.00',
		]);
		expect(rows[2]).toEqual({
			sender: 'seller@example.com',
			invoice_number: 'INV-2024-117',
			invoice_date: '2024-11-04',
			seller: 'Nordlicht Coffee Supplies GmbH',
			description: 'Burr grinder maintenance kit',
			quantity: '2',
			amount: '79.80',
			currency: 'EUR',
		});
	});

	it('writes an alert that names the page, the reason and the job', async () => {
		const outcome = await run('alert-on-failure.json');
		expect(outcome.status).toBe('success');
		expect(outcome.items('Results').map(({ json }) => json.price)).toEqual([
			'€ 649.00',
			'€ 329.00',
			'€ 59.90',
		]);
		const [{ json, pairedItem }, ...others] = outcome.items('Alert');
		expect(others).toEqual([]);
		expect(pairedItem).toEqual({ item: 0 });
		const [page, reason, advice, job] = String(json.text).split('\n');
		expect(page).toBe(`No data from ${service.baseUrl}/pages/no-such-page.html`);
		expect(reason).toBe('Reason: The job failed: The page answered with status 404');
		expect(advice).toMatch(/^What to do: [A-Z].+\.$/);
		expect(job).toMatch(/^Job: [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
	});

	it('reads the long jobs round by round, and gives up at the limit', async () => {
		const durationsMs: Record<string, number> = {
			'espresso-machine': 0,
			'coffee-grinder': 250,
			'milk-frother': Infinity,
			'no-such-page': 0,
		};
		const simulator = await startSimulator({
			token: TOKEN,
			jobDurationMs: ({ task }) =>
				task.kind === 'urlExtract' ? durationsMs[basename(task.url, '.html')] : 0,
			pagesDirectory: 'examples/inputs/pages',
		});
		const pages = Object.keys(durationsMs);
		const urls = pages.map((page) => `${simulator.origin}/pages/${page}.html`);
		const service = await openService({
			BASE_URL: simulator.origin,
			ACCESS_TOKEN: TOKEN,
			DEMO_URLS: [...urls, 'no address'].join(','),
		});
		const { workflow } = await loadExample(longJobs, service);
		const text = JSON.stringify(workflow)
			.replace('"amount":65', '"amount":0.1')
			.replace('"rightValue":59', '"rightValue":4');
		const outcome = await runWorkflow(JSON.parse(text) as WorkflowJson, service);
		await simulator.close();

		expect(outcome.error).toBeUndefined();
		expect(outcome.status).toBe('success');
		const { starts } = simulator.ledger;
		expect(starts.map(({ query }) => query.url).sort()).toEqual([...urls].sort());
		const [espresso, grinder, frother, missing] = urls.map(
			(url) => starts.find(({ query }) => query.url === url)?.jobId,
		);
		const results = outcome.nodeRuns('Results');
		expect(results.map((_, index) => outcome.items('Results', 0, index))).toMatchObject([
			[{ json: { id: espresso, done: true, data: { price: '€ 649.00' } } }],
			[{ json: { id: grinder, done: true, data: { price: '€ 329.00' } } }],
			[{ json: { id: frother, done: false } }],
		]);
		expect(outcome.nodeRuns('Get Result')).toHaveLength(5);
		expect(outcome.nodeRuns('Failed')).toHaveLength(1);
		expect(outcome.items('Failed')).toMatchObject([
			{ json: { id: missing, error: { id: missing, resource: 'urlExtract' } } },
		]);
		expect(outcome.items('Not Started')).toMatchObject([
			{ json: { url: 'no address', error: { operation: 'start' } } },
		]);
		// What is done does not queue behind the next wait.
		const [, secondWait] = outcome.nodeRuns('Wait');
		for (const [{ executionIndex }] of [results, outcome.nodeRuns('Failed')]) {
			expect(executionIndex).toBeLessThan(secondWait.executionIndex);
		}
	});
});

describe('demo', () => {
	const neverAborted = new AbortController().signal;

	function screen(isTTY = false) {
		const texts: string[] = [];
		return { isTTY, columns: 80, write: (text: string) => texts.push(text), texts };
	}

	/** Runs the demo to its end; `during` may interfere once the first job has been started. */
	async function demo(
		service: Service,
		shown = screen(),
		signal = neverAborted,
		during?: () => void,
	): Promise<{ code: number; output: string }> {
		const timer = setInterval(() => {
			if ((service.activity?.().jobsStarted ?? 0) > 0) during?.();
		}, 20);
		try {
			const code = await runDemo(service, shown, signal);
			return { code, output: shown.texts.join('') };
		} finally {
			clearInterval(timer);
			await service.close();
		}
	}

	/** Whether a row of some table holds these texts, in this order. */
	function rowWith(...texts: string[]): RegExp {
		const escaped = texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
		return new RegExp(`^│ ${escaped.join(' +│ ')} +│`, 'm');
	}

	it('prints the values beside their sources', async () => {
		const { code, output } = await demo(await simulatedService(50, TOKEN));
		expect(code).toBe(0);
		expect(output).toContain('From file invoice.pdf\n');
		expect(output).toMatch(rowWith('invoice_number', 'INV-2024-117'));
		expect(output).toMatch(rowWith('total', '675.68 EUR'));
		expect(output).toMatch(rowWith('Filter paper size 4, 100 pieces', '10', '3.20', '32.00'));
		expect(output).toMatch(/^From http:\/\/127\.0\.0\.1:\d+\/pages\/…$/m);
		expect(output).toMatch(/│ espresso-machine.html +│ Aurora One +│ € 649\.00 +│/);
		expect(output).toMatch(/│ coffee-grinder.html +│ Mira 64 .+│ € 329\.00 +│/);
		expect(output).toMatch(/│ milk-frother.html +│ Cloud .+│ € 59\.90 +│/);
		expect(output).toContain('From query "The five longest rivers of Europe"\n');
		expect(output).toMatch(rowWith('Ural', '2428', 'Ural Mountains', 'Caspian Sea'));
		expect(output).toContain('From workflow 7b0f6f43-6a7e-4a43-9a8c-0a5b7c1d2e3f\n');
		expect(output).toMatch(rowWith('Mira 64 coffee grinder', '€ 329.00'));
		expect(output).toMatch(
			/^4 workflows, 5 jobs started, \d+ requests, all results in \d+\.\d s\.$/m,
		);
		expect(output).toContain('✓ Prices from web pages: 3 jobs started, 3 done, ');
		expect(output).not.toContain(TOKEN);
		expect(output).not.toMatch(/(?!\n)\p{Cc}/u);
		const widest = Math.max(...output.split('\n').map((line) => line.length));
		expect(widest).toBeLessThan(100);
	});

	it('keeps the progress on one line of a terminal', async () => {
		const { code, output } = await demo(await simulatedService(50, TOKEN), screen(true));
		expect(code).toBe(0);
		const states = output.split('\r\u001b[K').slice(1, -1);
		expect(states.length).toBeGreaterThan(10);
		for (const state of states) expect(state.split('\n')[0].length).toBeLessThan(80);
		expect(output).toMatch(/… Invoice from a PDF: 1 job started, 1 done, 0 polls, 0\.\d s/);
		expect(output).not.toContain(TOKEN);
	});

	it('talks to a real service where one is named', async () => {
		const simulator = await startSimulator({
			token: TOKEN,
			jobDurationMs: 50,
			pagesDirectory: 'examples/inputs/pages',
		});
		const page = `${simulator.origin}/pages/milk-frother.html`;
		try {
			const env = { BASE_URL: simulator.origin, ACCESS_TOKEN: TOKEN, DEMO_URLS: ` ${page}, ` };
			const { code, output } = await demo(await openService(env));
			expect(code).toBe(0);
			expect(output).toContain(`the service at ${new URL(simulator.origin).host}.`);
			expect(output).toContain(`From ${page}\n`);
			expect(output).toMatch(rowWith('price', '€ 59.90'));
			expect(output).toContain('left out, because DEMO_WORKFLOW_ID is not set');
			expect(output).toMatch(/^3 workflows, all results in \d+\.\d s\.$/m);
			expect(output).not.toContain(TOKEN);
			expect(simulator.ledger.starts).toHaveLength(3);
		} finally {
			await simulator.close();
		}
	});

	it('says in plain words why it failed', async () => {
		const service = await simulatedService(50, TOKEN);
		const accessToken = `${TOKEN}x`;
		const { code, output } = await demo({ ...service, accessToken });
		expect(code).toBe(1);
		expect(output).toContain('✗ Invoice from a PDF');
		expect(output).toContain('"Invoice from a PDF" failed.\nThe service refused the access token');
		expect(output).not.toContain(TOKEN);
	});

	it('ends when it is canceled', async () => {
		const service = await simulatedService(60_000, TOKEN);
		const controller = new AbortController();
		const { code, output } = await demo(service, screen(), controller.signal, () => {
			controller.abort();
		});
		expect(code).toBe(130);
		expect(output).toMatch(/\nCanceled\. .+\n$/);
	});

	it.each([
		[{ BASE_URL: 'https://api.example.com' }, 'BASE_URL is set and ACCESS_TOKEN is not.'],
		[{ ACCESS_TOKEN: TOKEN, BASE_URL: '' }, 'ACCESS_TOKEN is set and BASE_URL is not.'],
		[{ ACCESS_TOKEN: TOKEN, BASE_URL: 'example.com' }, 'BASE_URL must be an address'],
	])('refuses settings that do not suffice', async (env, message) => {
		const opening = openService(env);
		await expect(opening).rejects.toThrow(SettingsError);
		await expect(opening).rejects.toThrow(message);
	});

	it('draws tables that fit, whatever is in them', () => {
		const long = 'word '.repeat(60).trim();
		const table = drawTable([
			['a', 'b', 'c'],
			['x'.repeat(300), long, ''],
		]);
		const widths = new Set(table.map((line) => line.length));
		expect([...widths]).toEqual([96]);
		expect(table.join('').match(/x/g)).toHaveLength(300);
		expect(table.join('').match(/\bword\b/g)).toHaveLength(60);
	});
});
