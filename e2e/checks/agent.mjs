import assert from 'node:assert/strict';
import { startThenRead, toolAnswers, withScriptedModel } from '../lib/agents.mjs';
import { readExample } from '../lib/examples.mjs';
import { itemsOf } from '../lib/n8n.mjs';
import { runByEditor, store } from '../lib/runs.mjs';
import { openService } from '../lib/service.mjs';
import { withNode, withParameters } from '../lib/workflows.mjs';

const agent = 'AI Agent';
const data = { price: '€ 329.00' };

/** n8n runs the tools in two ways: version 2 of its agent by itself, version 3 through the engine. */
const agentVersions = ({ version }) => (version.startsWith('1.') ? [2.2, 3] : [2.2, 3, 3.1]);

/** The node as a tool of n8n's AI agent. The model is scripted, the way to the tool is n8n's own. */
export const agentChecks = {
	'AI agent: starts a job, then reads its result': inEachVersion(async (converse) => {
		const { answers, tools, jobs, text } = await converse({ turns: startThenRead });
		assert.deepEqual(
			tools.map(({ name, parameters }) => [name, Object.keys(parameters.properties)]).sort(),
			[
				['Get_Result', ['id']],
				['Start_Extraction', ['url', 'fields']],
			],
		);
		assert.equal(jobs.length, 1);
		const [[started], [result]] = answers;
		assert.deepEqual(started, {
			id: jobs[0],
			message: 'The work has started',
			success: true,
			done: false,
		});
		assert.deepEqual(partOf(result), { id: jobs[0], done: true, data });
		assert.equal(text, 'It costs € 329.00.');
	}),

	'AI agent: waits for the result in the tool': inEachVersion(async (converse) => {
		const { answers, jobs, text } = await converse({
			change: waiting,
			turns: (page) => [start(page), (messages) => `It is ${priceIn(messages)}.`],
		});
		assert.equal(jobs.length, 1);
		assert.equal(answers.length, 1);
		assert.deepEqual(answers[0].map(partOf), [{ id: jobs[0], done: true, data }]);
		assert.equal(text, 'It is € 329.00.');
	}),

	'AI agent: a mistake of the model reaches it': inEachVersion(async (converse) => {
		const { answers, jobs, text } = await converse({
			change: waiting,
			turns: (page) => [
				start('example.com/page'),
				start(page),
				(messages) => `It is ${priceIn(messages)}.`,
			],
		});
		assert.deepEqual(answers[0], [
			{
				error: {
					message: `'URL' (url) is not an absolute http(s) address: "example.com/page" [item 0]`,
					description:
						'Enter the whole address of the page, for example https://example.com/products/42.',
					resource: 'urlExtract',
					operation: 'start',
				},
			},
		]);
		assert.equal(jobs.length, 1);
		assert.equal(text, 'It is € 329.00.');
	}),

	'AI agent: a failed job reaches the model': inEachVersion(async (converse) => {
		const { answers, jobs, text } = await converse({
			change: waiting,
			turns: (page) => [
				start(new URL('no-such-page.html', page).href),
				(messages) => toolAnswers(messages)[0][0].error.message,
			],
		});
		assert.equal(jobs.length, 1);
		assert.equal(answers[0][0].error.id, jobs[0]);
		assert.equal(text, 'The job failed: The page answered with status 404');
	}),
};

const waiting = (workflow) =>
	withParameters(workflow, 'Start Extraction', { waitForCompletion: true });

const partOf = ({ id, done, data }) => ({ id, done, data });

const start = (url) => () => {
	return { tool: 'Start_Extraction', input: { url, fields: { price: 'With currency' } } };
};

const priceIn = (messages) => toolAnswers(messages).at(-1)[0].data.price;

function inEachVersion(check) {
	return async (context) => {
		const checkVersion = async (version) => {
			try {
				await check((conversation) => converse(context, version, conversation));
			} catch (error) {
				error.message = `Version ${version} of the agent: ${error.message}`;
				throw error;
			}
		};
		await Promise.all(agentVersions(context.release).map(checkVersion));
	};
}

/** Runs the example with an agent of this version and a model that says what `turns` has. */
async function converse(context, typeVersion, { change = (workflow) => workflow, turns }) {
	const { simulator, credential } = await openService(context);
	const page = `${simulator.origin}/pages/coffee-grinder.html`;
	const read = await readExample({ ...context, simulator, credential }, 'ai-agent-that-extracts');
	const { workflow, model } = await withScriptedModel(
		context,
		change(withNode(read, agent, (node) => ({ ...node, typeVersion }))),
		turns(page),
	);
	const execution = await runByEditor(context, await store(context.n8n, workflow));
	assert.equal(execution.status, 'success', execution.data.resultData.error?.message);
	assert.ok(!JSON.stringify(model.requests).includes(simulator.token), 'The model saw the token');
	const { messages, tools } = model.requests.at(-1);
	const [{ json }] = itemsOf(execution, agent);
	return {
		/** What each call of a tool gave, as the model saw it. */
		answers: toolAnswers(messages),
		/** The tools that the model was offered. */
		tools: tools.map((tool) => tool.function),
		jobs: simulator.ledger.starts.map(({ jobId }) => jobId),
		text: json.output,
	};
}
