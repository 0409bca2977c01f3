import assert from 'node:assert/strict';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../lib/processes.mjs';
import { startQueue } from '../lib/queue.mjs';
import { longJobsWorkflow, oneNodeWorkflow } from '../lib/queueWorkflows.mjs';
import { publish } from '../lib/webhooks.mjs';

const webhookRuns = 500;
const webhookRunsAtATime = 40;
const longRuns = 3;

/** The pages of the long jobs, and how long the job of each takes; the last one never ends. */
const longJobPages = [
	['espresso-machine', 1000],
	['no-such-page', 1000],
	['coffee-grinder', 80_000],
	['milk-frother', 1e9],
];

/**
 * Queue mode with two workers, and what the end of a worker in mid-wait costs. The long jobs of the
 * example wait in the database meanwhile.
 */
export const queueChecks = {
	async 'queue: start'(context) {
		const { project, folder, cleanups, state } = context;
		const pagesDirectory = join(folder, 'pages');
		await writePages(project, pagesDirectory);
		context.simulator = await context.startSimulator({
			jobDurationMs: ({ task }) => Number(new URL(task.url).searchParams.get('ms')),
			pagesDirectory,
		});
		cleanups.unshift(() => context.simulator.close());
		state.queue = await startQueue(context);
		context.n8n = state.queue.n8n;
		state.workers = await addWorkers(context, 'worker-1', 'worker-2');
	},

	async 'queue: install on every process'(context) {
		const { n8n, simulator, name, version, state } = context;
		await n8n.rest('POST', '/community-packages', { name, version });
		await Promise.all(state.workers.map((worker) => worker.hasInstalled(name)));
		context.credential = await n8n.rest('POST', '/credentials', {
			name: 'Simulator',
			type: 'dataExtractionAgentApi',
			data: { baseUrl: simulator.origin, accessToken: simulator.token },
		});
	},

	async [`queue: ${webhookRuns} webhook executions`](context) {
		const { n8n, simulator, state } = context;
		const workflow = await publish(n8n, oneNodeWorkflow(context, 'answer', 'lastNode'));
		const urls = Array.from({ length: webhookRuns }, (_, index) =>
			pageUrl(simulator, `product-${index}`, { ms: 200 + ((index * 7) % 300) }),
		);
		const start = performance.now();
		const answers = await inParallel(urls, webhookRunsAtATime, (url) => workflow.call({ url }));
		const seconds = (performance.now() - start) / 1000;

		for (const [index, { id, done, data }] of answers.entries()) {
			assert.deepEqual(jobsOf(simulator, urls[index]), [id]);
			assert.equal(done, true);
			assert.deepEqual(data, product(index));
		}
		const taken = await Promise.all(state.workers.map((worker) => worker.executionIds()));
		const shares = taken.map(({ length }) => length);
		assert.equal(taken.flat().length, webhookRuns);
		assert.equal(new Set(taken.flat()).size, webhookRuns);
		assert.ok(Math.min(...shares) >= webhookRuns / 10, `The workers took ${shares}`);
		state.notes.push(
			`${webhookRuns} webhook executions in ${seconds.toFixed(0)} s, ${shares.join(' + ')} by worker`,
		);
	},

	async 'queue: long jobs begin to wait'(context) {
		const { n8n, simulator, state } = context;
		const workflow = await publish(n8n, await longJobsWorkflow(context, 'long-jobs'));
		state.longRuns = [];
		for (let run = 0; run < longRuns; run += 1) {
			const urls = longJobPages.map(([page, ms]) => pageUrl(simulator, page, { ms, run }));
			state.longRuns.push({ id: await workflow.begin({ urls }), urls });
		}
		await allWait(context, 0);
	},

	async 'queue: one worker killed, one terminated'(context) {
		const { n8n, simulator, state } = context;
		const [killed, terminated] = state.workers;
		const workflow = await publish(n8n, oneNodeWorkflow(context, 'wait', 'onReceived'));
		/** Begins executions until one is on this worker, where it waits for its job. */
		async function beginOn(worker, ms) {
			for (let attempt = 0; attempt < 20; attempt += 1) {
				const url = pageUrl(simulator, 'product-0', { ms, attempt, on: worker.name });
				const id = await workflow.begin({ url });
				await until('the job to be started', () => jobsOf(simulator, url)[0]);
				if ((await worker.executionIds()).includes(id)) return { id, url };
			}
			throw new Error(`${worker.name} takes no executions`);
		}
		state.killed = await beginOn(killed, 20_000);
		state.terminated = await beginOn(terminated, 20_000);
		await allWait(context, 5000);
		state.short = await beginOn(terminated, 2500);

		state.endedAt = Date.now();
		await Promise.all([killed.kill('SIGKILL'), terminated.kill('SIGTERM')]);
		state.notes.push(`The worker ended ${Date.now() - state.endedAt} ms after SIGTERM`);
		await addWorkers(context, 'worker-3', 'worker-4');
	},

	async 'queue: what SIGKILL costs in mid-wait'(context) {
		await expectCost(context, 'SIGKILL', context.state.killed);
	},

	async 'queue: what SIGTERM costs in mid-wait'(context) {
		const { n8n, simulator, state } = context;
		const { status } = await n8n.finished(state.short.id);
		assert.equal(status, 'success');
		assert.equal(jobsOf(simulator, state.short.url).length, 1);
		await expectCost(context, 'SIGTERM', state.terminated);
	},

	async 'queue: long jobs have lost nothing'({ n8n, simulator, state }) {
		for (const { id, urls } of state.longRuns) {
			const execution = await n8n.finished(id, 200);
			assert.equal(execution.status, 'success');
			const jobs = urls.map((url) => jobsOf(simulator, url));
			assert.deepEqual(
				jobs.map(({ length }) => length),
				[1, 1, 1, 1],
			);
			const [espresso, missing, grinder, frother] = jobs.flat();
			const { runData } = execution.data.resultData;
			const itemsOf = (node) => runData[node].flatMap(({ data }) => data.main[0]);
			assert.equal(runData.Wait.length, 2);
			assert.deepEqual(
				itemsOf('Results').map(({ json }) => [json.id, json.done, json.data?.price]),
				[
					[espresso, true, '€ 649.00'],
					[grinder, true, '€ 329.00'],
					[frother, false, undefined],
				],
			);
			assert.deepEqual(
				itemsOf('Failed').map(({ json }) => [json.id, json.error.id]),
				[[missing, missing]],
			);
		}
	},
};

/** In mid-wait of one node, the end of its worker costs a second job in n8n 1, and the ID in n8n 2. */
async function expectCost({ release, n8n, simulator, state }, signal, { id, url }) {
	const execution = await n8n.finished(id, 120);
	const seconds = ((Date.now() - state.endedAt) / 1000).toFixed(0);
	const jobs = jobsOf(simulator, url);
	const data = JSON.stringify(execution.data);
	const kept = jobs.map((job) => data.includes(job));
	state.notes.push(
		`${signal}: ${execution.status} after ${seconds} s, ${jobs.length} jobs started, ID kept: ${kept}`,
	);
	if (release.version.startsWith('1.')) {
		assert.equal(execution.status, 'success');
		assert.deepEqual(kept, [false, true]);
	} else {
		assert.equal(execution.status, 'error');
		assert.deepEqual(kept, [false]);
		assert.deepEqual(execution.data.resultData.runData, {});
	}
}

async function addWorkers({ state }, ...names) {
	return await Promise.all(names.map((name) => state.queue.addWorker(name)));
}

/** Waits until all executions of the long jobs are in the database, for this time at least. */
async function allWait({ n8n, state }, atLeastMs) {
	const isWaiting = ({ status, waitTill }) =>
		status === 'waiting' && new Date(waitTill) - Date.now() >= atLeastMs;
	await until(
		'the long jobs to wait in the database',
		async () => {
			const executions = await Promise.all(state.longRuns.map(({ id }) => n8n.execution(id)));
			return executions.every(isWaiting) || undefined;
		},
		{ seconds: 90 },
	);
}

function pageUrl({ origin }, page, query) {
	return `${origin}/pages/${page}.html?${new URLSearchParams(query)}`;
}

/** The jobs that were started for a page. */
function jobsOf({ ledger }, url) {
	return ledger.starts.filter(({ query }) => query.url === url).map(({ jobId }) => jobId);
}

function product(index) {
	return { name: `Product ${index}`, price: `€ ${index}.90` };
}

/** The pages of the examples, and one for each webhook execution. */
async function writePages(project, folder) {
	await cp(join(project, 'examples', 'inputs', 'pages'), folder, { recursive: true });
	for (let index = 0; index < webhookRuns; index += 1) {
		const { name, price } = product(index);
		const html = `<h1>${name}</h1><p class="price">${price}</p>`;
		await writeFile(join(folder, `product-${index}.html`), html);
	}
}

/** Does the work for each input, some at a time. @returns the outputs, in the order of the inputs */
async function inParallel(inputs, atATime, work) {
	const outputs = [];
	const waiting = inputs.entries();
	async function takeTurns() {
		for (const [index, input] of waiting) outputs[index] = await work(input);
	}
	await Promise.all(Array.from({ length: atATime }, takeTurns));
	return outputs;
}
