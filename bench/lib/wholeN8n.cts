import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { NodeJson } from '../../harness/engine.cts';
import { loadLibrary, packProject } from './e2e.cts';
import type { Service } from './service.cts';
import { CREDENTIAL } from './subjects.cts';

/** A workflow whose trigger puts out the items. */
export interface WholeWorkflow {
	nodes: NodeJson[];
	connections: object;
	items: number;
	/** The node that every item must have come to. */
	last: string;
}

/** A whole n8n with the built package installed as a community package. */
export interface WholeN8n {
	version: string;
	/** Points the credential at another service. */
	use(service: Service): Promise<void>;
	/** @returns how long the execution took, in seconds */
	run(workflow: WholeWorkflow): Promise<number>;
	stop(): Promise<void>;
}

const MAX_SECONDS = 900;

/** Starts the newest release that the end-to-end tests know; the first time, it is installed. */
export async function startWholeN8n(): Promise<WholeN8n> {
	const lib = await loadLibrary();
	const [release] = lib.targets;
	const programs = {
		node: await lib.installNode(release.node),
		script: await lib.installN8n(release),
	};
	const folder = mkdtempSync(join(tmpdir(), 'bench-n8n-'));
	const { name, version, tarball } = await packProject(folder);
	const shim = await lib.createNpmShim(join(folder, 'bin'), { tarball, version });
	const n8n = await lib.startN8n({
		...programs,
		folder,
		cwd: resolve('.'),
		path: [shim],
		env: release.env,
	});
	await n8n.rest('POST', '/community-packages', { name, version });
	let credential = { id: '', name: '' };

	return {
		version: release.version,
		async use({ origin, token }) {
			const data = { baseUrl: origin, accessToken: token, allowedHttpRequestDomains: 'all' };
			credential = await n8n.rest('POST', '/credentials', { name: origin, type: CREDENTIAL, data });
		},
		async run({ nodes, connections, items, last }) {
			const workflow = await n8n.rest('POST', '/workflows', {
				name: 'Bench',
				active: false,
				settings: { executionOrder: 'v1' },
				nodes: nodes.map((node, index) => ({
					id: String(index),
					position: [index * 200, 0],
					parameters: {},
					...node,
					...(usesCredential(node) && {
						credentials: { [CREDENTIAL]: { id: credential.id, name: credential.name } },
					}),
				})),
				connections,
				pinData: { [nodes[0].name]: Array.from({ length: items }, () => ({ json: {} })) },
			});
			const id = await n8n.run(workflow);
			const { status, startedAt, stoppedAt, data } = await n8n.finished(id, MAX_SECONDS);
			const { error, runData } = data.resultData;
			if (status !== 'success') throw new Error(`${status}: ${error?.message ?? 'no reason'}`);
			const arrived = (runData[last] ?? [])
				.map((run) => run.data?.main[0]?.length ?? 0)
				.reduce((sum, count) => sum + count, 0);
			if (arrived !== items) throw new Error(`${String(items)} items, ${String(arrived)} arrived`);
			return (Date.parse(stoppedAt) - Date.parse(startedAt)) / 1000;
		},
		async stop() {
			await n8n.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function usesCredential({ type }: NodeJson): boolean {
	return type.endsWith('.httpRequest') || type.endsWith('.dataExtractionAgent');
}
