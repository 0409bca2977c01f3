import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

interface ReadOptions {
	dataPropertyName?: string;
	fileName?: string;
	fileExtension?: string;
	mimeType?: string;
}

/** n8n's "Read/Write Files from Disk" when it reads; of patterns it only knows `*` in the file name. */
export async function readFiles(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	for (const item of this.getInputData().keys()) {
		if (this.getNodeParameter('operation', item) !== 'read') {
			throw new NodeOperationError(this.getNode(), 'The stand-in of Read/Write Files only reads');
		}
		const selector = this.getNodeParameter('fileSelector', item) as string;
		const options = this.getNodeParameter('options', item, {}) as ReadOptions;
		const { dataPropertyName, ...overrides } = options;
		const files = select(selector);
		if (files.length === 0) {
			throw new NodeOperationError(this.getNode(), 'No file(s) found', {
				itemIndex: item,
				description: `No file matching the selector "${selector}" found`,
			});
		}
		for (const file of files) {
			const stored = await this.helpers.prepareBinaryData(createReadStream(file), file);
			const binary = { ...stored, ...overrides };
			const { mimeType, fileType, fileName, fileExtension, fileSize } = binary;
			output.push({
				json: { mimeType, fileType, fileName, fileExtension, fileSize },
				binary: { [dataPropertyName || 'data']: binary },
				pairedItem: { item },
			});
		}
	}
	return [output];
}

function select(selector: string): string[] {
	if (!selector.includes('*')) return existsSync(selector) ? [selector] : [];
	const parts = basename(selector).split('*').map(escapePattern);
	const pattern = new RegExp(`^${parts.join('.*')}$`);
	const folder = dirname(selector);
	if (!existsSync(folder)) return [];
	return readdirSync(folder)
		.filter((name) => pattern.test(name))
		.sort()
		.map((name) => join(folder, name));
}

function escapePattern(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
