import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

/** The declarations inside a collection. */
export function memberProperties({ options = [] }: INodeProperties): INodeProperties[] {
	return options.filter((option): option is INodeProperties => 'type' in option);
}

/** The groups of a fixed collection. */
export function memberGroups({ options = [] }: INodeProperties): INodePropertyCollection[] {
	return options.filter((option): option is INodePropertyCollection => 'values' in option);
}
