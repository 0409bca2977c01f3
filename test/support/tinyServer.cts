import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server that is not the service, with everything that it was asked. */
export interface TinyServer {
	origin: string;
	requests: IncomingMessage[];
	close(): Promise<void>;
}

/** Starts a server on a free port of the loopback interface. */
export async function startTinyServer(listener: RequestListener): Promise<TinyServer> {
	const requests: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		requests.push(request);
		listener(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** An address at which nothing listens. */
export async function closedOrigin(): Promise<string> {
	const { origin, close } = await startTinyServer(() => undefined);
	await close();
	return origin;
}

/** Answers; an object as JSON, a text as a web page. */
export function answer(
	response: ServerResponse,
	status: number,
	body: object | string,
	headers: Record<string, string> = {},
): void {
	const isText = typeof body === 'string';
	response.writeHead(status, {
		'content-type': isText ? 'text/html' : 'application/json',
		...headers,
	});
	response.end(isText ? body : JSON.stringify(body));
}
