import type { Job } from './jobs.cts';
import type { InputsLocation } from './validate.cts';

/** How the simulated service is to behave; everything has a default. */
export interface SimulatorOptions {
	/** 0, the default, takes a free port. */
	port?: number;
	/** Default `127.0.0.1`. */
	host?: string;
	/** The only access token that is accepted. Default `demo-token`. */
	token?: string;
	/** How long a job is in progress. Default 1500. */
	jobDurationMs?: number | ((job: Job) => number);
	/** A job answers 404 for this long after its start. Default 0. */
	notFoundMs?: number;
	/** Where results are read that the service's document does not locate; other places answer 404. */
	resultPath?: Partial<ResultPaths>;
	/** A folder of HTML files, served without authentication under `/pages/`. */
	pagesDirectory?: string;
	/** Whether to print one line per request. */
	log?: boolean;
	/** Where a dataset's `query` and `method` are taken from. Default `any`. */
	inputsLocation?: InputsLocation;
	/** Larger uploads are answered with 413. Default: no limit. */
	maxUploadBytes?: number;
}

/** Path templates with `{id}`. */
export interface ResultPaths {
	urlExtract: string;
	dataset: string;
}

/** The options with their defaults filled in. */
export type Settings = Required<Omit<SimulatorOptions, 'pagesDirectory' | 'resultPath'>> & {
	pagesDirectory: string | undefined;
	resultPath: ResultPaths;
};

/** Fills in the defaults. */
export function settingsOf(options: SimulatorOptions): Settings {
	return {
		port: options.port ?? 0,
		host: options.host ?? '127.0.0.1',
		token: options.token ?? 'demo-token',
		jobDurationMs: options.jobDurationMs ?? 1500,
		notFoundMs: options.notFoundMs ?? 0,
		resultPath: {
			urlExtract: options.resultPath?.urlExtract ?? '/api/v2/extract/result/{id}',
			dataset: options.resultPath?.dataset ?? '/api/v2/dataset/result/{id}',
		},
		pagesDirectory: options.pagesDirectory,
		log: options.log ?? false,
		inputsLocation: options.inputsLocation ?? 'any',
		maxUploadBytes: options.maxUploadBytes ?? Infinity,
	};
}
