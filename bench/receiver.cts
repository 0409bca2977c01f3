import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the receiver tells: its port once, then the length of every body. */
export type ReceiverMessage = { port: number } | { receivedBytes: number };

/** Counts what it gets, keeps nothing, and answers as the service does. */
const server = createServer((request, response) => {
	let receivedBytes = 0;
	request.on('data', (chunk: Buffer) => {
		receivedBytes += chunk.length;
	});
	request.on('end', () => {
		tell({ receivedBytes });
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(
			JSON.stringify({
				message: 'The work has started',
				result: { id: '00000000-0000-4000-8000-000000000000' },
				success: true,
			}),
		);
	});
});
server.listen(0, '127.0.0.1', () => {
	tell({ port: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit());

function tell(message: ReceiverMessage): void {
	process.send?.(message);
}
