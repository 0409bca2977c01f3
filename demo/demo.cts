import { createEngine, type Engine, type OutcomeError } from '../harness/engine.cts';
import { canRun, exampleFiles, loadExample, type Example } from './examples.cts';
import { findingsOf } from './findings.cts';
import { showProgress, type Screen } from './progress.cts';
import { reportLines } from './report.cts';
import type { Service } from './service.cts';
import { count, oneLine } from './text.cts';

/** The user pressed Ctrl-C. */
export const canceledCode = 130;
const failedCode = 1;

/** Ends of the demo that are no success. */
class Stop extends Error {
	constructor(
		readonly code: number,
		readonly lines: string[],
	) {
		super(lines.join('\n'));
	}
}

/**
 * Runs the example workflows in n8n's engine and prints what they extract.
 *
 * @returns the exit code
 */
export async function runDemo(
	service: Service,
	screen: Screen,
	signal: AbortSignal,
): Promise<number> {
	const print = (...lines: string[]) => screen.write(`${lines.join('\n')}\n`);
	const startedAt = Date.now();
	print(`Running the example workflows in n8n's engine, against`, `${service.title}.`, '');
	const engine = await createEngine({
		credentials: {
			dataExtractionAgentApi: {
				data: { baseUrl: service.baseUrl, accessToken: service.accessToken },
			},
		},
	});
	const reports: string[] = [];
	let done = 0;
	let code = 0;
	let ending: string[] = [];
	try {
		for (const file of exampleFiles) {
			const example = await loadExample(file, service);
			if (!canRun(example, service)) {
				print(`  – ${example.name}: left out, because DEMO_WORKFLOW_ID is not set`);
				continue;
			}
			reports.push('', ...(await runExample(engine, example, service, screen, signal)));
			done += 1;
		}
	} catch (error) {
		if (!(error instanceof Stop)) throw error;
		({ code, lines: ending } = error);
	} finally {
		engine.close();
	}
	print(...reports, '');
	print(...(code === 0 ? summary(service, done, Date.now() - startedAt) : ending));
	return code;
}

async function runExample(
	engine: Engine,
	example: Example,
	service: Service,
	screen: Screen,
	signal: AbortSignal,
): Promise<string[]> {
	let cancel = () => {
		// Nothing runs yet.
	};
	const onAbort = () => {
		cancel();
	};
	signal.addEventListener('abort', onAbort);
	const endProgress = showProgress(screen, example.name, service);
	let mark = '✗';
	try {
		const outcome = await engine.run(example.workflow, {
			onStarted(control) {
				({ cancel } = control);
				// The signal may have come while the engine got ready.
				if (signal.aborted) cancel();
			},
		});
		if (outcome.status === 'canceled') {
			throw new Stop(canceledCode, [
				'Canceled. Jobs that were already started go on in the service.',
			]);
		}
		if (outcome.error !== undefined) throw new Stop(failedCode, failure(example, outcome.error));
		mark = '✓';
		return [`${example.name} (${example.path})`, ...reportLines(findingsOf(example, outcome))];
	} finally {
		endProgress(mark);
		signal.removeEventListener('abort', onAbort);
	}
}

function failure({ name }: Example, { message, description }: OutcomeError): string[] {
	const said = [message, description ?? ''].flatMap((text) => text.split('\n')).map(oneLine);
	return [`"${name}" failed.`, ...said.filter((line) => line !== '')];
}

function summary({ activity }: Service, workflows: number, elapsedMs: number): string[] {
	const facts = [count(workflows, 'workflow')];
	if (activity !== undefined) {
		const { jobsStarted, requests } = activity();
		facts.push(`${count(jobsStarted, 'job')} started`, count(requests, 'request'));
	}
	return [
		`${facts.join(', ')}, all results in ${(elapsedMs / 1000).toFixed(1)} s.`,
		'',
		'To use the node in your own n8n, see "Installation" in README.md; the workflows in examples/',
		'can be imported there, and `npm run simulator` keeps a simulated service running for them.',
	];
}
