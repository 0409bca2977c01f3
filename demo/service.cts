import { randomUUID } from 'node:crypto';
import { demoWorkflowId } from '../simulator/demo-data.cts';
import { startSimulator, type Simulator } from '../simulator/server.cts';

/** How far the service is with the work that the demo gives it. */
export interface Activity {
	jobsStarted: number;
	jobsDone: number;
	/** Looks at results. */
	polls: number;
	/** Everything that the node sent. */
	requests: number;
}

/** The service that the demo talks to. */
export interface Service {
	/** What to tell the user about it. */
	title: string;
	baseUrl: string;
	accessToken: string;
	/** Where the sample pages are; unset where the service cannot reach them. */
	pagesOrigin?: string;
	/** Pages to read instead of the sample pages. */
	urls?: string[];
	/** The workflow whose latest result is read; unset leaves that example out. */
	workflowId?: string;
	/** Only the simulator can tell. */
	activity?: () => Activity;
	close(): Promise<void>;
}

/** What the user has set is not enough to begin. */
export class SettingsError extends Error {}

const defaultUrls = ['https://example.com'];

/** Long enough for the progress to be seen, short enough for nobody to leave. */
function demoDurations(): () => number {
	let jobs = 0;
	return () => 2000 + ((jobs++ * 900) % 2100);
}

/** Takes the real service where the environment names one, and the simulator otherwise. */
export async function openService(env: NodeJS.ProcessEnv): Promise<Service> {
	const { BASE_URL: baseUrl = '', ACCESS_TOKEN: accessToken = '' } = env;
	if (baseUrl === '' && accessToken === '') return await simulatedService();
	if (baseUrl === '' || accessToken === '') {
		const [set, unset] =
			baseUrl === '' ? ['ACCESS_TOKEN', 'BASE_URL'] : ['BASE_URL', 'ACCESS_TOKEN'];
		throw new SettingsError(
			`${set} is set and ${unset} is not. Set both to use the real service, or neither to use the simulator.`,
		);
	}
	if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
		throw new SettingsError('BASE_URL must be an address that begins with https:// or http://.');
	}
	const urls = (env.DEMO_URLS ?? '').split(',').map((url) => url.trim());
	const givenUrls = urls.filter((url) => url !== '');
	return {
		title: `the service at ${new URL(baseUrl).host}`,
		baseUrl,
		accessToken,
		urls: givenUrls.length > 0 ? givenUrls : defaultUrls,
		workflowId: env.DEMO_WORKFLOW_ID || undefined,
		close: () => Promise.resolve(),
	};
}

/** The simulator, on a free port of this machine. */
export async function simulatedService(
	jobDurationMs: number | (() => number) = demoDurations(),
	token: string = randomUUID(),
): Promise<Service> {
	const simulator = await startSimulator({
		token,
		jobDurationMs,
		pagesDirectory: 'examples/inputs/pages',
	});
	return {
		title: `a simulated service on this machine (${simulator.origin})`,
		baseUrl: simulator.origin,
		accessToken: token,
		pagesOrigin: simulator.origin,
		workflowId: demoWorkflowId,
		activity: () => activityOf(simulator),
		close: () => simulator.close(),
	};
}

function activityOf({ ledger, jobs }: Simulator): Activity {
	const now = Date.now();
	// The agent's own visits to the sample pages are not requests of the node.
	const requests = ledger.entries.filter(({ operation }) => operation !== 'page');
	return {
		jobsStarted: ledger.starts.length,
		jobsDone: jobs.list.filter((job) => now >= job.acceptedAtMs + job.durationMs).length,
		polls: requests.filter(({ method }) => method === 'GET').length,
		requests: requests.length,
	};
}
