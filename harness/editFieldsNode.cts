import type {
	AssignmentCollectionValue,
	AssignmentValue,
	FieldType,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { deepCopy, jsonParse, NodeOperationError, validateFieldType } from 'n8n-workflow';

/** n8n's "Edit Fields (Set)" 3.4, without its field selections and duplication. */
export async function editFields(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const mode = this.getNodeParameter('mode', 0) as string;
	const output = this.getInputData().map((item, index) => {
		const fields = mode === 'raw' ? rawFields(this, index) : assignedFields(this, index);
		return compose(this, item, index, fields);
	});
	return [output];
}

function rawFields(context: IExecuteFunctions, index: number): IDataObject {
	const raw = context.getNodeParameter('jsonOutput', index, '', { rawExpressions: true });
	let value: unknown = raw;
	if (typeof raw === 'string') {
		// Each expression is put into the text as JSON, where n8n's usual way would give [object Object].
		const text = raw.startsWith('=')
			? raw.slice(1).replace(/\{\{[\s\S]*?\}\}/g, (expression) => {
					const resolved: unknown = context.evaluateExpression(expression, index);
					const isObject = typeof resolved === 'object' && resolved !== null;
					return isObject ? JSON.stringify(resolved) : String(resolved);
				})
			: raw;
		try {
			value = jsonParse(text);
		} catch {
			throw refuse(context, index, `The item ${String(index + 1)} contains invalid JSON`);
		}
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw refuse(context, index, `'JSON Output' in item ${String(index + 1)} is not an object`);
	}
	return value as IDataObject;
}

function assignedFields(context: IExecuteFunctions, index: number): IDataObject {
	const collection = context.getNodeParameter(
		'assignments',
		index,
		{},
	) as Partial<AssignmentCollectionValue>;
	const fields = (collection.assignments ?? []).map((entry): [string, IDataObject[string]] => [
		entry.name,
		convert(context, index, entry),
	]);
	return Object.fromEntries(fields);
}

function convert(
	context: IExecuteFunctions,
	index: number,
	{ name, type = 'string', value }: AssignmentValue,
): IDataObject[string] {
	if (value === undefined || value === null) return null;
	let given: unknown = value;
	if (type === 'string') given = typeof value === 'object' ? JSON.stringify(value) : String(value);
	const result = validateFieldType(name, given, type as FieldType);
	if (!result.valid) throw refuse(context, index, result.errorMessage);
	return (result.newValue ?? null) as IDataObject[string];
}

function compose(
	context: IExecuteFunctions,
	item: INodeExecutionData,
	index: number,
	fields: IDataObject,
): INodeExecutionData {
	const includeOthers = context.getNodeParameter('includeOtherFields', index, false) as boolean;
	if (includeOthers && context.getNodeParameter('include', index, 'all') !== 'all') {
		throw refuse(context, index, 'The stand-in of Edit Fields only includes all fields or none');
	}
	const options = context.getNodeParameter('options', index, {}) as {
		dotNotation?: boolean;
		stripBinary?: boolean;
	};
	const output: INodeExecutionData = {
		json: includeOthers ? deepCopy(item.json) : {},
		pairedItem: { item: index },
	};
	if (includeOthers && options.stripBinary !== true && item.binary !== undefined) {
		output.binary = { ...item.binary };
	}
	for (const [name, value] of Object.entries(fields)) {
		setField(output.json, options.dotNotation === false ? [name] : name.split('.'), value);
	}
	return output;
}

function setField(target: IDataObject, path: string[], value: IDataObject[string]): void {
	const [key, ...rest] = path;
	if (rest.length === 0) {
		target[key] = value;
		return;
	}
	const inner = target[key];
	const next = typeof inner === 'object' && inner !== null ? (inner as IDataObject) : {};
	target[key] = next;
	setField(next, rest, value);
}

function refuse(context: IExecuteFunctions, itemIndex: number, message: string) {
	return new NodeOperationError(context.getNode(), message, { itemIndex });
}
