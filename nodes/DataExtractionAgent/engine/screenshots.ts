import type { IBinaryData, IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';
import { Failure } from './failures';
import { fileNameFor } from './fileNames';
import type { ResultRecord } from './record';
import type { Transport } from './transport';

/** A screenshot that could not be had. */
export interface ScreenshotProblem {
	/** Its place in the result's list, from 0. */
	index: number;
	screenshot: string;
	reason: string;
}

/** How many are fetched at once for one result. */
const CONCURRENT = 4;

const MAX_SHOWN_LENGTH = 200;

/**
 * Fetches the screenshots of a result as `screenshot_0`, `screenshot_1`, … One that cannot be had is
 * reported and fails nothing.
 *
 * @param record its screenshots are http(s) addresses, paths of the service, or `data:` URIs
 */
export async function downloadScreenshots(
	context: IExecuteFunctions,
	transport: Transport,
	{ screenshots }: ResultRecord,
	timeoutMs: number,
): Promise<{ binary: IBinaryKeyData; screenshotProblems: ScreenshotProblem[] }> {
	const queue = (Array.isArray(screenshots) ? screenshots : []).map(String).entries();
	const files: IBinaryKeyData = {};
	const screenshotProblems: ScreenshotProblem[] = [];

	async function fetch(screenshot: string, name: string): Promise<IBinaryData | Failure> {
		const file = screenshot.startsWith('data:')
			? decode(context, screenshot, name)
			: transport.download(screenshot, name, timeoutMs);
		return await file.catch((error: unknown) => {
			if (error instanceof Failure) return error;
			if (error instanceof URIError) return invalidUri();
			throw error;
		});
	}

	async function worker(): Promise<void> {
		for (const [index, screenshot] of queue) {
			const name = `screenshot_${index}`;
			const file = await fetch(screenshot, name);
			if (file instanceof Failure) {
				const shown = screenshot.slice(0, MAX_SHOWN_LENGTH);
				screenshotProblems.push({ index, screenshot: shown, reason: file.message });
			} else {
				files[name] = file;
			}
		}
	}
	await Promise.all(Array.from({ length: CONCURRENT }, worker));

	const byIndex = (name: string) => Number(name.slice(name.indexOf('_') + 1));
	const binary = Object.fromEntries(
		Object.entries(files).sort(([a], [b]) => byIndex(a) - byIndex(b)),
	);
	return { binary, screenshotProblems: screenshotProblems.sort((a, b) => a.index - b.index) };
}

async function decode(context: IExecuteFunctions, uri: string, name: string): Promise<IBinaryData> {
	const match = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w=.+-]+)*?)(;base64)?,(.*)$/s.exec(uri);
	if (!match) throw invalidUri();
	const [, mimeType = 'text/plain', , base64, content] = match;
	const bytes = base64
		? Buffer.from(content, 'base64')
		: Buffer.from(decodeURIComponent(content), 'utf8');
	return await context.helpers.prepareBinaryData(bytes, fileNameFor(name, mimeType), mimeType);
}

function invalidUri(): Failure {
	return new Failure({ message: 'This is not a valid data: URI', description: '' });
}
