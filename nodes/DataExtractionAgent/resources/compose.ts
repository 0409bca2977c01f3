import type { INodeProperties } from 'n8n-workflow';
import type { Resource } from './types';

/** All node properties: the resource list, then each resource's operation list and parameters. */
export function composeProperties(resources: Resource[]): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ option }) => option),
			default: 'urlExtract',
		},
		...resources.flatMap(resourceProperties),
	];
}

/** What the canvas shows below the node's name: the names of the lists instead of their values. */
export function composeSubtitle(resources: Resource[]): string {
	const names = resources.flatMap(({ option: resource, operations }) =>
		operations.map(({ option: operation }) => [
			`${String(resource.value)}.${String(operation.value)}`,
			`${resource.name}: ${operation.name}`,
		]),
	);
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter.resource + "." + $parameter.operation] }}`;
}

function resourceProperties({ option: { value: resource }, operations }: Resource) {
	const [firstOperation] = operations.map(({ option }) => option.value);
	const operationList: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ option }) => option),
		default: firstOperation,
	};
	const parameters = operations.flatMap(({ option, properties }) =>
		properties.map((property) => onlyFor(property, resource, option.value)),
	);
	return [operationList, ...parameters];
}

function onlyFor(
	property: INodeProperties,
	resource: string | number | boolean,
	operation: string | number | boolean,
): INodeProperties {
	const { show, hide } = property.displayOptions ?? {};
	return {
		...property,
		displayOptions: {
			show: { resource: [resource], operation: [operation], ...show },
			...(hide && { hide }),
		},
	};
}
