import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	INodeProperties,
	INodePropertyOptions,
	INodePropertyRouting,
	NodeParameterValueType,
} from 'n8n-workflow';
import type { ItemParameters } from './parameters';
import { memberProperties } from './propertyTree';
import { isObject } from './record';
import { pathParameters } from './service';

/** One HTTP request as the declarations describe it, relative to the base URL. */
export interface DeclaredRequest {
	method: IHttpRequestMethods;
	path: string;
	qs: IDataObject;
	body?: IHttpRequestOptions['body'];
	/** The identifier that is asked for: the last one in the path. */
	id?: string;
}

/**
 * Reads n8n's `routing` declarations for one item, which the engine itself ignores for a node with
 * `execute()`. It knows what this package uses of them:
 *
 * - an operation's `request.method` and `request.url`, with `{{$parameter.name}}` in the path;
 * - `send.type`, `send.property` and a literal `send.value`, on parameters, on members of
 *   collections and on the chosen entry of a list; what is empty is not sent;
 * - `send.preSend` functions, run in the order of declaration after all `send`s.
 *
 * A differential test compares its requests with those of n8n's own RoutingNode.
 *
 * @throws NodeOperationError from a `preSend` function that refuses the item's input
 */
export async function readDeclaredRequest(
	context: IExecuteFunctions,
	item: ItemParameters,
): Promise<DeclaredRequest> {
	const { method = 'GET', url = '' } = item.operation.option.routing?.request ?? {};
	const sent: { qs: IDataObject; body: IDataObject } = { qs: {}, body: {} };
	const preSend: PreSend[] = [];
	for (const property of item.properties) {
		readProperty(property, item.values[property.name], sent, preSend);
	}

	let request: IHttpRequestOptions = {
		url: fillPath(url, item.values),
		qs: sent.qs,
		...(Object.keys(sent.body).length > 0 && { body: sent.body }),
	};
	const single = singleFunctions(context, item);
	for (const hook of preSend) request = await hook.call(single, request);

	const lastId = pathParameters(item.operation).at(-1);
	return {
		method,
		path: request.url,
		qs: request.qs ?? {},
		...(request.body !== undefined && { body: request.body }),
		...(lastId && { id: String(item.values[lastId]) }),
	};
}

type PreSend = NonNullable<NonNullable<INodePropertyRouting['send']>['preSend']>[number];

function readProperty(
	property: INodeProperties,
	value: unknown,
	sent: { qs: IDataObject; body: IDataObject },
	preSend: PreSend[],
): void {
	if (value === undefined || value === '') return;
	readSend(property.routing, value, sent, preSend);
	if (property.type === 'options') {
		const chosen = (property.options as INodePropertyOptions[]).find(
			(option) => option.value === value,
		);
		readSend(chosen?.routing, value, sent, preSend);
	}
	if (property.type === 'collection') {
		for (const member of memberProperties(property)) {
			readProperty(member, (value as IDataObject)[member.name], sent, preSend);
		}
	}
}

function readSend(
	routing: INodePropertyRouting | undefined,
	value: unknown,
	sent: { qs: IDataObject; body: IDataObject },
	preSend: PreSend[],
): void {
	const { type, property, value: declared, preSend: hooks = [] } = routing?.send ?? {};
	if (property !== undefined) {
		// An expression here only tells n8n's RoutingNode to leave out what is empty.
		const literal = declared !== undefined && !declared.startsWith('=') ? declared : value;
		sent[type === 'body' ? 'body' : 'qs'][property] = literal as IDataObject[string];
	}
	preSend.push(...hooks);
}

/** Identifiers are checked before this, so nothing in them needs encoding. */
function fillPath(url: string, values: IDataObject): string {
	return url
		.replace(/^=/, '')
		.replace(/\{\{\s*\$parameter\.(\w+)\s*\}\}/g, (_, name: string) => String(values[name]));
}

/** The part of n8n's per-item functions that `preSend` functions here may use. */
function singleFunctions(
	context: IExecuteFunctions,
	{ itemIndex, values }: ItemParameters,
): IExecuteSingleFunctions {
	const functions: Pick<IExecuteSingleFunctions, 'getNode' | 'getItemIndex' | 'getNodeParameter'> =
		{
			getNode: () => context.getNode(),
			getItemIndex: () => itemIndex,
			getNodeParameter: (path: string, fallback?: NodeParameterValueType) =>
				valueAt(values, path) ?? fallback ?? null,
		};
	return functions as IExecuteSingleFunctions;
}

/** @param path names with dots between, as for `getNodeParameter` */
function valueAt(values: IDataObject, path: string): NodeParameterValueType | undefined {
	let value: unknown = values;
	for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
	return value as NodeParameterValueType | undefined;
}
