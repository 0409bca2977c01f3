import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** One operation of the service, declared in n8n's `routing` vocabulary. */
export interface Operation {
	/** Entry of the operation list; `routing.request` holds method and path. */
	option: INodePropertyOptions;
	/** Parameters that the panel shows for this operation, in order. */
	properties: INodeProperties[];
	/**
	 * Where the result can be read, with `{id}` for the identifier. Several paths are candidates that
	 * are tried in order. Operations without an entry read their own path.
	 */
	resultPaths?: readonly string[];
}

/** One entry of the resource list with its operations. */
export interface Resource {
	option: INodePropertyOptions;
	/** The first one is chosen where the user has not chosen. */
	operations: Operation[];
}
