import { join } from 'node:path';

/**
 * A simulated service of its own with a credential for it, so that nobody else's requests are in its
 * ledger.
 *
 * @param options of the simulator
 */
export async function openService({ n8n, project, startSimulator, cleanups }, options = {}) {
	const simulator = await startSimulator({
		token: 'own-token-of-this-service',
		jobDurationMs: 300,
		pagesDirectory: join(project, 'examples', 'inputs', 'pages'),
		...options,
	});
	cleanups.unshift(() => simulator.close());
	const credential = await n8n.rest('POST', '/credentials', {
		name: 'Own simulator',
		type: 'dataExtractionAgentApi',
		data: { baseUrl: simulator.origin, accessToken: simulator.token },
	});
	return { simulator, credential };
}
