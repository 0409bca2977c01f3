const MASK = '[access token]';

/**
 * Removes the token from whatever the service or an error says, also where it was escaped for JSON
 * or for a URL. Returns the same value where there is nothing to remove.
 */
export function redact<T>(value: T, accessToken: string): T {
	const isShort = accessToken.length < SHORT_TOKEN;
	const clean = isShort ? withoutWord(accessToken) : withoutForms(accessToken);
	return redactAll(value, clean, isShort ? (key) => key : clean) as T;
}

/**
 * Whether {@link redact} could find something in what a JSON text says. Without an escape, whatever
 * stands in its strings stands in the text as it is; that is much faster to tell.
 */
export function mayHold(json: string, accessToken: string): boolean {
	return json.includes('\\') || formsOf(accessToken).some((form) => json.includes(form));
}

/** Real tokens are long; a shorter one could be a part of any word, and of the names of members. */
const SHORT_TOKEN = 8;

type Clean = (text: string) => string;

function redactAll(value: unknown, clean: Clean, cleanKey: Clean): unknown {
	if (typeof value === 'string') return clean(value);
	if (Array.isArray(value)) return value.map((member) => redactAll(member, clean, cleanKey));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([key, member]) => [
				cleanKey(key),
				redactAll(member, clean, cleanKey),
			]),
		);
	}
	return value;
}

/** The longer forms first: they can hold the shorter ones. Most tokens have but one. */
function formsOf(accessToken: string): string[] {
	const escaped = [encodeURIComponent(accessToken), JSON.stringify(accessToken).slice(1, -1)];
	return [...new Set([...escaped, accessToken])];
}

function withoutForms(accessToken: string): Clean {
	const forms = formsOf(accessToken);
	return (text) => {
		let clean = text;
		for (const form of forms) clean = clean.replaceAll(form, MASK);
		return clean;
	};
}

function withoutWord(word: string): Clean {
	const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	const pattern = new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, 'g');
	return (text) => text.replace(pattern, MASK);
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
