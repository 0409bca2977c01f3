import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from './processes.mjs';

const chromiumFiles = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'];
const postgresReleases = '/usr/lib/postgresql';

/** Programs that no npm package brings along: how each is found, and the Debian package it is in. */
const programs = {
	chromium: { find: () => existing(chromiumFiles), debian: 'chromium' },
	redis: { find: () => existing(['/usr/bin/redis-server']), debian: 'redis-server' },
	postgres: { find: findPostgres, debian: 'postgresql' },
};

/**
 * Paths of programs; what is missing is installed where that is possible.
 *
 * @param names of `programs`
 * @returns the path of each; PostgreSQL's other programs are beside `postgres`
 */
export async function systemPrograms(names) {
	const missing = [];
	for (const name of names) {
		if ((await programs[name].find()) === undefined) missing.push(programs[name].debian);
	}
	if (missing.length > 0) await installDebian(missing);
	const found = {};
	for (const name of names) found[name] = await programs[name].find();
	return found;
}

async function installDebian(packages) {
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new Error(`Install these first, or run this as root on Debian: ${packages.join(', ')}`);
	}
	console.log(`Installing ${packages.join(', ')}`);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	await command('apt-get', ['update', '--quiet'], { env });
	await command('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], { env });
}

async function findPostgres() {
	const folders = await readdir(postgresReleases).catch(() => []);
	return existing(folders.map((folder) => join(postgresReleases, folder, 'bin/postgres')));
}

function existing(paths) {
	return paths.find((path) => path !== undefined && existsSync(path));
}
