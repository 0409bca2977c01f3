import { setTimeout as sleep } from 'node:timers/promises';
import type { IExecuteFunctions, IHttpRequestOptions, INodeType } from 'n8n-workflow';

const CREDENTIAL = 'dataExtractionAgentApi';

/**
 * What nodes for such services commonly do: one item after the other, each started, then looked at
 * after a fixed time until it is done.
 */
export const sequentialNode: INodeType = {
	description: {
		displayName: 'Sequential',
		name: 'sequential',
		group: ['transform'],
		version: 1,
		description: 'Starts and waits, one item after the other',
		defaults: { name: 'Sequential' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: CREDENTIAL, required: true }],
		properties: [{ displayName: 'Interval', name: 'intervalSeconds', type: 'number', default: 2 }],
	},
	async execute() {
		const intervalMs = Number(this.getNodeParameter('intervalSeconds', 0)) * 1000;
		const { baseUrl } = await this.getCredentials(CREDENTIAL);
		const output = [];
		for (const [item] of this.getInputData().entries()) {
			const started = await call(this, 'POST', `${String(baseUrl)}/api/v2/document/start`);
			const url = `${String(baseUrl)}/api/v2/document/result/${String(started.id)}`;
			let record = started;
			while (record.done !== true) {
				await sleep(intervalMs);
				record = await call(this, 'GET', url);
			}
			output.push({ json: { ...record }, pairedItem: { item } });
		}
		return [output];
	},
};

async function call(
	context: IExecuteFunctions,
	method: IHttpRequestOptions['method'],
	url: string,
): Promise<{ id?: string; done?: boolean }> {
	const { result } = (await context.helpers.httpRequestWithAuthentication.call(
		context,
		CREDENTIAL,
		{ method, url, json: true },
	)) as { result: { id?: string; done?: boolean } };
	return result;
}
