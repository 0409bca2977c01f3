import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the receiver is to behave. */
export interface ReceiverTask {
	/** Waited before each answer to a GET. */
	latencyMs?: number;
}

/**
 * What the receiver tells: its port once, then the length of every body of a POST, and when it is
 * asked (with any message) how many GETs it had at once since the last time.
 */
export type ReceiverMessage = { port: number } | { receivedBytes: number } | { mostAtOnce: number };

const { latencyMs = 0 } = JSON.parse(process.argv[2]) as ReceiverTask;
const id = '00000000-0000-4000-8000-000000000000';
const started = { message: 'The work has started', result: { id }, success: true };
const finished = {
	message: 'Finished',
	result: {
		changed: false,
		credits: { remaining: 970, used: 3 },
		details: { descr: 'Read 1 page' },
		json: { product: 'Mira 64 coffee grinder', price: '€ 329.00' },
		screenshots: [],
		when: 1763719200,
		done: true,
		id,
	},
	success: true,
};

let atOnce = 0;
let mostAtOnce = 0;

/** Counts what it gets, keeps nothing, and answers as the service does, with as little work. */
const server = createServer((request, response) => {
	const answer = (body: object) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(body));
	};
	if (request.method === 'GET') {
		request.resume();
		mostAtOnce = Math.max(mostAtOnce, ++atOnce);
		setTimeout(() => {
			atOnce--;
			answer(finished);
		}, latencyMs);
		return;
	}
	let receivedBytes = 0;
	request.on('data', (chunk: Buffer) => {
		receivedBytes += chunk.length;
	});
	request.on('end', () => {
		tell({ receivedBytes });
		answer(started);
	});
});
server.listen(0, '127.0.0.1', () => {
	tell({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => {
	tell({ mostAtOnce });
	mostAtOnce = 0;
});
process.on('disconnect', () => process.exit());

function tell(message: ReceiverMessage): void {
	process.send?.(message);
}
