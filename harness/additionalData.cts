import type { ICredentialsHelper, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

const baseUrl = 'http://127.0.0.1:5678/';

/** What n8n's server tells the engine about itself. The waiting URLs must be valid ones. */
export function additionalData(
	credentialsHelper: ICredentialsHelper,
	executionId?: string,
): IWorkflowExecuteAdditionalData {
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper,
		executionId,
		currentNodeExecutionIndex: 0,
		restApiUrl: `${baseUrl}rest`,
		instanceBaseUrl: baseUrl,
		formBaseUrl: `${baseUrl}form`,
		formWaitingBaseUrl: `${baseUrl}form-waiting`,
		formTestBaseUrl: `${baseUrl}form-test`,
		webhookBaseUrl: `${baseUrl}webhook`,
		webhookWaitingBaseUrl: `${baseUrl}webhook-waiting`,
		webhookTestBaseUrl: `${baseUrl}webhook-test`,
		mcpBaseUrl: `${baseUrl}mcp`,
		mcpTestBaseUrl: `${baseUrl}mcp-test`,
		userId: 'harness',
		variables: {},
		getRunExecutionData: async () => undefined,
		getRuntimeCredential: async () => undefined,
		logAiEvent: () => undefined,
		setExecutionStatus: () => undefined,
		executeWorkflow: async () => {
			throw new Error('The harness does not run sub-workflows');
		},
		startRunnerTask: async () => {
			throw new Error('The harness has no task runner');
		},
	};
	// Partial because the rest belongs to features that the harness leaves out (secrets, agents, …).
	return data as IWorkflowExecuteAdditionalData;
}
