import { randomUUID } from 'crypto';
import type { IBinaryData, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { badInput, shown } from '../badInput';
import { Failure } from './failures';
import { safeFileName, safeMimeType } from './fileNames';

/** A file of an input item, described without holding its bytes. */
export interface Upload {
	itemIndex: number;
	/** Name of the binary field. */
	field: string;
	fileName: string;
	mimeType: string;
	sizeBytes: number;
	/** Whether the item sends other files too, so that its jobs have to be told apart. */
	ofSeveral: boolean;
	/** Reference into n8n's binary storage; absent where the bytes are in the item itself. */
	binaryId?: string;
}

const BINARY_FIELD = { displayName: 'Input Binary Field', name: 'binaryPropertyName' };

/** An upload may take this long, and longer by its size. */
const UPLOAD_BASE_MS = 60_000;
const SLOWEST_BYTES_PER_MS = 50;

/** Files of this size at most are faster read in one go than in pieces. */
const READ_WHOLE_BYTES = 2 ** 20;

/** Time for one request that carries the file: 60 s, and one second more for each 50 kB. */
export function uploadTimeoutMs({ sizeBytes }: Upload): number {
	return UPLOAD_BASE_MS + sizeBytes / SLOWEST_BYTES_PER_MS;
}

/**
 * The files that an item sends.
 *
 * @param fields comma-separated names of binary fields, or `*` for all
 * @throws NodeOperationError where a field is missing, unreadable or empty
 */
export async function listUploads(
	context: IExecuteFunctions,
	itemIndex: number,
	fields: string,
): Promise<Upload[]> {
	const binary = context.getInputData()[itemIndex].binary ?? {};
	const present = Object.keys(binary);
	const names =
		fields.trim() === '*'
			? present
			: [...new Set(fields.split(',').map((name) => name.trim()))].filter((name) => name !== '');
	const refuse = (problem: string, advice: string) =>
		badInput(context.getNode(), itemIndex, BINARY_FIELD, problem, advice);

	if (names.length === 0 && fields.trim() !== '*') {
		throw refuse('is empty', `Enter the name of a binary field. ${inventory(present)}`);
	}
	if (names.length === 0) {
		throw refuse('is *, and this item has no binary data', NO_BINARY);
	}
	const uploads: Upload[] = [];
	for (const name of names) {
		if (!Object.hasOwn(binary, name)) {
			throw refuse(
				`names ${shown(name)}, which this item does not have`,
				present.length > 0 ? inventory(present) : NO_BINARY,
			);
		}
		const upload = await describe(context, itemIndex, name, binary[name]).catch(
			(error: unknown) => {
				throw refuse(
					`names ${shown(name)}, whose file cannot be read: ${(error as Error).message}`,
					'Run the node before this one again, so that it provides the file anew.',
				);
			},
		);
		if (upload.sizeBytes === 0) {
			throw refuse(
				`names ${shown(name)}, whose file is empty`,
				'Check the node that provides the file.',
			);
		}
		uploads.push({ ...upload, ofSeveral: names.length > 1 });
	}
	return uploads;
}

const NO_BINARY =
	'This item has no binary data. Place a node that provides a file before this one, such as Read/Write Files from Disk or an e-mail trigger that downloads attachments.';

function inventory(present: string[]): string {
	return present.length > 0
		? `This item has the binary fields: ${present.join(', ')}.`
		: 'This item has no binary data.';
}

async function describe(
	context: IExecuteFunctions,
	itemIndex: number,
	field: string,
	{ id, fileName, mimeType, fileExtension }: IBinaryData,
): Promise<Omit<Upload, 'ofSeveral'>> {
	const sizeBytes = id
		? await measure(context, id)
		: (await context.helpers.getBinaryDataBuffer(itemIndex, field)).length;
	return {
		itemIndex,
		field,
		fileName: fileName || `${field}${fileExtension ? `.${fileExtension}` : ''}`,
		mimeType,
		sizeBytes,
		...(id && { binaryId: id }),
	};
}

/** The size from the metadata; the file is opened too, because the metadata can outlive it. */
async function measure({ helpers }: IExecuteFunctions, binaryId: string): Promise<number> {
	const tryOpening = async () => {
		const stream = (await helpers.getBinaryStream(binaryId)) as BinaryStream;
		// Leaving the loop closes the stream, after it was really opened.
		for await (const chunk of stream) if (chunk.length > 0) break;
	};
	const [{ fileSize }] = await Promise.all([helpers.getBinaryMetadata(binaryId), tryOpening()]);
	return fileSize;
}

/** A request body that is read while it is sent. */
export interface UploadBody {
	body: IHttpRequestOptions['body'];
	/** Closes the file; to be called when the request has ended, however it ended. */
	close(): void;
	/** Set where the file was not what it had been when it was measured. */
	readonly problem: Failure | undefined;
}

/**
 * `multipart/form-data` with the one part `file` (service document, 4.1). The body is an object that
 * axios, n8n's HTTP client, takes for a Blob: it is streamed with an exact content length, and opened
 * anew when a request is repeated.
 */
export function openUpload(context: IExecuteFunctions, upload: Upload): UploadBody {
	const boundary = `----n8n${randomUUID().replaceAll('-', '')}`;
	const head = Buffer.from(
		`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${safeFileName(upload.fileName)}"\r\nContent-Type: ${safeMimeType(upload.mimeType)}\r\n\r\n`,
	);
	const foot = Buffer.from(`\r\n--${boundary}--\r\n`);
	let source: BinaryStream | undefined;
	let closed = false;
	let problem: Failure | undefined;

	async function* stream(): AsyncGenerator<Uint8Array> {
		yield head;
		let sentBytes = 0;
		for await (const chunk of await open()) {
			sentBytes += chunk.length;
			if (sentBytes > upload.sizeBytes) throw (problem = changed(upload));
			yield chunk;
		}
		if (sentBytes !== upload.sizeBytes) throw (problem ??= changed(upload));
		yield foot;
	}

	const { helpers } = context;
	const { itemIndex, field, binaryId, sizeBytes } = upload;
	// A small file is read while n8n prepares the request.
	const content =
		binaryId && sizeBytes > READ_WHOLE_BYTES
			? { binaryId }
			: { whole: helpers.getBinaryDataBuffer(itemIndex, field) };
	// Whether that failed is asked when it is sent.
	content.whole?.catch(() => undefined);

	async function open(): Promise<AsyncIterable<Uint8Array>> {
		source?.destroy();
		try {
			if (content.whole) return chunksOf(await content.whole);
			source = (await helpers.getBinaryStream(content.binaryId)) as BinaryStream;
		} catch (error) {
			problem = unreadable(upload, error as Error);
			return chunksOf();
		}
		if (closed) source.destroy();
		return source;
	}

	return {
		body: {
			// Own, enumerable members: n8n drops a body that has none.
			[Symbol.toStringTag]: 'Blob',
			size: head.length + upload.sizeBytes + foot.length,
			type: `multipart/form-data; boundary=${boundary}`,
			stream,
		} as unknown as IHttpRequestOptions['body'],
		close() {
			closed = true;
			// axios leaves its source open after an abort, a reset or an early answer.
			source?.destroy();
		},
		get problem() {
			return problem;
		},
	};
}

/** Whether a request body is a file that is read while it is sent. */
export function isUpload(body: IHttpRequestOptions['body']): boolean {
	return Object.prototype.toString.call(body) === '[object Blob]';
}

type BinaryStream = AsyncIterable<Uint8Array> & { destroy(): void };

async function* chunksOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
	yield* chunks;
}

function changed({ field, fileName }: Upload): Failure {
	return new Failure({
		message: `The file ${shown(fileName)} in the binary field "${field}" changed while it was sent`,
		description: 'Let the node that writes the file finish before this one reads it.',
	});
}

function unreadable({ field, fileName }: Upload, error: Error): Failure {
	return new Failure({
		message: `The file ${shown(fileName)} in the binary field "${field}" cannot be read: ${error.message}`,
		description: 'Run the node that provides the file again.',
	});
}
