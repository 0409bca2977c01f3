import type { AddressInfo } from 'node:net';
import multipart from '@fastify/multipart';
import { fastify, type FastifyInstance } from 'fastify';
import type { Context } from './context.cts';
import { addDemoData } from './demo-data.cts';
import { Faults } from './faults.cts';
import { addHooks } from './hooks.cts';
import { Jobs } from './jobs.cts';
import { Ledger } from './ledger.cts';
import { settingsOf, type SimulatorOptions } from './options.cts';
import { HttpProblem } from './problem.cts';
import { addPageRoutes, addScreenshotRoute } from './file-routes.cts';
import { addResultRoutes } from './result-routes.cts';
import { addStartRoutes } from './start-routes.cts';

/** A running simulator. */
export interface Simulator {
	/** Its base address, without a slash at the end. */
	origin: string;
	token: string;
	ledger: Ledger;
	jobs: Jobs;
	faults: Faults;
	/** Ends all connections, also those that wait for an answer. */
	close(): Promise<void>;
}

/** Larger than anybody will send; the simulator itself refuses nothing for its size. */
const bodyLimitBytes = 2 ** 40;

/** Starts the simulated data-extraction service. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
	const settings = settingsOf(options);
	const server = fastify({
		bodyLimit: bodyLimitBytes,
		forceCloseConnections: true,
		return503OnClosing: false,
		routerOptions: { maxParamLength: 1000 },
	});
	const ledger = new Ledger();
	const faults = new Faults();
	const jobs = new Jobs(
		settings,
		(id, index) => `${originOf(server, settings.host)}/screenshots/${id}/${index}.png`,
	);
	const context: Context = { settings, ledger, jobs, faults };
	addDemoData(jobs);
	addBodyParsers(server);
	addAnswersToProblems(server);
	addHooks(server, context);
	addStartRoutes(server, context);
	addResultRoutes(server, context);
	addScreenshotRoute(server, context);
	addPageRoutes(server, context);
	await server.listen({ port: settings.port, host: settings.host });
	return {
		origin: originOf(server, settings.host),
		token: settings.token,
		ledger,
		jobs,
		faults,
		close: () => server.close(),
	};
}

function originOf(server: FastifyInstance, host: string): string {
	const { port } = server.server.address() as AddressInfo;
	return `http://${host}:${port}`;
}

function addBodyParsers(server: FastifyInstance): void {
	server.register(multipart, { limits: { fileSize: bodyLimitBytes } });
	server.removeContentTypeParser(['application/json', 'text/plain']);
	server.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
		try {
			// Clients may name the type even where they send no body.
			done(null, text === '' ? undefined : JSON.parse(text.toString()));
		} catch {
			done(new HttpProblem(400, 'The body is not valid JSON'));
		}
	});
}

function addAnswersToProblems(server: FastifyInstance): void {
	server.setNotFoundHandler((_, reply) =>
		reply.code(404).send({ success: false, message: 'There is nothing at this path' }),
	);
	server.setErrorHandler<Error & { statusCode?: number }>((error, _, reply) =>
		reply.code(error.statusCode ?? 500).send({ success: false, message: error.message }),
	);
}
