import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** n8n's "If" 2.2, without its loose comparison of types: the engine itself judges the conditions. */
export async function branch(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const outputs: [INodeExecutionData[], INodeExecutionData[]] = [[], []];
	for (const [index, item] of this.getInputData().entries()) {
		const isMet = this.getNodeParameter('conditions', index, false, { extractValue: true });
		outputs[isMet === true ? 0 : 1].push({ ...item, pairedItem: { item: index } });
	}
	return outputs;
}
