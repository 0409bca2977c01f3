import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkBearer } from './auth.cts';
import type { Context } from './context.cts';
import type { Fault } from './faults.cts';
import type { LedgerEntry } from './ledger.cts';
import { receiveUpload } from './upload.cts';
import type { Query } from './validate.cts';

/** What happens to every request before its route: ledger, authentication, body, faults. */
export function addHooks(server: FastifyInstance, context: Context): void {
	const { ledger, settings, faults } = context;
	server.decorateRequest('entry');
	server.decorateRequest('upload');

	server.addHook('onRequest', async (request, reply) => {
		request.entry = entryOf(request);
		ledger.add(request.entry);
		noteEnd(request.entry, reply, settings.log);
		if (request.entry.operation === 'page') return;
		if (request.headers.authorization === undefined) reply.header('www-authenticate', 'Bearer');
		checkBearer(request.headers.authorization, settings.token);
	});

	server.addHook('preHandler', async (request, reply) => {
		await receiveBody(request, settings.maxUploadBytes);
		const fault = faults.take(request.entry);
		if (fault === undefined) return;
		request.entry.fault = fault.kind;
		await strike(fault, request, reply);
	});

	server.addHook('onSend', async (request) => {
		if (request.entry.fault === 'resetAfterAccept') request.raw.socket.destroy();
	});
}

function entryOf(request: FastifyRequest): LedgerEntry {
	return {
		at: Date.now(),
		method: request.method,
		path: request.url.split('?')[0],
		query: { ...(request.query as Query) },
		headers: { ...request.headers },
		parts: 0,
		operation: request.routeOptions.config.operation ?? 'unknown',
		aborted: false,
	};
}

/** Completes the ledger's entry when the connection is done with the request. */
function noteEnd(entry: LedgerEntry, reply: FastifyReply, log: boolean): void {
	void once(reply.raw, 'close').then(() => {
		entry.durationMs = Date.now() - entry.at;
		const isReset = entry.fault === 'reset' || entry.fault === 'resetAfterAccept';
		if (reply.raw.writableFinished && !isReset) entry.status = reply.raw.statusCode;
		else entry.aborted = !isReset;
		if (log) console.log(logLine(entry));
	});
}

function logLine({ method, path, status, durationMs, jobId, fault, aborted }: LedgerEntry): string {
	const answer = status ?? (aborted ? 'aborted' : 'reset');
	const notes = [jobId && `job ${jobId}`, fault && `fault: ${fault}`].filter(Boolean);
	return `${method} ${path} → ${answer} (${durationMs} ms) ${notes.join(', ')}`.trimEnd();
}

async function receiveBody(request: FastifyRequest, maxUploadBytes: number): Promise<void> {
	const { entry } = request;
	if (request.isMultipart()) {
		request.upload = await receiveUpload(request, maxUploadBytes);
		entry.parts = request.upload.parts;
		entry.file = request.upload.file;
	} else if (request.body !== undefined && request.body !== null) {
		entry.body = request.body;
	}
}

async function strike(fault: Fault, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const { delayMs = 0, status, headers = {}, body } = fault.script;
	// The simulator may close in the meantime: a sleeping fault must not keep the process alive.
	if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
	if (fault.kind === 'status') {
		await reply
			.code(status ?? (body === undefined ? 500 : 200))
			.type(typeof body === 'string' ? 'text/plain' : 'application/json')
			.headers(headers)
			.send(body ?? { success: false, message: 'A simulated failure' });
	} else if (fault.kind === 'reset' || fault.kind === 'hang') {
		reply.hijack();
		if (fault.kind === 'reset') request.raw.socket.destroy();
	}
}
