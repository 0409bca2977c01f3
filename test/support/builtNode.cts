import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { n8n } from '../../package.json';

/** The node as n8n loads it. */
export function builtNode(): INodeType {
	const file = resolve(n8n.nodes[0]);
	const built = createRequire(file)(file) as { DataExtractionAgent: new () => INodeType };
	return new built.DataExtractionAgent();
}
