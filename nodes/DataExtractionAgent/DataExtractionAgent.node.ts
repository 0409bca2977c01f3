import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { testCredential } from './engine/credentialTest';
import { run } from './engine/run';
import { properties, resources, subtitle } from './resources';

export class DataExtractionAgent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Data Extraction Agent',
		name: 'dataExtractionAgent',
		icon: { light: 'file:dataExtractionAgent.svg', dark: 'file:dataExtractionAgent.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description: 'Extract structured data from documents, web pages and datasets with AI agents',
		defaults: { name: 'Data Extraction Agent' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'dataExtractionAgentApi', required: true, testedBy: 'dataExtractionAgentApiTest' },
		],
		// `execute()` reads the base URL by itself; this is for n8n's own reading of the declarations.
		requestDefaults: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/(?:\\/api\\/v2)?\\/*$/i, "") }}',
			headers: { Accept: 'application/json' },
		},
		properties,
	};

	methods = { credentialTest: { dataExtractionAgentApiTest: testCredential } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, { credentialType: 'dataExtractionAgentApi', properties, resources });
	}
}
