import { createEngine, type NodeJson } from '../../harness/engine.cts';
import { answerAndExit } from '../lib/children.cts';
import { memory, restartPeak } from '../lib/memory.cts';
import { credentials, httpRequestNode, loadHttpRequest, ourNode } from '../lib/subjects.cts';

/** Who uploads: our node, or n8n's HTTP Request node. */
export type Sender = 'ours' | 'httpRequest';

/** What a sender process is asked for, as its only argument in JSON. */
export interface SenderTask {
	sender: Sender;
	origin: string;
	path: string;
	/** Small uploads before the one that is measured. */
	uploadsBefore: number;
}

/** One upload in a process of its own. */
export interface Measurement {
	/** Highest resident memory during the run, over that right before it. */
	growthBytes: number;
	durationMs: number;
}

const FILE_TYPE = 'application/octet-stream';
/** Size of the uploads before the one that is measured. */
const SMALL_BYTES = 1000;

async function main({ sender, origin, path, uploadsBefore }: SenderTask): Promise<Measurement> {
	const engine = await createEngine({
		binaryMode: 'filesystem',
		credentials: credentials(origin, 'bench-token'),
		nodeTypes: sender === 'ours' ? {} : { 'n8n-nodes-base.httpRequest': loadHttpRequest() },
	});
	try {
		const node = uploadNode(sender, origin);
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

		// An n8n that has been running for a while has loaded and compiled everything.
		for (let before = 0; before < uploadsBefore; before++) {
			await run(await engine.binary('small.bin', FILE_TYPE, Buffer.alloc(SMALL_BYTES)));
		}
		const data = await engine.binaryFromDisk(path, FILE_TYPE);
		const baselineBytes = restartPeak();
		const startedMs = performance.now();
		await run(data);
		const durationMs = performance.now() - startedMs;
		return { growthBytes: memory('VmHWM') - baselineBytes, durationMs };
	} finally {
		engine.close();
	}
}

function uploadNode(sender: Sender, origin: string): NodeJson {
	if (sender === 'ours') {
		return ourNode({ resource: 'document', operation: 'start', waitForCompletion: false });
	}
	return httpRequestNode({
		method: 'POST',
		url: `${origin}/api/v2/document/start`,
		sendBody: true,
		contentType: 'multipart-form-data',
		bodyParameters: {
			parameters: [{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' }],
		},
		options: {},
	});
}

void main(JSON.parse(process.argv[2]) as SenderTask).then(answerAndExit);
