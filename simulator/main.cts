import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { demoResultIds, demoRunId, demoWorkflowId } from './demo-data.cts';
import { startSimulator } from './server.cts';

/** Started by `npm run simulator`, hence from the project's folder. */
const pagesDirectory = resolve('examples/inputs/pages');

async function main(): Promise<void> {
	const port = Number(process.env.PORT ?? 3456);
	const simulator = await startSimulator({ port, pagesDirectory, log: true });
	const pages = await readdir(pagesDirectory);
	console.log(
		[
			'The simulated data-extraction service is running. Ctrl-C ends it.',
			`Base URL:     ${simulator.origin}`,
			`Access token: ${simulator.token}`,
			`Workflow ID:  ${demoWorkflowId}`,
			`Run ID:       ${demoRunId}`,
			`Result IDs:   ${demoResultIds.join(', ')}`,
			'Pages for URL extractions:',
			...pages.map((page) => `  ${simulator.origin}/pages/${page}`),
		].join('\n'),
	);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void simulator.close());
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
