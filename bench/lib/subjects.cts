import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { EngineOptions, NodeJson } from '../../harness/engine.cts';
import { demoResultIds, demoRunId } from '../../simulator/demo-data.cts';
import { engineMajor } from './results.cts';

type NodeType = NonNullable<EngineOptions['nodeTypes']>[string];

export const CREDENTIAL = 'dataExtractionAgentApi';

const HTTP_REQUEST_VERSION = 4.2;
const LOOP_VERSION = 3;

/** n8n's own HTTP Request node. */
export function loadHttpRequest(): NodeType {
	return loadOwnNode('HttpRequest', HTTP_REQUEST_VERSION);
}

/** n8n's own node Loop Over Items. */
export function loadLoop(): NodeType {
	return loadOwnNode('SplitInBatches', LOOP_VERSION);
}

/** A node of the n8n release that the engine belongs to. */
function loadOwnNode(name: string, version: number): NodeType {
	const cache = resolve('e2e/.n8n');
	const release = readdirSync(cache).find((folder) =>
		folder.startsWith(`n8n-${String(engineMajor())}.`),
	);
	if (release === undefined) throw new Error('No such n8n release is installed');
	const loaded = createRequire(resolve(cache, release, 'package.json'))(
		`n8n-nodes-base/dist/nodes/${name}/${name}.node.js`,
	) as Record<string, new () => { getNodeType(version: number): NodeType }>;
	return new loaded[name]().getNodeType(version);
}

/** The engine's credentials. All domains, because the harness resolves no expression in a credential. */
export function credentials(baseUrl: string, accessToken: string): EngineOptions['credentials'] {
	const data = { baseUrl, accessToken, allowedHttpRequestDomains: 'all' };
	return { [CREDENTIAL]: { data } };
}

export function ourNode(parameters: object): NodeJson {
	const type = 'n8n-nodes-data-extraction-agent.dataExtractionAgent';
	return { name: 'Subject', type, typeVersion: 1, parameters };
}

export function httpRequestNode(parameters: object): NodeJson {
	return {
		name: 'Subject',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: HTTP_REQUEST_VERSION,
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL,
			...parameters,
		},
		credentials: { [CREDENTIAL]: { id: 'bench', name: 'Bench' } },
	};
}

export function loopNode(batchSize: number): NodeJson {
	return {
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: LOOP_VERSION,
		parameters: { batchSize, options: {} },
	};
}

/** Starts a job for each item, waits for it, and reads its result. */
export function startJobs(maxConcurrentJobs: number | undefined, waitOptions: object = {}): object {
	return {
		resource: 'document',
		operation: 'start',
		documentInput: 'none',
		waitOptions,
		...(maxConcurrentJobs !== undefined && { batching: { maxConcurrentJobs } }),
	};
}

/** Reads the result that each item names. */
export const readRow = {
	resource: 'runResult',
	operation: 'get',
	runId: demoRunId,
	resultId: '={{ $json.resultId }}',
};

/** What {@link readRow} reads, as a path. */
export const readRowPath = `/api/v2/results/${demoRunId}/{{ $json.resultId }}`;

/** An item that names a result. */
export const rowItem = { resultId: demoResultIds[0] };
