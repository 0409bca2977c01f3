import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { command, freePort, server, until } from './processes.mjs';

/**
 * Starts a PostgreSQL of its own on a loopback port; its data is gone in the end.
 *
 * @param postgres path of the program; the others are beside it
 * @returns the settings with which n8n finds it
 */
export async function startPostgres(postgres, { log, cleanups }) {
	const folder = await mkdtemp(join(tmpdir(), 'data-extraction-agent-postgres-'));
	cleanups.unshift(() => rm(folder, { recursive: true, force: true }));
	// PostgreSQL refuses to run as root.
	const asRoot = process.getuid() === 0;
	const user = asRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
	if (asRoot) await command('chown', ['postgres:postgres', folder]);
	const line = (program, ...args) => {
		const [file, ...rest] = [...user, join(dirname(postgres), program), ...args];
		return [file, rest];
	};

	const initialize = ['--username=n8n', '--auth=trust', '--encoding=UTF8', '--no-locale'];
	await command(...line('initdb', `--pgdata=${folder}`, '--no-sync', ...initialize), {
		cwd: folder,
	});
	const port = String(await freePort());
	const settings = {
		listen_addresses: '127.0.0.1',
		unix_socket_directories: '',
		fsync: 'off',
		synchronous_commit: 'off',
		full_page_writes: 'off',
	};
	const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
	const process_ = server(...line('postgres', '-D', folder, '-p', port, ...options), {
		cwd: folder,
		log,
	});
	cleanups.unshift(() => process_.stop());
	await until('PostgreSQL to start', async () => {
		if (process_.exitCode !== null) throw new Error(`PostgreSQL ended at once, see ${log}`);
		const asked = command(...line('pg_isready', '--host=127.0.0.1', `--port=${port}`));
		return await asked.catch(() => undefined);
	});
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: port,
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: 'n8n',
	};
}

/**
 * Starts a Redis of its own on a loopback port; it keeps everything in memory.
 *
 * @returns the settings with which n8n finds it
 */
export async function startRedis(redis, { log, cleanups }) {
	const port = String(await freePort());
	const args = ['--bind', '127.0.0.1', '--port', port, '--save', '', '--appendonly', 'no'];
	const process_ = server(redis, args, { log });
	cleanups.unshift(() => process_.stop());
	return { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: port };
}
