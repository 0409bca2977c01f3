import type { IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { badInput, shown } from '../badInput';

/** Refuses a `url` that is not an absolute http(s) address. */
export async function requireHttpUrl(
	this: IExecuteSingleFunctions,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const url: unknown = request.qs?.url;
	if (!isHttpUrl(url)) {
		throw badInput(
			this.getNode(),
			this.getItemIndex(),
			{ displayName: 'URL', name: 'url' },
			`is not an absolute http(s) address: ${shown(url)}`,
			'Enter the whole address of the page, for example https://example.com/products/42.',
		);
	}
	return request;
}

function isHttpUrl(value: unknown): boolean {
	if (typeof value !== 'string' || !/^https?:\/\/[^\s/]/i.test(value) || /\s/.test(value))
		return false;
	try {
		return new URL(value).hostname !== '';
	} catch {
		return false;
	}
}
