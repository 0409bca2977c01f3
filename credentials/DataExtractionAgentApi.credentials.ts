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
			description: 'Address of the service, with or without /api/v2 at its end',
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
		// n8n adds these two fields to every credential, with "All" as the default. Declared here, they
		// keep the HTTP Request node from sending the token to a host that is not the service.
		{
			displayName: 'Allowed HTTP Request Domains',
			name: 'allowedHttpRequestDomains',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'All',
					value: 'all',
					description: 'Any host; the token goes wherever it is asked to',
				},
				{
					name: 'Base URL Only',
					value: 'domains',
					description: 'The host of the Base URL and no other',
				},
				{ name: 'None', value: 'none', description: 'Not usable in the HTTP Request node' },
			],
			default: 'domains',
			description:
				'Where the HTTP Request node may send the access token. The Data Extraction Agent node sends it to the Base URL only, whatever is chosen here.',
		},
		{
			displayName: 'Allowed Domains',
			name: 'allowedDomains',
			type: 'hidden',
			default:
				'={{ (/^\\s*https?:\\/\\/(\\[[^\\]]*\\]|[^\\/:?#\\s]+)/i.exec($self["baseUrl"]) || [])[1] }}',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.accessToken}}' } },
	};
}
