import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type {
	ICredentialType,
	IDataObject,
	INodeType,
	INodeTypes,
	IVersionedNodeType,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { baseNodes } from './baseNodes.cts';
import type { N8nCore } from './n8nCore.cts';

type AnyNodeType = INodeType | IVersionedNodeType;

/** What the built package brings, under the names that n8n gives it. */
export interface LoadedPackage {
	nodes: Record<string, AnyNodeType>;
	credentials: Record<string, ICredentialType>;
}

interface Manifest {
	name: string;
	n8n: { nodes: string[]; credentials: string[] };
}

/** Loads a built package with n8n's own loader; nothing if it has not been built yet. */
export async function loadPackage({ core }: N8nCore, folder: string): Promise<LoadedPackage> {
	const loaded: LoadedPackage = { nodes: {}, credentials: {} };
	const manifest = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')) as Manifest;
	const files = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	if (!files.every((file) => existsSync(resolve(folder, file)))) return loaded;

	const loader = new core.PackageDirectoryLoader(folder);
	await loader.loadAll();
	for (const [name, { type }] of Object.entries(loader.nodeTypes)) {
		// Installed from a registry, and dropped into a folder of custom extensions.
		loaded.nodes[`${manifest.name}.${name}`] = type;
		loaded.nodes[`CUSTOM.${name}`] = type;
		// What n8n makes of it for AI agents; it runs the same code.
		if (isTool(type)) loaded.nodes[`${manifest.name}.${name}Tool`] = type;
	}
	for (const [name, { type }] of Object.entries(loader.credentialTypes)) {
		loaded.credentials[name] = type;
	}
	return loaded;
}

function isTool(type: AnyNodeType): boolean {
	return NodeHelpers.getVersionedNodeType(type).description.usableAsTool !== undefined;
}

/** The node types of one engine: the stand-ins of n8n's own, and the ones under test. */
export class HarnessNodeTypes implements INodeTypes {
	private readonly declared = new Map<INodeType, INodeType>();

	constructor(
		private readonly n8n: N8nCore,
		private readonly tested: Record<string, AnyNodeType>,
		private readonly withoutExecute: boolean,
	) {}

	getByName(name: string): AnyNodeType {
		if (Object.hasOwn(this.tested, name)) return this.tested[name];
		if (Object.hasOwn(baseNodes, name)) return baseNodes[name];
		throw new Error(`Node type "${name}" is not registered in the harness`);
	}

	getByNameAndVersion(name: string, version?: number): INodeType {
		const nodeType = NodeHelpers.getVersionedNodeType(this.getByName(name), version);
		return this.withoutExecute && this.isTested(name) ? this.withoutCode(nodeType) : nodeType;
	}

	getKnownTypes(): IDataObject {
		return {};
	}

	/** Whether the type is under test, that is not a stand-in of n8n's own. */
	isTested(name: string): boolean {
		return Object.hasOwn(this.tested, name);
	}

	/** Every version of every type under test. */
	testedVersions(): INodeType[] {
		return Object.values(this.tested).flatMap((type) =>
			'nodeVersions' in type ? Object.values(type.nodeVersions) : [type],
		);
	}

	/** A copy whose declared routing the engine has to follow; the type itself if it declares none. */
	private withoutCode(nodeType: INodeType): INodeType {
		const { description } = nodeType;
		if (nodeType.execute === undefined || !declaresRouting(nodeType)) return nodeType;
		let copy = this.declared.get(nodeType);
		if (copy === undefined) {
			copy = { description: { ...description, properties: [...description.properties] } };
			// n8n's loader gives declarative nodes the "Request Options" parameter.
			this.n8n.core.DirectoryLoader.applyDeclarativeNodeOptionParameters(copy);
			this.declared.set(nodeType, copy);
		}
		return copy;
	}
}

function declaresRouting({ description }: INodeType): boolean {
	return (
		description.requestDefaults !== undefined || JSON.stringify(description).includes('"routing":')
	);
}
