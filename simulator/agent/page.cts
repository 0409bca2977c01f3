const timeoutMs = 5000;

/** Whether an address is on this machine; the agent goes nowhere else. */
export function isLoopback(url: string): boolean {
	return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** The text of a page; a redirect could lead off this machine and is not followed. */
export async function fetchPage(url: string): Promise<string> {
	let response: Response;
	try {
		response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
	} catch {
		throw new Error('The page cannot be reached');
	}
	if (!response.ok) throw new Error(`The page answered with status ${response.status}`);
	return response.text();
}
