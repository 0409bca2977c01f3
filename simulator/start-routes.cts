import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AgentFile } from './agent/agent.cts';
import type { Context } from './context.cts';
import type { NewJob } from './jobs.cts';
import type { Operation } from './ledger.cts';
import { HttpProblem } from './problem.cts';
import { checkUpload } from './upload.cts';
import {
	checkNoneEmpty,
	readDatasetInputs,
	readDocumentSchema,
	readExtractionOptions,
	readUrl,
	readUrlSchema,
	type Query,
} from './validate.cts';

/** A long page takes more than one screenshot; the simulated pages never need more than these. */
const mostScreenshots = 2;

/** The three operations that start a job. */
export function addStartRoutes(server: FastifyInstance, context: Context): void {
	const { inputsLocation } = context.settings;

	addStart(server, context, '/api/v2/document/start', 'document.start', (request, query) => {
		const { model, extended, capScreenshots } = readExtractionOptions(query);
		const file = uploadedFile(request);
		const schema = file === undefined ? readDocumentSchema(request.body) : undefined;
		return {
			task: { kind: 'document', file, schema, extended },
			creditsUsed: model === 'large' ? 2 : 1,
			screenshotCount: Math.min(capScreenshots, file === undefined ? 0 : 1),
		};
	});

	addStart(server, context, '/api/v2/extract/start', 'urlExtract.start', (request, query) => {
		const url = readUrl(query);
		const { model, extended, capScreenshots } = readExtractionOptions(query);
		return {
			task: { kind: 'urlExtract', url, schema: readUrlSchema(request.body), extended },
			creditsUsed: model === 'large' ? 2 : 1,
			screenshotCount: Math.min(capScreenshots, mostScreenshots),
		};
	});

	addStart(server, context, '/api/v2/dataset/start', 'dataset.start', (request, parameters) => {
		const { query, method, schema } = readDatasetInputs(parameters, request.body, inputsLocation);
		return {
			task: { kind: 'dataset', query, schema },
			creditsUsed: method === 'advanced' ? 10 : 5,
			screenshotCount: 0,
		};
	});
}

function addStart(
	server: FastifyInstance,
	{ jobs }: Context,
	path: string,
	operation: Operation,
	wanted: (request: FastifyRequest, query: Query) => NewJob,
): void {
	server.post(path, { config: { operation } }, (request, reply) => {
		const query = request.query as Query;
		checkNoneEmpty(query);
		if (request.upload !== undefined && operation !== 'document.start') {
			throw new HttpProblem(415, 'The body must be JSON');
		}
		const job = jobs.start(wanted(request, query));
		request.entry.jobId = job.id;
		void reply.send({ message: 'The work has started', result: { id: job.id }, success: true });
	});
}

function uploadedFile({ upload }: FastifyRequest): AgentFile | undefined {
	if (upload === undefined) return undefined;
	const { fileName, size } = checkUpload(upload);
	return { fileName, content: upload.content, isComplete: upload.content.length === size };
}
