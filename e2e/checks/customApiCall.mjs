import assert from 'node:assert/strict';
import { itemsOf } from '../lib/n8n.mjs';
import { runByEditor, store } from '../lib/runs.mjs';
import { openService } from '../lib/service.mjs';
import { withOneNode } from '../lib/workflows.mjs';

const node = 'Call';
const customApiCall = '__CUSTOM_API_CALL__';
const latest = '/api/v2/workflow/7b0f6f43-6a7e-4a43-9a8c-0a5b7c1d2e3f/latest.json';

/** What the editor saves when it is chosen; the first resource is the default, and is left out. */
const choices = [
	{ operation: customApiCall },
	...['document', 'dataset', 'runResult', 'workflow'].map((resource) => ({
		resource,
		operation: customApiCall,
	})),
	{ resource: customApiCall },
];

/** "Custom API Call", which n8n adds to the lists, and the HTTP Request node that it points to. */
export const customApiCallChecks = {
	async 'Custom API Call: says what to do instead'(context) {
		const { simulator, credential } = await openService(context);
		await Promise.all(
			choices.map(async (parameters) => {
				const { status, data } = await run(context, {
					type: context.state.agentType,
					parameters,
					credentials: credentialsOf(credential),
				});
				const { message, description } = data.resultData.error;
				assert.equal(status, 'error');
				assert.match(
					message,
					/^'(Operation|Resource)' \(\w+\) is set to Custom API Call, which this node cannot run \[item 0\]$/,
				);
				assert.match(description, /HTTP Request node.*Predefined Credential Type/);
			}),
		);
		assert.deepEqual(simulator.ledger.entries, []);
	},

	async 'Custom API Call: HTTP Request with the credential'(context) {
		const { simulator, credential } = await openService(context);
		const execution = await request(context, credential, `${simulator.origin}${latest}`);
		assert.equal(execution.status, 'success', execution.data.resultData.error?.message);
		const [{ json }, ...others] = itemsOf(execution, node);
		assert.equal(others.length, 0);
		assert.equal(json.result.json.products[1].price, '€ 329.00');
		const authorizations = simulator.ledger.entries.map(({ headers }) => headers.authorization);
		assert.deepEqual(authorizations, [`Bearer ${simulator.token}`]);
	},

	async 'Custom API Call: HTTP Request to another host'(context) {
		const { simulator, credential } = await openService(context);
		const elsewhere = simulator.origin.replace('127.0.0.1', 'localhost');
		const execution = await request(context, credential, `${elsewhere}${latest}`);
		// n8n 1.123 looks at the allowed domains of a credential only when it is redirected.
		const isRefused = !context.release.version.startsWith('1.');
		assert.equal(execution.status, isRefused ? 'error' : 'success');
		assert.equal(simulator.ledger.entries.length, isRefused ? 0 : 1);
	},
};

function request(context, credential, url) {
	return run(context, {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'dataExtractionAgentApi',
			options: {},
		},
		credentials: credentialsOf(credential),
	});
}

function credentialsOf({ id, name }) {
	return { dataExtractionAgentApi: { id, name } };
}

async function run(context, settings) {
	return await runByEditor(context, await store(context.n8n, withOneNode(node, settings)));
}
