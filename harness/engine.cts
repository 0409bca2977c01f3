import type {
	IBinaryData,
	ICredentialDataDecryptedObject,
	ICredentialTestFunction,
	ICredentialType,
	INodeCredentialTestResult,
	INodeType,
} from 'n8n-workflow';
import { additionalData } from './additionalData.cts';
import { type BinaryMode, BinaryStore } from './binary.cts';
import { type HarnessCredential, HarnessCredentials } from './credentials.cts';
import { execute, type RunOptions } from './execution.cts';
import { captureLogs } from './logs.cts';
import { acquireCore, type N8nCore, releaseCore } from './n8nCore.cts';
import { HarnessNodeTypes, loadPackage } from './nodeTypes.cts';
import type { Outcome } from './outcome.cts';
import { normalize, type NormalizedWorkflow, type WorkflowJson } from './workflowJson.cts';

export type { BinaryMode } from './binary.cts';
export type { RunOptions } from './execution.cts';
export type { Outcome, OutcomeError, OutcomeStatus } from './outcome.cts';
export type { NodeJson, WorkflowJson } from './workflowJson.cts';

/** What an engine knows. */
export interface EngineOptions {
	/** Node types by full name, besides the built package's or instead of them. */
	nodeTypes?: Record<string, INodeType>;
	/** Credentials by type name. A type that is left out is taken from the built package. */
	credentials?: Record<string, { type?: ICredentialType; data: ICredentialDataDecryptedObject }>;
	/** Folder of the package under test, the current one if unset. */
	packageFolder?: string;
	/** `memory` if unset. */
	binaryMode?: BinaryMode;
	/** Runs the nodes under test through their declared routing instead of their `execute()`. */
	withoutExecute?: boolean;
}

/** n8n's own workflow engine in this process. */
export class Engine {
	/** Major version of the engine, 1 or 2, for the few behaviours in which they differ. */
	readonly major: number;

	constructor(
		private readonly n8n: N8nCore,
		private readonly nodeTypes: HarnessNodeTypes,
		private readonly credentials: HarnessCredentials,
		private readonly credentialNames: string[],
		private readonly binaryStore: BinaryStore,
	) {
		this.major = n8n.major;
	}

	/** Runs an exported workflow to its end, however it ends. */
	async run(workflow: WorkflowJson, options: RunOptions = {}): Promise<Outcome> {
		const json = normalize(workflow);
		this.addCredentials(json);
		this.binaryStore.activate();
		return await execute(this.n8n, this.nodeTypes, this.credentials, json, options);
	}

	/** Stores a file in the current binary mode, for use in input items. */
	async binary(fileName: string, mimeType: string, content: Buffer): Promise<IBinaryData> {
		return await this.binaryStore.store(fileName, mimeType, content);
	}

	/** Stores a file of the disk, however large, without reading it; see {@link BinaryStore.storeFile}. */
	async binaryFromDisk(path: string, mimeType: string): Promise<IBinaryData> {
		return await this.binaryStore.storeFile(path, mimeType);
	}

	async readBinary(binaryData: IBinaryData): Promise<Buffer> {
		return await this.binaryStore.read(binaryData);
	}

	/** The "Test" button of a credential whose type names a test function of the node. */
	async testCredential(
		typeName: string,
		data: ICredentialDataDecryptedObject,
	): Promise<INodeCredentialTestResult> {
		const test = this.findCredentialTest(typeName);
		if (test === undefined) {
			return { status: 'Error', message: 'No testing function found for this credential.' };
		}
		const context = new this.n8n.core.CredentialTestContext(additionalData(this.credentials));
		return await test.call(context, {
			id: 'harness',
			name: typeName,
			type: typeName,
			data: this.credentials.withDefaults(typeName, data),
		});
	}

	/** Removes everything that the engine left on disk. */
	close(): void {
		this.binaryStore.close();
		releaseCore();
	}

	/** Example workflows carry no credentials: every node under test gets the configured ones. */
	private addCredentials({ nodes }: NormalizedWorkflow): void {
		for (const node of nodes) {
			if (node.credentials !== undefined || !this.nodeTypes.isTested(node.type)) continue;
			const { description } = this.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
			for (const { name } of description.credentials ?? []) {
				if (!this.credentialNames.includes(name)) continue;
				(node.credentials ??= {})[name] = { id: `harness-${name}`, name };
			}
		}
	}

	private findCredentialTest(typeName: string): ICredentialTestFunction | undefined {
		for (const { description, methods } of this.nodeTypes.testedVersions()) {
			for (const { name, testedBy } of description.credentials ?? []) {
				if (name !== typeName || typeof testedBy !== 'string') continue;
				const test = methods?.credentialTest?.[testedBy];
				if (test !== undefined) return test;
			}
		}
		return undefined;
	}
}

/** Prepares n8n's engine with the built package and what the options add. */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
	const n8n = acquireCore();
	try {
		captureLogs(n8n);
		const loaded = await loadPackage(n8n, options.packageFolder ?? process.cwd());
		const nodeTypes = new HarnessNodeTypes(
			n8n,
			{ ...loaded.nodes, ...options.nodeTypes },
			options.withoutExecute ?? false,
		);
		const credentials: Record<string, HarnessCredential> = {};
		for (const [name, { type = loaded.credentials[name], data }] of Object.entries(
			options.credentials ?? {},
		)) {
			if (type === undefined) throw new Error(`The built package has no credential "${name}"`);
			credentials[name] = { type, data };
		}
		return new Engine(
			n8n,
			nodeTypes,
			new HarnessCredentials(credentials),
			Object.keys(credentials),
			await BinaryStore.create(n8n, options.binaryMode ?? 'memory'),
		);
	} catch (error) {
		releaseCore();
		throw error;
	}
}
