import { createHash } from 'node:crypto';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { LedgerFile } from './ledger.cts';
import { HttpProblem } from './problem.cts';

/** Enough for the agent to read; the rest of a large upload is hashed and dropped. */
const keptBytes = 2 * 1024 * 1024;

/** One received multipart body. */
export interface Upload {
	parts: number;
	/** The last file part. */
	file?: LedgerFile;
	/** Its beginning. */
	content: Buffer;
}

/** Reads a multipart body without ever holding a large file in memory. */
export async function receiveUpload(
	request: FastifyRequest,
	maxUploadBytes: number,
): Promise<Upload> {
	// The announced length is enough to refuse early, before a single byte of the body is read.
	if (Number(request.headers['content-length'] ?? 0) > maxUploadBytes) throw tooLarge();
	const upload: Upload = { parts: 0, content: Buffer.alloc(0) };
	for await (const part of request.parts()) {
		upload.parts += 1;
		if (part.type !== 'file') continue;
		const received = await receiveFile(part, maxUploadBytes);
		upload.file = received.file;
		upload.content = received.content;
	}
	return upload;
}

/** Returns the upload's only part, a file named `file`, or refuses the request. */
export function checkUpload({ parts, file }: Upload): LedgerFile {
	if (parts !== 1) throw new HttpProblem(400, 'Exactly one part is expected, named file');
	if (file === undefined || file.fileName === '') {
		throw new HttpProblem(400, 'The part must be a file with a file name');
	}
	if (file.fieldName !== 'file') throw new HttpProblem(400, 'The part must be named file');
	if (file.size === 0) throw new HttpProblem(400, 'The file is empty');
	return file;
}

async function receiveFile(
	part: MultipartFile,
	maxUploadBytes: number,
): Promise<{ file: LedgerFile; content: Buffer }> {
	const hash = createHash('sha256');
	const kept: Buffer[] = [];
	let size = 0;
	// Without a listener a client that gives up in the middle would end the whole process.
	part.file.on('error', () => undefined);
	for await (const chunk of part.file as AsyncIterable<Buffer>) {
		if (size < keptBytes) kept.push(chunk.subarray(0, keptBytes - size));
		size += chunk.length;
		if (size > maxUploadBytes) throw tooLarge();
		hash.update(chunk);
	}
	return {
		file: {
			fieldName: part.fieldname,
			fileName: part.filename ?? '',
			mimeType: part.mimetype,
			size,
			sha256: hash.digest('hex'),
		},
		content: Buffer.concat(kept),
	};
}

function tooLarge(): HttpProblem {
	return new HttpProblem(413, 'The file is too large');
}
