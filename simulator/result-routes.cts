import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from './context.cts';
import type { Job, ResultEnvelope } from './jobs.cts';
import type { Operation } from './ledger.cts';
import { HttpProblem } from './problem.cts';
import { checkGuid } from './validate.cts';

const documentPath = '/api/v2/document/result/{id}';
const firstRowPath = '/api/v2/results/{id}/first';

/** Every place where a client may look for a job's result, whether or not this service uses it. */
const knownPlaces: Record<string, Operation> = {
	[documentPath]: 'document.getResult',
	'/api/v2/extract/result/{id}': 'urlExtract.getResult',
	'/api/v2/dataset/result/{id}': 'dataset.getResult',
	[firstRowPath]: 'runResult.getFirst',
};

/** The operations that read a result. */
export function addResultRoutes(server: FastifyInstance, context: Context): void {
	const { jobs, settings } = context;
	const { urlExtract, dataset } = settings.resultPath;
	const places = {
		[urlExtract]: 'customResult',
		[dataset]: 'customResult',
		...knownPlaces,
	} as const;

	for (const [place, operation] of Object.entries(places)) {
		const path = place.replace('{id}', ':id');
		server.get<{ Params: { id: string } }>(path, { config: { operation } }, (request, reply) =>
			answer(reply, async () => {
				const id = checkGuid('result_id', request.params.id);
				const row = place === firstRowPath ? jobs.rowResult(id, 'first') : undefined;
				const job = jobs.get(id);
				if (row !== undefined || job === undefined) return row;
				return placeOf(job, settings.resultPath) === place ? jobs.jobResult(job) : undefined;
			}),
		);
	}

	server.get<{ Params: { id: string; resultId: string } }>(
		'/api/v2/results/:id/:resultId',
		{ config: { operation: 'runResult.get' } },
		({ params }, reply) =>
			answer(reply, async () => {
				const runId = checkGuid('run_id', params.id);
				return jobs.rowResult(runId, checkGuid('result_id', params.resultId));
			}),
	);

	server.get<{ Params: { id: string } }>(
		'/api/v2/workflow/:id/latest.json',
		{ config: { operation: 'workflow.getLatest' } },
		({ params }, reply) =>
			answer(reply, async () => jobs.workflowResult(checkGuid('workflow_id', params.id))),
	);
}

function placeOf({ task }: Job, resultPath: Context['settings']['resultPath']): string {
	return task.kind === 'document' ? documentPath : resultPath[task.kind];
}

async function answer(
	reply: FastifyReply,
	find: () => Promise<ResultEnvelope | undefined>,
): Promise<FastifyReply> {
	const envelope = await find();
	if (envelope === undefined) throw new HttpProblem(404, 'There is no such result');
	return reply.send(envelope);
}
