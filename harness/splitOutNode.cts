import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { deepCopy, NodeOperationError } from 'n8n-workflow';

type Value = IDataObject[string];

/** n8n's "Split Out" for one field or the files, with all other fields or none. */
export async function splitOut(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const output = this.getInputData().flatMap(({ json, binary = {} }, item) => {
		const given = this.getNodeParameter('fieldToSplitOut', item) as string;
		const include = this.getNodeParameter('include', item) as string;
		const field = given.trim().replace(/^\$json\./, '');
		if (field.includes(',') || include === 'selectedOtherFields') {
			throw new NodeOperationError(
				this.getNode(),
				'The stand-in of Split Out knows one field only',
			);
		}
		if (field === '$binary') {
			const fields = include === 'allOtherFields' ? json : {};
			return Object.entries(binary).map(
				([name, file]): INodeExecutionData => ({
					json: deepCopy(fields),
					binary: { [name]: file },
					pairedItem: { item },
				}),
			);
		}
		const options = this.getNodeParameter('options', item, {}) as { destinationFieldName?: string };
		const destination = options.destinationFieldName ?? '';

		return listOf(json, field).map((element): INodeExecutionData => {
			const spread = destination === '' && include === 'noOtherFields' && isObject(element);
			const own = spread ? { ...element } : { [destination || field]: element };
			const others = include === 'allOtherFields' ? without(json, field.split('.')) : {};
			return { json: { ...others, ...own }, pairedItem: { item } };
		});
	});
	return [output];
}

function listOf(json: IDataObject, field: string): Value[] {
	let value: Value = json;
	for (const key of field.split('.')) value = isObject(value) ? value[key] : undefined;
	if (value === undefined) return [];
	if (Array.isArray(value)) return value;
	return isObject(value) ? Object.values(value) : [value];
}

function isObject(value: Value): value is IDataObject {
	return typeof value === 'object' && value !== null;
}

function without(json: IDataObject, path: string[]): IDataObject {
	const copy = deepCopy(json);
	let parent: Value = copy;
	for (const key of path.slice(0, -1)) parent = isObject(parent) ? parent[key] : undefined;
	if (isObject(parent)) Reflect.deleteProperty(parent, path.at(-1) ?? '');
	return copy;
}
