import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * A chat model that says what a test wants, in the wire format of OpenAI's chat completions.
 *
 * @param turns what it says, turn by turn: a function of the conversation so far that returns either
 * `{ tool, input }` or a text
 */
export async function startChatModel(turns) {
	const requests = [];
	const server = createServer(async (request, response) => {
		const answer = (status, body) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(body));
		};
		if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
			return answer(404, { error: { message: `There is no ${request.method} ${request.url}` } });
		}
		const body = await json(request);
		requests.push({ ...body, headers: request.headers });
		try {
			answer(200, completion(body, say(turns, body)));
		} catch (error) {
			// Not 5xx: that would be tried again.
			answer(400, { error: { message: `The script of the model failed: ${error.message}` } });
		}
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${server.address().port}/v1`,
		/** Everything that was sent to the model. */
		requests,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

function say(turns, { messages, stream }) {
	if (stream) throw new Error('It does not stream');
	const turn = turns[messages.filter(({ role }) => role === 'assistant').length];
	if (turn === undefined) throw new Error('It has nothing more to say');
	return turn(messages);
}

function completion({ model }, said) {
	const call = typeof said === 'string' ? undefined : said;
	return {
		id: `chatcmpl-${randomUUID()}`,
		object: 'chat.completion',
		created: Math.floor(Date.now() / 1000),
		model,
		choices: [
			{
				index: 0,
				finish_reason: call ? 'tool_calls' : 'stop',
				message: {
					role: 'assistant',
					content: call ? null : said,
					...(call && {
						tool_calls: [
							{
								id: `call_${randomUUID()}`,
								type: 'function',
								function: { name: call.tool, arguments: JSON.stringify(call.input) },
							},
						],
					}),
				},
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
