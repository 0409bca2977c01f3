import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres, startRedis } from './databases.mjs';
import { startN8n } from './n8n.mjs';
import { createNpmShim } from './npmShim.mjs';
import { endWithThisProcess, freePort, until } from './processes.mjs';

const queueSettings = {
	EXECUTIONS_MODE: 'queue',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
	// The executions of a dead worker are noticed in less than half of the usual time.
	QUEUE_WORKER_LOCK_DURATION: '30000',
	QUEUE_WORKER_STALLED_INTERVAL: '10000',
	// For workers that begin after a package was installed; the others hear of it from the main process.
	N8N_REINSTALL_MISSING_PACKAGES: 'true',
};

/**
 * Starts the main process of n8n in queue mode, with a PostgreSQL and a Redis of its own. Every
 * process has a user folder of its own, as if it were on a machine of its own.
 *
 * @returns the main process, and `addWorker`, which starts a worker and gives it once it is ready
 */
export async function startQueue(context) {
	const { release, programs, system, project, folder, tarball, version, cleanups } = context;
	const logOf = (name) => join(folder, `${name}.log`);
	const [database, redis] = await Promise.all([
		startPostgres(system.postgres, { log: logOf('postgres'), cleanups }),
		startRedis(system.redis, { log: logOf('redis'), cleanups }),
	]);
	const mainFolder = join(folder, 'main');
	await mkdir(mainFolder);
	const n8n = await startN8n({
		...programs,
		folder: mainFolder,
		cwd: project,
		path: [await createNpmShim(join(folder, 'bin'), { tarball, version })],
		env: { ...release.env, ...queueSettings, ...database, ...redis },
	});
	cleanups.unshift(() => n8n.stop());

	async function addWorker(name) {
		const workerFolder = join(folder, name);
		await mkdir(workerFolder);
		const { node, script } = programs;
		const worker = await startWorker({
			name,
			line: [node, script, 'worker', '--concurrency=20'],
			folder: workerFolder,
			cwd: project,
			env: n8n.env,
		});
		cleanups.unshift(() => worker.kill('SIGTERM'));
		await worker.ready();
		return worker;
	}
	return { n8n, addWorker };
}

async function startWorker({ name, line: [file, ...args], folder, cwd, env }) {
	const [port, brokerPort] = [await freePort(), await freePort()];
	const log = join(folder, 'n8n.log');
	const output = openSync(log, 'w');
	const child = spawn(file, args, {
		cwd,
		stdio: ['ignore', output, output],
		env: {
			...env,
			HOME: folder,
			TMPDIR: folder,
			N8N_USER_FOLDER: folder,
			N8N_RUNNERS_BROKER_PORT: String(brokerPort),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
		},
	});
	endWithThisProcess(child);
	closeSync(output);
	const ended = once(child, 'exit');
	const readLog = () => readFile(log, 'utf8');
	return {
		name,
		async ready() {
			await until(
				`${name} to start`,
				async () => {
					if (child.exitCode !== null) throw new Error(`${name} ended at once, see ${log}`);
					const health = fetch(`http://127.0.0.1:${port}/healthz/readiness`);
					return (await health.catch(() => undefined))?.ok || undefined;
				},
				{ seconds: 120 },
			);
		},
		/** Waits for a package that the main process has installed. */
		async hasInstalled(packageName) {
			const line = `Community package installed: ${packageName}`;
			await until(`${packageName} on ${name}`, async () => {
				return (await readLog()).includes(line) || undefined;
			});
		},
		/** IDs of the executions that it has begun or gone on with, in order. */
		async executionIds() {
			const lines = (await readLog()).matchAll(/Worker started execution (\d+)/g);
			return [...lines].map(([, id]) => id);
		},
		/** Sends a signal, and waits until the process has ended. */
		async kill(signal) {
			child.kill(signal);
			const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
			await ended;
			clearTimeout(timer);
		},
	};
}
