import { startChatModel } from './chatModel.mjs';
import { withNode } from './workflows.mjs';

/** An AI agent's workflow with a chat model that says what the test wants; see `startChatModel`. */
export async function withScriptedModel({ n8n, cleanups }, workflow, turns) {
	const model = await startChatModel(turns);
	cleanups.unshift(() => model.close());
	const { id, name } = await n8n.rest('POST', '/credentials', {
		name: 'Scripted model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: model.url, organizationId: '', header: false },
	});
	const { name: node } = workflow.nodes.find(({ type }) => type.endsWith('.lmChatOpenAi'));
	return {
		model,
		workflow: withNode(workflow, node, (one) => ({
			...one,
			credentials: { openAiApi: { id, name } },
		})),
	};
}

/** What the tools have answered so far, as the model saw it: the items' data. */
export function toolAnswers(messages) {
	return messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.parse(content));
}

/** What a model says that uses both tools of the example. */
export const startThenRead = (page) => [
	() => ({ tool: 'Start_Extraction', input: { url: page, fields: { price: 'With currency' } } }),
	(messages) => ({ tool: 'Get_Result', input: { id: toolAnswers(messages)[0][0].id } }),
	(messages) => `It costs ${toolAnswers(messages)[1][0].data.price}.`,
];
