import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** n8n's "Data table" when it inserts rows as they come; every table begins empty and has all columns. */
export async function insertRows(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const table = this.getNodeParameter('dataTableId', 0) as { value: string };
	const { mappingMode } = this.getNodeParameter('columns', 0) as { mappingMode: string };
	const action = `${String(this.getNodeParameter('resource', 0))}.${String(this.getNodeParameter('operation', 0))}`;
	if (action !== 'row.insert' || mappingMode !== 'autoMapInputData') {
		throw new NodeOperationError(this.getNode(), 'The stand-in of Data table only inserts items');
	}
	if (table.value === '') throw new NodeOperationError(this.getNode(), 'No data table is chosen');
	const now = new Date().toISOString();
	const rows = this.getInputData().map(({ json }, item) => {
		const nested = Object.values(json).find((value) => typeof value === 'object' && value !== null);
		if (nested !== undefined) {
			throw new NodeOperationError(this.getNode(), 'A column holds no lists and no objects');
		}
		const row: IDataObject = { id: item + 1, createdAt: now, updatedAt: now, ...json };
		return { json: row, pairedItem: { item } };
	});
	return [rows];
}
