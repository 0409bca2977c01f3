import {
	NodeHelpers,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
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
 * Reads the parameters of all items of a node run. What no expression makes differ between items is
 * read and checked once.
 */
export class ParameterReader {
	private readonly node: INode;

	/** Names of the parameters that hold expressions. */
	private readonly varying: Set<string>;

	private readonly constants = new Map<INodeProperties, unknown>();

	/** What the panel shows, where that is the same for all items. */
	private visible?: INodeProperties[];

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly service: Service,
	) {
		this.node = context.getNode();
		const { parameters } = this.node;
		this.varying = new Set(Object.keys(parameters).filter((name) => mayVary(parameters[name])));
	}

	/**
	 * Reads and checks the parameters of one item.
	 *
	 * @throws NodeOperationError that names the parameter and the item
	 */
	read(itemIndex: number): ItemParameters {
		const resource = this.context.getNodeParameter('resource', itemIndex) as string;
		// "Custom API Call" as resource has no operation.
		const operationName = this.context.getNodeParameter('operation', itemIndex, '') as string;
		const operation = findOperation(this.service, resource, operationName);
		if (!operation) throw unknownOperation(this.context, itemIndex, resource, operationName);

		const properties = this.visibleProperties(itemIndex);
		const guids = pathParameters(operation);
		const values: IDataObject = {};
		for (const property of properties) {
			const isGuid = guids.includes(property.name);
			values[property.name] = this.valueOf(property, isGuid, itemIndex) as IDataObject[string];
		}
		return { itemIndex, operation, properties, values };
	}

	private valueOf(property: INodeProperties, isGuid: boolean, itemIndex: number): unknown {
		if (this.constants.has(property)) return this.constants.get(property);
		const raw: unknown = this.context.getNodeParameter(property.name, itemIndex, property.default);
		const value = validateValue(this.node, itemIndex, property, raw);
		if (isGuid) validateGuid(this.node, itemIndex, property, value);
		if (!this.varying.has(property.name)) this.constants.set(property, value);
		return value;
	}

	/**
	 * What the panel shows. A parameter that decides about others can hold an expression, so the rules
	 * are applied to its value for this item.
	 */
	private visibleProperties(itemIndex: number): INodeProperties[] {
		if (this.visible) return this.visible;
		const { properties } = this.service;
		const resolved: INodeParameters = { ...this.node.parameters };
		const deciding = [...this.varying].filter(
			(name) => typeof resolved[name] === 'string' && isDecisive(properties, name),
		);
		for (const name of deciding) {
			const value = this.context.getNodeParameter(name, itemIndex) as NodeParameterValueType;
			// An expression such as `=true` gives a text.
			resolved[name] = value === 'true' ? true : value === 'false' ? false : value;
		}
		const visible = properties.filter(
			(property) =>
				property.name !== 'resource' &&
				property.name !== 'operation' &&
				NodeHelpers.displayParameter(resolved, property, this.node, null, resolved),
		);
		if (deciding.length === 0) this.visible = visible;
		return visible;
	}
}

/** Whether a parameter, or a member of it, is an expression. */
function mayVary(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(mayVary);
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
	const [label, name] =
		resource === CUSTOM_API_CALL ? ['Resource', 'resource'] : ['Operation', 'operation'];
	return operation === CUSTOM_API_CALL || resource === CUSTOM_API_CALL
		? new NodeOperationError(
				context.getNode(),
				`'${label}' (${name}) is set to Custom API Call, which this node cannot run [item ${itemIndex}]`,
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
