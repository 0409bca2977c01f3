import {
	NodeConnectionTypes,
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type IExecuteFunctions,
	type INodeCredentialTestResult,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
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

	// n8n loads all its nodes when it starts: what runs this one is loaded when it runs.
	methods = {
		credentialTest: {
			async dataExtractionAgentApiTest(
				this: ICredentialTestFunctions,
				credential: ICredentialsDecrypted,
			): Promise<INodeCredentialTestResult> {
				const { testCredential } = await import('./engine/credentialTest');
				return await testCredential.call(this, credential);
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { run } = await import('./engine/run');
		return await run(this, { credentialType: 'dataExtractionAgentApi', properties, resources });
	}
}
