import type { IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';

/**
 * Moves the inputs of a dataset from the query string into the body, next to the schema, where the
 * user asked for it. The service does not document where they belong (service document, 4.4).
 */
export async function sendInputsInBody(
	this: IExecuteSingleFunctions,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	if (this.getNodeParameter('options.inputsLocation', 'query') !== 'body') return request;
	const { query, method, ...qs } = request.qs ?? {};
	return {
		...request,
		qs,
		body: {
			...(query !== undefined && { query }),
			...(method !== undefined && { method }),
			schema: request.body,
		},
	};
}
