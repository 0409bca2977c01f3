import type { IAuthenticateGeneric, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

export class DataExtractionAgentApi implements ICredentialType {
	name = 'dataExtractionAgentApi';

	displayName = 'Data Extraction Agent API';

	icon: Icon = {
		light: 'file:../nodes/DataExtractionAgent/dataExtractionAgent.svg',
		dark: 'file:../nodes/DataExtractionAgent/dataExtractionAgent.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-data-extraction-agent/n8n-nodes-data-extraction-agent#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description: 'Address of the service, without /api/v2',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The token (JWT) of your account, without the word "Bearer"',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.accessToken}}' } },
	};
}
