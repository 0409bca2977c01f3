import assert from 'node:assert/strict';
import { freePort } from '../lib/processes.mjs';

const type = 'dataExtractionAgentApi';

/** The credential, tested as the editor's dialog does it. */
export const credentialChecks = {
	async 'credential: create'({ n8n, simulator, state }) {
		const data = { baseUrl: simulator.origin, accessToken: simulator.token };
		state.credential = await n8n.rest('POST', '/credentials', { name: 'Simulator', type, data });
	},

	async 'credential: good token'(context) {
		assert.deepEqual(await test(context, {}), {
			status: 'OK',
			message: 'The service accepts the access token',
		});
	},

	async 'credential: bad token'(context) {
		const { status, message } = await test(context, { accessToken: 'not-the-token' });
		assert.equal(status, 'Error');
		assert.match(message, /^The service refused the access token \(401\): /);
		assert.doesNotMatch(message, /not-the-token/);
	},

	async 'credential: unreachable'(context) {
		const baseUrl = `http://127.0.0.1:${await freePort()}`;
		const { status, message } = await test(context, { baseUrl });
		assert.equal(status, 'Error');
		assert.ok(message.startsWith(`Nothing answers at ${baseUrl} (ECONNREFUSED). `), message);
	},

	async 'credential: not the service'(context) {
		const baseUrl = `${context.n8n.origin}/`;
		const { status, message } = await test(context, { baseUrl });
		assert.equal(status, 'Error');
		assert.match(message, /Check the Base URL/);
	},
};

async function test({ n8n, simulator, state }, changes) {
	const { id, name } = state.credential;
	const data = { baseUrl: simulator.origin, accessToken: simulator.token, ...changes };
	const result = await n8n.rest('POST', '/credentials/test', {
		credentials: { id, name, type, data },
	});
	state.notes.push(`${JSON.stringify(changes)}: ${result.status}, ${result.message}`);
	return result;
}
