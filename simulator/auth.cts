import { HttpProblem } from './problem.cts';
import { isJsonObject } from './json.cts';

/** Refuses a request whose bearer token is missing, wrong or expired; the token is never echoed. */
export function checkBearer(authorization: string | undefined, token: string): void {
	const presented = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
	if (presented === undefined) throw new HttpProblem(401, 'A bearer token is required');
	if (isExpiredJwt(presented)) throw new HttpProblem(401, 'The access token has expired');
	if (presented !== token) throw new HttpProblem(401, 'The access token is not valid');
}

function isExpiredJwt(token: string): boolean {
	const segments = token.split('.');
	if (segments.length !== 3) return false;
	try {
		const claims: unknown = JSON.parse(Buffer.from(segments[1], 'base64url').toString('utf8'));
		return (
			isJsonObject(claims) && typeof claims.exp === 'number' && claims.exp * 1000 <= Date.now()
		);
	} catch {
		return false;
	}
}
