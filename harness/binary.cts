import { linkSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import type { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';
import { fileTypeFromMimeType } from 'n8n-workflow';
import type { N8nCore } from './n8nCore.cts';

/** n8n's `default` (in the item itself) and `filesystem-v2` (beside it) binary-data modes. */
export type BinaryMode = 'memory' | 'filesystem';

/** One binary-data service of n8n, with a storage folder of its own. */
export class BinaryStore {
	private constructor(
		private readonly n8n: N8nCore,
		private readonly service: BinaryDataService,
		private readonly folder: string,
	) {}

	static async create(n8n: N8nCore, mode: BinaryMode): Promise<BinaryStore> {
		const { core, di } = n8n;
		const folder = mkdtempSync(join(tmpdir(), 'n8n-harness-binary-'));
		// Made by hand because n8n's own configuration is one for the whole process.
		const config = Object.assign(
			Object.create(core.BinaryDataConfig.prototype) as BinaryDataConfig,
			{
				mode: mode === 'memory' ? 'default' : 'filesystem',
				availableModes: ['filesystem'],
				localStoragePath: folder,
				signingSecret: 'harness',
				dbMaxFileSize: 512,
			} as const,
		);
		const service = new core.BinaryDataService(
			config as unknown as BinaryDataConfig,
			di.Container.get(core.ErrorReporter),
			di.Container.get(n8n.common.Logger),
		);
		await service.init();
		return new BinaryStore(n8n, service, folder);
	}

	/**
	 * Makes this the service that nodes see. It is process-wide in n8n, so engines of different modes
	 * must not run at the same time.
	 */
	activate(): void {
		this.n8n.di.Container.set(this.n8n.core.BinaryDataService, this.service);
	}

	async store(fileName: string, mimeType: string, content: Buffer): Promise<IBinaryData> {
		const fileExtension = extname(fileName).slice(1);
		return await this.service.store(
			{ type: 'execution', workflowId: 'harness', executionId: 'input' },
			content,
			{
				data: '',
				mimeType,
				fileType: fileTypeFromMimeType(mimeType),
				fileName,
				...(fileExtension !== '' && { fileExtension }),
			},
		);
	}

	/**
	 * Makes a file of the disk a stored one without reading it: a hard link, so what is done to the file
	 * is done to the stored one. In `filesystem` mode only, and from the disk of the temporary folder.
	 */
	async storeFile(path: string, mimeType: string): Promise<IBinaryData> {
		const fileName = basename(path);
		const stored = await this.store(fileName, mimeType, Buffer.alloc(0));
		if (stored.id === undefined) throw new Error('Only filesystem mode stores files of the disk');
		const target = this.service.getPath(stored.id);
		const fileSize = statSync(path).size;
		rmSync(target);
		linkSync(path, target);
		writeFileSync(`${target}.metadata`, JSON.stringify({ fileName, mimeType, fileSize }));
		return { ...stored, fileSize: `${String(fileSize)} B`, bytes: fileSize };
	}

	async read(binaryData: IBinaryData): Promise<Buffer> {
		return await this.service.getAsBuffer(binaryData);
	}

	close(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}
}
