import type { IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { badInput, shown } from '../badInput';

const EXTRA_QUERY = { displayName: 'Extra Query Parameters', name: 'extraQuery' };

/** Adds the query parameters that the user names, next to those that the node sends. */
export async function sendExtraQuery(
	this: IExecuteSingleFunctions,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const parameters = this.getNodeParameter('options.extraQuery.parameter', []) as Array<{
		name?: string;
		value?: string;
	}>;
	const qs = { ...request.qs };
	for (const [index, { name, value }] of parameters.entries()) {
		const key = String(name ?? '').trim();
		const problem =
			key === ''
				? `has no name for parameter ${index + 1}`
				: Object.hasOwn(qs, key) && qs[key] !== undefined
					? `names ${shown(key)}, which is sent already`
					: undefined;
		if (problem) {
			throw badInput(
				this.getNode(),
				this.getItemIndex(),
				EXTRA_QUERY,
				problem,
				'Give every parameter a name of its own, and use the option of the node where there is one.',
			);
		}
		// What is empty is never sent.
		if (value !== undefined && value !== '') qs[key] = value;
	}
	return { ...request, qs };
}
