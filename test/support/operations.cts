import type { LedgerEntry } from '../../simulator/ledger.cts';
import { demoResultIds, demoRunId, demoWorkflowId } from '../../simulator/demo-data.cts';
import type { Simulator } from '../../simulator/server.cts';

/** The nine operations, by resource and name. */
export const operationNames = [
	'document.start',
	'document.getResult',
	'urlExtract.start',
	'urlExtract.getResult',
	'dataset.start',
	'dataset.getResult',
	'runResult.get',
	'runResult.getFirst',
	'workflow.getLatest',
] as const;

/** One of the nine operations. */
export type OperationName = (typeof operationNames)[number];

/** A page that the simulator serves. */
export const page = (simulator: Simulator) => `${simulator.origin}/pages/coffee-grinder.html`;

/** A schema as the `fields` form of the panel holds it, and as it is sent. */
export const priceFields = { field: [{ name: 'price', description: 'Price with currency' }] };
export const priceSchema = { price: 'Price with currency' };

/** Parameters with which each operation works and answers at once; nothing optional is set. */
export type MinimalParameters = Record<OperationName, { resource: string; operation: string }>;

/** Starts one job of each kind behind the node's back, so that there is something to read. */
export function minimalParameters(simulator: Simulator): MinimalParameters {
	const { jobs } = simulator;
	const cost = { creditsUsed: 1, screenshotCount: 0 };
	const document = jobs.start({ ...cost, task: { kind: 'document', extended: false } });
	const urlExtract = jobs.start({
		...cost,
		task: { kind: 'urlExtract', url: page(simulator), schema: priceSchema, extended: false },
	});
	const dataset = jobs.start({
		...cost,
		task: { kind: 'dataset', query: 'The longest rivers of Europe', schema: { name: 'Name' } },
	});
	const once = { waitForCompletion: false };
	return {
		'document.start': named('document.start', { documentInput: 'none', ...once }),
		'document.getResult': named('document.getResult', { resultId: document.id }),
		'urlExtract.start': named('urlExtract.start', {
			url: page(simulator),
			schemaMode: 'none',
			...once,
		}),
		'urlExtract.getResult': named('urlExtract.getResult', { resultId: urlExtract.id }),
		'dataset.start': named('dataset.start', { schemaFields: priceFields, ...once }),
		'dataset.getResult': named('dataset.getResult', { resultId: dataset.id }),
		'runResult.get': named('runResult.get', { runId: demoRunId, resultId: demoResultIds[1] }),
		'runResult.getFirst': named('runResult.getFirst', { runId: demoRunId }),
		'workflow.getLatest': named('workflow.getLatest', { workflowId: demoWorkflowId }),
	};
}

function named(name: OperationName, parameters: object) {
	const [resource, operation] = name.split('.');
	return { resource, operation, ...parameters };
}

/** What counts of a request on the wire. A header that was not sent is `undefined`. */
export interface WireRequest {
	method: string;
	path: string;
	query: LedgerEntry['query'];
	body: unknown;
	parts: number;
	authorization: string | undefined;
	accept: string | undefined;
	contentType: string | undefined;
}

/** A recorded request, reduced to what counts. */
export function onTheWire({ method, path, query, body, parts, headers }: LedgerEntry): WireRequest {
	return {
		method,
		path,
		query,
		body,
		parts,
		authorization: headers.authorization,
		accept: headers.accept,
		contentType: headers['content-type'],
	};
}
