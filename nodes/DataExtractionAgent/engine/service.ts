import type { INodeProperties } from 'n8n-workflow';
import type { Operation, Resource } from '../resources/types';

/** What the engine is told about the service: declarations, and the name of the credential. */
export interface Service {
	credentialType: string;
	properties: INodeProperties[];
	resources: Resource[];
}

/** The declared operation, or `undefined` for one that is not declared ("Custom API Call"). */
export function findOperation(
	service: Service,
	resource: unknown,
	operation: unknown,
): Operation | undefined {
	return service.resources
		.find(({ option }) => option.value === resource)
		?.operations.find(({ option }) => option.value === operation);
}

/** Names of the parameters in a declared path such as `=/results/{{$parameter.runId}}/first`. */
export function pathParameters(operation: Operation): string[] {
	const url = operation.option.routing?.request?.url ?? '';
	return [...url.matchAll(/\{\{\s*\$parameter\.(\w+)\s*\}\}/g)].map(([, name]) => name);
}
