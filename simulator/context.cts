import type { Faults } from './faults.cts';
import type { Jobs } from './jobs.cts';
import type { Ledger, LedgerEntry, Operation } from './ledger.cts';
import type { Settings } from './options.cts';
import type { Upload } from './upload.cts';

/** What the parts of the simulator share. */
export interface Context {
	settings: Settings;
	ledger: Ledger;
	jobs: Jobs;
	faults: Faults;
}

declare module 'fastify' {
	interface FastifyContextConfig {
		operation?: Operation;
	}
	interface FastifyRequest {
		/** This request's line in the ledger. */
		entry: LedgerEntry;
		/** The multipart body, once it is received. */
		upload?: Upload;
	}
}
