import {
	NodeHelpers,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
	type INodeProperties,
	type NodeParameterValueType,
} from 'n8n-workflow';
import { findOperation, pathParameters, type Service } from './service';
import type { Operation } from '../resources/types';
import { validateGuid, validateValue } from './validate';

/** One item's parameters: visible, resolved, checked, in the declared types. */
export interface ItemParameters {
	itemIndex: number;
	operation: Operation;
	/** Declarations of the parameters that the panel shows for this item. */
	properties: INodeProperties[];
	/** Values by name. Collections hold only what the user set. */
	values: IDataObject;
}

/**
 * Reads and checks the parameters of one item.
 *
 * @throws NodeOperationError that names the parameter and the item
 */
export function readItemParameters(
	context: IExecuteFunctions,
	service: Service,
	itemIndex: number,
): ItemParameters {
	const node = context.getNode();
	const resource = context.getNodeParameter('resource', itemIndex) as string;
	const operationName = context.getNodeParameter('operation', itemIndex) as string;
	const operation = findOperation(service, resource, operationName);
	if (!operation) throw unknownOperation(context, itemIndex, resource, operationName);

	const properties = visibleProperties(context, service, itemIndex);
	const guids = pathParameters(operation);
	const values: IDataObject = {};
	for (const property of properties) {
		const raw: unknown = context.getNodeParameter(property.name, itemIndex, property.default);
		const value = validateValue(node, itemIndex, property, raw);
		if (guids.includes(property.name)) validateGuid(node, itemIndex, property, value);
		values[property.name] = value as IDataObject[string];
	}
	return { itemIndex, operation, properties, values };
}

/**
 * What the panel shows. A parameter that decides about others can hold an expression, so the rules
 * are applied to its value for this item.
 */
function visibleProperties(
	context: IExecuteFunctions,
	{ properties }: Service,
	itemIndex: number,
): INodeProperties[] {
	const node = context.getNode();
	const resolved: INodeParameters = { ...node.parameters };
	for (const [name, raw] of Object.entries(node.parameters)) {
		if (typeof raw !== 'string' || !raw.startsWith('=')) continue;
		if (!isDecisive(properties, name)) continue;
		const value = context.getNodeParameter(name, itemIndex) as NodeParameterValueType;
		// An expression such as `=true` gives a text.
		resolved[name] = value === 'true' ? true : value === 'false' ? false : value;
	}
	return properties.filter(
		(property) =>
			property.name !== 'resource' &&
			property.name !== 'operation' &&
			NodeHelpers.displayParameter(resolved, property, node, null, resolved),
	);
}

function isDecisive(properties: INodeProperties[], name: string): boolean {
	return properties.some(
		({ displayOptions: { show = {}, hide = {} } = {} }) => name in show || name in hide,
	);
}

function unknownOperation(
	context: IExecuteFunctions,
	itemIndex: number,
	resource: string,
	operation: string,
): NodeOperationError {
	return operation === CUSTOM_API_CALL || resource === CUSTOM_API_CALL
		? new NodeOperationError(
				context.getNode(),
				`'Operation' (operation) is set to Custom API Call, which this node cannot run [item ${itemIndex}]`,
				{
					itemIndex,
					description:
						'Use an HTTP Request node instead: set Authentication to Predefined Credential Type and choose Data Extraction Agent API.',
				},
			)
		: new NodeOperationError(
				context.getNode(),
				`'Operation' (operation) is unknown: "${operation}" of resource "${resource}" [item ${itemIndex}]`,
				{ itemIndex, description: 'Choose a resource and an operation from the lists.' },
			);
}

/** The operation that the editor adds to nodes whose credential can be used by the HTTP Request node. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** The members of a collection parameter. */
export function collection(values: IDataObject, name: string): IDataObject {
	return (values[name] as IDataObject | undefined) ?? {};
}
