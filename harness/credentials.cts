import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialType,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeParameters,
	INodeProperties,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';
import { ICredentialsHelper, isExpression, NodeHelpers } from 'n8n-workflow';

/** A credential that nodes may use. */
export interface HarnessCredential {
	type: ICredentialType;
	data: ICredentialDataDecryptedObject;
}

/** Does what the credentials helper of n8n's server does, with credentials from memory. */
export class HarnessCredentials extends ICredentialsHelper {
	constructor(private readonly known: Record<string, HarnessCredential>) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(credentialType: string, nodeType: string): boolean {
		const type = Object.hasOwn(this.known, credentialType)
			? this.known[credentialType].type
			: undefined;
		if (type?.restrictToSupportedNodes !== true) return true;
		// The loader fills in the short names of the nodes.
		return (type.supportedNodes ?? []).includes(nodeType.slice(nodeType.lastIndexOf('.') + 1));
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const options = requestOptions as IHttpRequestOptions;
		const { authenticate } = this.get(typeName).type;
		if (authenticate === undefined) return options;
		if (typeof authenticate === 'function') return await authenticate(credentials, options);
		if (workflow === undefined || node === undefined) {
			throw new Error('A declared authentication needs the workflow and the node');
		}
		options.headers ??= {};
		const resolve = (value: string) => resolveValue(value, credentials, workflow, node);
		const parts = options as unknown as Record<string, Record<string, string> | undefined>;
		for (const [part, values] of Object.entries(authenticate.properties)) {
			for (const [key, value] of Object.entries(values as Record<string, string>)) {
				(parts[part] ??= {})[resolve(key)] = resolve(value);
			}
		}
		return options;
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(details: INodeCredentialsDetails): Promise<ICredentials> {
		throw new Error(`The harness does not store credentials (${details.name})`);
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_details: INodeCredentialsDetails,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		return this.withDefaults(type, this.get(type).data);
	}

	async updateCredentials(): Promise<void> {
		throw new Error('The harness does not update credentials');
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('The harness does not update credentials');
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.get(type).type.properties;
	}

	/** Fills in the default of every field that the user left alone, as n8n does before each use. */
	withDefaults(type: string, data: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
		return NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			data as INodeParameters,
			true,
			false,
			null,
			null,
		) as ICredentialDataDecryptedObject;
	}

	private get(typeName: string): HarnessCredential {
		if (!Object.hasOwn(this.known, typeName)) {
			throw new Error(`Credential "${typeName}" is not configured in the harness`);
		}
		return this.known[typeName];
	}
}

function resolveValue(
	value: string,
	credentials: ICredentialDataDecryptedObject,
	workflow: Workflow,
	node: INode,
): string {
	if (!isExpression(value)) return value;
	const resolved = workflow.expression.getSimpleParameterValue(
		node,
		value,
		'internal',
		{ $credentials: credentials },
		undefined,
		'',
	);
	return resolved ? String(resolved) : '';
}
