import { canceledCode, runDemo } from './demo.cts';
import { openService, SettingsError } from './service.cts';

const settingsCode = 2;
const failedCode = 1;

async function main(): Promise<number> {
	const controller = new AbortController();
	// Only the first Ctrl-C is ours: a second one ends the process at once.
	process.once('SIGINT', () => {
		controller.abort();
	});
	// Whoever read the output has gone, as in `npm run demo | head`.
	process.stdout.on('error', () => {
		controller.abort();
	});
	const service = await openService(process.env);
	try {
		const code = await runDemo(service, process.stdout, controller.signal);
		return controller.signal.aborted ? canceledCode : code;
	} finally {
		await service.close();
	}
}

main().then(
	(code) => {
		process.exitCode = code;
	},
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = error instanceof SettingsError ? settingsCode : failedCode;
	},
);
