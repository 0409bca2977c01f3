import type { IExecuteFunctions } from 'n8n-workflow';
import { badInput } from '../badInput';
import { readDeclaredRequest, type DeclaredRequest } from './declaredRequest';
import { listUploads, type Upload } from './document';
import { collection, type ItemParameters, type ParameterReader } from './parameters';

/** How long to wait for a result, and what to do at the end. */
export interface WaitPlan {
	maxWaitMs: number;
	/** Fixed time between two looks; adaptive where absent. */
	intervalMs?: number;
	onTimeout: 'error' | 'returnInProgress';
}

/** How a result becomes items. */
export interface OutputOptions {
	form: 'simplified' | 'data' | 'full';
	splitIntoItems: boolean;
	downloadScreenshots: boolean;
}

/** Everything that is to be done for one job, checked before the first request. */
export interface JobPlan {
	itemIndex: number;
	request: DeclaredRequest;
	/** The file that the request carries. */
	upload?: Upload;
	/** Candidates for where the result is read, with `{id}`. */
	resultPaths: readonly string[];
	/** Absent where the node answers at once. */
	wait?: WaitPlan;
	requestTimeoutMs?: number;
	output: OutputOptions;
}

/** Limits of the whole node run. */
export interface RunLimits {
	maxConcurrentJobs: number;
	maxRequestsPerSecond?: number;
}

/** One item, ready to run. */
export interface ItemPlan {
	jobs: JobPlan[];
	limits: RunLimits;
}

/**
 * Checks one item and plans its jobs. Sends nothing.
 *
 * @throws NodeOperationError that names the parameter and the item
 */
export async function planItem(
	context: IExecuteFunctions,
	parameters: ParameterReader,
	itemIndex: number,
): Promise<ItemPlan> {
	const item = parameters.read(itemIndex);
	const { values } = item;
	const request = await readDeclaredRequest(context, item);
	const batching = collection(values, 'batching');
	const job: JobPlan = {
		itemIndex,
		request,
		resultPaths: resultPathsOf(context, item, request),
		...(values.waitForCompletion === true && { wait: waitPlan(item) }),
		...(batching.requestTimeoutSeconds !== undefined && {
			requestTimeoutMs: Number(batching.requestTimeoutSeconds) * 1000,
		}),
		output: {
			form: (values.output as OutputOptions['form'] | undefined) ?? 'simplified',
			splitIntoItems: values.splitIntoItems === true,
			downloadScreenshots: values.downloadScreenshots === true,
		},
	};
	const uploads =
		values.binaryPropertyName === undefined
			? [undefined]
			: await listUploads(context, itemIndex, String(values.binaryPropertyName));
	return {
		jobs: uploads.map((upload) => (upload ? { ...job, upload } : job)),
		limits: {
			maxConcurrentJobs: Number(batching.maxConcurrentJobs ?? 10),
			...(batching.maxRequestsPerSecond !== undefined && {
				maxRequestsPerSecond: Number(batching.maxRequestsPerSecond),
			}),
		},
	};
}

function waitPlan({ values }: ItemParameters): WaitPlan {
	const { maxWaitSeconds, pollIntervalSeconds, onTimeout } = collection(values, 'waitOptions');
	return {
		maxWaitMs: Number(maxWaitSeconds ?? 600) * 1000,
		...(pollIntervalSeconds !== undefined && { intervalMs: Number(pollIntervalSeconds) * 1000 }),
		onTimeout: onTimeout === 'returnInProgress' ? 'returnInProgress' : 'error',
	};
}

function resultPathsOf(
	context: IExecuteFunctions,
	{ itemIndex, operation, values }: ItemParameters,
	request: DeclaredRequest,
): readonly string[] {
	const override = collection(values, 'options').resultPath;
	if (override === undefined) return operation.resultPaths ?? [request.path];
	const path = String(override);
	// A path that names a host would send the access token there.
	if (!/^\/(?![/\\])\S*$/.test(path) || !path.includes('{id}')) {
		throw badInput(
			context.getNode(),
			itemIndex,
			{ displayName: 'Result Path', name: 'resultPath' },
			path.includes('{id}') ? 'is not a path that begins with one /' : 'does not hold {id}',
			'Enter a path such as /api/v2/extract/result/{id}; it is added to the Base URL of the credential.',
		);
	}
	return [path];
}
