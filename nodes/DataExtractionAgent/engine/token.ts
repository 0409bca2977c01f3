const MASK = '[access token]';

/**
 * Removes the token from whatever the service or an error says, also where it was escaped for JSON
 * or for a URL. Returns the same value where there is nothing to remove.
 */
export function redact<T>(value: T, accessToken: string): T {
	if (typeof value === 'string') return redactText(value, accessToken) as T;
	if (Array.isArray(value)) return value.map((member) => redact<unknown>(member, accessToken)) as T;
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([key, member]) => [
				accessToken.length < SHORT_TOKEN ? key : redactText(key, accessToken),
				redact<unknown>(member, accessToken),
			]),
		) as T;
	}
	return value;
}

/** Real tokens are long; a shorter one could be a part of any word. */
const SHORT_TOKEN = 8;

function redactText(text: string, accessToken: string): string {
	if (accessToken.length < SHORT_TOKEN) return redactWord(text, accessToken);
	let clean = text;
	// The longer forms first: they can hold the shorter ones.
	for (const form of [
		encodeURIComponent(accessToken),
		JSON.stringify(accessToken).slice(1, -1),
		accessToken,
	]) {
		clean = clean.replaceAll(form, MASK);
	}
	return clean;
}

function redactWord(text: string, word: string): string {
	const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	return text.replace(new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, 'g'), MASK);
}

/** When a readable JWT expires (its `exp` claim); `undefined` for any other token. */
export function expiryOf(accessToken: string): Date | undefined {
	try {
		const [, payload] = accessToken.split('.');
		const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
		const exp = (claims as { exp?: unknown } | null)?.exp;
		return typeof exp === 'number' ? new Date(exp * 1000) : undefined;
	} catch {
		return undefined;
	}
}
