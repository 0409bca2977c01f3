import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
} from 'n8n-workflow';

/** Where the service is, and what must never be shown. */
export interface Connection {
	/** Without `/api/v2` and slashes at its end. */
	baseUrl: string;
	accessToken: string;
}

/**
 * Reads the credential's fields. Run time and credential test share it, so that what passes the test
 * is what the node uses.
 *
 * @returns the connection, or a sentence that says what is wrong
 */
export function readConnection(credential: ICredentialDataDecryptedObject): Connection | string {
	const baseUrl = String(credential.baseUrl ?? '').trim();
	const accessToken = String(credential.accessToken ?? '');
	if (baseUrl === '') return "'Base URL' (baseUrl) of the credential is empty";
	if (!/^https?:\/\/[^\s/]/i.test(baseUrl) || !URL.canParse(baseUrl)) {
		return "'Base URL' (baseUrl) of the credential is not an address beginning with http:// or https://";
	}
	const { username, password, search, hash } = new URL(baseUrl);
	if (username || password || search || hash) {
		return "'Base URL' (baseUrl) of the credential must be a plain address, without user, query or #";
	}
	if (accessToken === '') return "'Access Token' (accessToken) of the credential is empty";
	if (/^bearer\s/i.test(accessToken)) {
		return '\'Access Token\' (accessToken) of the credential begins with "Bearer"; the node adds that word itself';
	}
	if (!/^[\x21-\x7e]+$/.test(accessToken)) {
		return "'Access Token' (accessToken) of the credential holds a space, a line break or another character that a token cannot have";
	}
	return { baseUrl: baseUrl.replace(/(?:\/api\/v2)?\/*$/i, ''), accessToken };
}

/**
 * The connection of this node run.
 *
 * @param itemIndex the first item that needs it
 * @throws NodeOperationError that names the field of the credential
 */
export async function getConnection(
	context: IExecuteFunctions,
	credentialType: string,
	itemIndex: number,
): Promise<Connection> {
	const connection = readConnection(await context.getCredentials(credentialType));
	if (typeof connection === 'string') {
		throw new NodeOperationError(context.getNode(), connection, {
			itemIndex,
			description: 'Open the credential of this node and correct it.',
		});
	}
	return connection;
}
