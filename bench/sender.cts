import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { createEngine, type EngineOptions, type NodeJson } from '../harness/engine.cts';

/** Who uploads: our node, or n8n's HTTP Request node. */
export type Sender = 'ours' | 'httpRequest';

/** What a sender process is asked for, as its only argument in JSON. */
export interface SenderTask {
	sender: Sender;
	origin: string;
	path: string;
}

/** One upload in a process of its own. */
export interface Measurement {
	/** Highest resident memory during the run, over that right before it. */
	growthBytes: number;
	durationMs: number;
}

type NodeType = NonNullable<EngineOptions['nodeTypes']>[string];

const HTTP_REQUEST_VERSION = 4.2;
const FILE_TYPE = 'application/octet-stream';
/** Size of the upload before the one that is measured. */
const SMALL_BYTES = 1000;
const CREDENTIAL = 'dataExtractionAgentApi';

async function main({ sender, origin, path }: SenderTask): Promise<Measurement> {
	const engine = await createEngine({
		binaryMode: 'filesystem',
		credentials: { [CREDENTIAL]: { data: { baseUrl: origin, accessToken: 'bench' } } },
		nodeTypes: sender === 'ours' ? {} : { 'n8n-nodes-base.httpRequest': loadHttpRequest() },
	});
	try {
		const node = sender === 'ours' ? ourNode() : httpRequestNode(origin);
		const workflow = {
			nodes: [{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 }, node],
			connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		};
		const run = async (data: Awaited<ReturnType<typeof engine.binary>>) => {
			const { error } = await engine.run(workflow, {
				inputItems: [{ json: {}, binary: { data } }],
			});
			if (error) throw new Error(error.message);
		};

		// An n8n that has been running for a while has loaded everything and evaluated an expression.
		await run(await engine.binary('small.bin', FILE_TYPE, Buffer.alloc(SMALL_BYTES)));
		const data = await engine.binaryFromDisk(path, FILE_TYPE);
		const baselineBytes = restartPeak();
		const startedMs = performance.now();
		await run(data);
		const durationMs = Math.round(performance.now() - startedMs);
		return { growthBytes: memory('VmHWM') - baselineBytes, durationMs };
	} finally {
		engine.close();
	}
}

function ourNode(): NodeJson {
	return {
		name: 'Upload',
		type: 'n8n-nodes-data-extraction-agent.dataExtractionAgent',
		typeVersion: 1,
		parameters: { resource: 'document', operation: 'start', waitForCompletion: false },
	};
}

function httpRequestNode(origin: string): NodeJson {
	return {
		name: 'Upload',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: HTTP_REQUEST_VERSION,
		parameters: {
			method: 'POST',
			url: `${origin}/api/v2/document/start`,
			sendBody: true,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL,
			contentType: 'multipart-form-data',
			bodyParameters: {
				parameters: [{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' }],
			},
			options: {},
		},
		credentials: { [CREDENTIAL]: { id: 'bench', name: 'Bench' } },
	};
}

/** The node of the release that the engine belongs to. */
function loadHttpRequest(): NodeType {
	const release = process.env.N8N_ENGINE === '1' ? 1 : 2;
	const requireFromBench = createRequire(resolve('bench/package.json'));
	const { HttpRequest } = requireFromBench(
		`n8n-nodes-base-${release}/dist/nodes/HttpRequest/HttpRequest.node.js`,
	) as { HttpRequest: new () => { getNodeType(version: number): NodeType } };
	return new HttpRequest().getNodeType(HTTP_REQUEST_VERSION);
}

/** Makes the kernel forget the highest resident memory so far. */
function restartPeak(): number {
	writeFileSync('/proc/self/clear_refs', '5');
	return memory('VmRSS');
}

function memory(field: 'VmRSS' | 'VmHWM'): number {
	const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(
		readFileSync('/proc/self/status', 'utf8'),
	);
	if (line === null) throw new Error(`Linux does not tell ${field}`);
	return Number(line[1]) * 1024;
}

void main(JSON.parse(process.argv[2]) as SenderTask).then((measurement) => {
	process.send?.(measurement, undefined, undefined, () => process.exit());
});
