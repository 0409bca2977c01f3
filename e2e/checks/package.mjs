import assert from 'node:assert/strict';
import { until } from '../lib/processes.mjs';

/** n8n's own installation of a community package, and what it makes of it. */
export const packageChecks = {
	async 'install as community package'({ n8n, name, version, state }) {
		const installed = await n8n.rest('POST', '/community-packages', { name, version });
		assert.equal(installed.packageName, name);
		assert.equal(installed.installedVersion, version);
		state.agentType = `${name}.dataExtractionAgent`;
		assert.deepEqual(
			installed.installedNodes.map(({ type }) => type),
			[state.agentType],
		);
	},

	async 'node and credential are listed'({ n8n, state: { agentType } }) {
		const node = await listed(n8n, 'nodes', agentType);
		assert.equal(node.displayName, 'Data Extraction Agent');
		assert.equal(node.usableAsTool, true);
		const credential = await listed(n8n, 'credentials', 'dataExtractionAgentApi');
		assert.deepEqual(credential.supportedNodes, [agentType]);
		// n8n 2 adds fields of its own.
		assert.deepEqual(
			credential.properties.slice(0, 2).map((property) => property.name),
			['baseUrl', 'accessToken'],
		);
		for (const icons of [node.iconUrl, credential.iconUrl]) {
			for (const path of Object.values(icons)) {
				const response = await n8n.asset(path);
				assert.equal(response.status, 200);
				assert.match(response.headers.get('content-type'), /svg/);
			}
		}
	},

	async 'output schemas are served'({ n8n, state: { agentType } }) {
		const path = `schemas/${agentType}/1.0.0/urlExtract/start.json`;
		const response = await n8n.asset(path);
		assert.equal(response.status, 200, path);
		const { properties } = await response.json();
		assert.deepEqual(Object.keys(properties).slice(0, 3), ['id', 'done', 'data']);
	},
};

/** One entry of the lists that the editor loads; n8n writes them some time after an installation. */
function listed(n8n, kind, name) {
	return until(`${name} in the list of ${kind}`, async () => {
		const text = await (await n8n.asset(`types/${kind}.json`)).text();
		try {
			return JSON.parse(text).find((one) => one.name === name);
		} catch {
			return undefined; // In the middle of being written.
		}
	});
}
