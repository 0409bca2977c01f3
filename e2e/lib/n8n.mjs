import { delimiter, dirname, join } from 'node:path';
import { parse } from 'flatted';
import { freePort, server, until } from './processes.mjs';
import { triggerOf } from './workflows.mjs';

const owner = {
	email: 'owner@example.com',
	firstName: 'Owner',
	lastName: 'Example',
	password: 'Extraction-2-Agents',
};

/** Starts n8n on a loopback port with an owner who is logged in. */
export async function startN8n({ node, script, folder, cwd, wantedPort, path = [], env = {} }) {
	const [port, brokerPort] = [await freePort(wantedPort), await freePort()];
	const log = join(folder, 'n8n.log');
	const environment = {
		PATH: [...path, dirname(node), process.env.PATH].join(delimiter),
		HOME: folder,
		TMPDIR: folder,
		N8N_USER_FOLDER: folder,
		N8N_ENCRYPTION_KEY: 'e2e',
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		// The default of n8n 2. Without a pool n8n 1 mixes up the transactions of parallel requests.
		DB_SQLITE_POOL_SIZE: '3',
		...env,
	};
	const process_ = server(node, [script, 'start'], { cwd, log, env: environment });
	const origin = `http://127.0.0.1:${port}`;
	const { rest, asset } = connect(origin);
	try {
		await until(
			'n8n to start',
			async () => {
				if (process_.exitCode !== null) throw new Error(`n8n ended at once, see ${log}`);
				const response = await fetch(`${origin}/healthz/readiness`).catch(() => undefined);
				return response?.ok ? true : undefined;
			},
			{ seconds: 120 },
		);
		await until('the owner to be set up', async () => {
			return await rest('POST', '/owner/setup', owner).catch((error) => {
				// Some seconds long, n8n answers before it has finished its start.
				if (error.status === 404 || error.status === 503) return undefined;
				// In a folder that has been used before, there is an owner.
				if (error.status === 400) return logIn(rest, owner);
				throw error;
			});
		});
	} catch (error) {
		await process_.stop();
		throw error;
	}
	return {
		origin,
		rest,
		asset,
		owner,
		log,
		env: environment,
		ended: process_.ended,
		stop: () => process_.stop(),
		...workflowCalls(rest),
	};
}

function logIn(rest, { email, password }) {
	return rest('POST', '/login', { emailOrLdapLoginId: email, password });
}

/** n8n's own API and its files, with the session cookie of whoever logs in. */
export function connect(origin) {
	let cookie = '';
	async function send(method, path, body) {
		return await fetch(`${origin}/${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				'browser-id': 'e2e',
				cookie,
				// A kept connection may be closed by a busy n8n just when it is used again.
				connection: 'close',
			},
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: AbortSignal.timeout(120_000),
		});
	}
	async function rest(method, path, body) {
		const response = await send(method, `rest${path}`, body);
		const [session] = response.headers.getSetCookie();
		if (session !== undefined) [cookie] = session.split(';');
		const text = await response.text();
		if (!response.ok) {
			const error = new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
			throw Object.assign(error, { status: response.status });
		}
		const answer = JSON.parse(text);
		return answer.data ?? answer;
	}
	return { rest, asset: (path) => send('GET', path) };
}

function workflowCalls(rest) {
	async function execution(id) {
		const { data, ...rest_ } = await rest('GET', `/executions/${id}`);
		return { ...rest_, data: typeof data === 'string' ? parse(data) : data };
	}
	return {
		execution,
		/** Starts a stored workflow as the editor's button does. @returns the execution's ID */
		async run(workflow) {
			const { executionId } = await rest('POST', `/workflows/${workflow.id}/run`, {
				workflowData: workflow,
				triggerToStartFrom: { name: triggerOf(workflow).name },
			});
			return executionId;
		},
		/** @returns the finished execution */
		finished(id, seconds = 60) {
			return until(
				`execution ${id}`,
				async () => {
					const found = await execution(id);
					if (['new', 'running', 'waiting'].includes(found.status)) return undefined;
					// For a moment, a finished execution has no data yet, or that of its beginning.
					const { error, runData = {} } = found.data?.resultData ?? {};
					const isStopped = ['canceled', 'crashed'].includes(found.status);
					return isStopped || error || Object.keys(runData).length > 0 ? found : undefined;
				},
				{ seconds },
			);
		},
	};
}

/** The items that a node put out, in all its runs. */
export function itemsOf(execution, node, output = 0) {
	const runs = execution.data.resultData.runData[node] ?? [];
	return runs.flatMap(({ data }) => data?.main[output] ?? []);
}
