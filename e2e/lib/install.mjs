import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { command } from './processes.mjs';

/** Everything that is installed or written; ignored by git. */
export const cache = join(dirname(fileURLToPath(import.meta.url)), '..', '.n8n');

const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

/** Installs a folder's package.json once; the folder counts as installed when this has ended well. */
async function installOnce(folder, packageJson, args, after = async () => {}) {
	const text = JSON.stringify({ private: true, ...packageJson }, null, '\t');
	const mark = join(folder, 'installed.json');
	if (existsSync(mark) && (await readFile(mark, 'utf8')) === text) return;
	await mkdir(folder, { recursive: true });
	await rm(mark, { force: true });
	await writeFile(join(folder, 'package.json'), text);
	await command('npm', ['install', ...quiet, ...args], { cwd: folder });
	await after();
	await writeFile(mark, text);
}

/** @returns the path of a Node.js of this major version */
export async function installNode(major) {
	if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
	const folder = join(cache, `node-${major}`);
	await installOnce(folder, { dependencies: { node: String(major) } }, ['--ignore-scripts=false']);
	return join(folder, 'node_modules', 'node', 'bin', 'node');
}

/** @returns the path of n8n's command line script */
export async function installN8n({ version, overrides }) {
	const folder = join(cache, `n8n-${version}`);
	const packageJson = { dependencies: { n8n: version }, overrides };
	await installOnce(folder, packageJson, ['--legacy-peer-deps', '--ignore-scripts'], async () => {
		// The only native module that a plain n8n cannot do without.
		await command('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], { cwd: folder });
	});
	return join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
}

/** Packs the built project. @returns the path of the tarball */
export async function pack(project) {
	const destination = join(cache, 'package');
	await rm(destination, { recursive: true, force: true });
	await mkdir(destination, { recursive: true });
	const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
	const [{ filename }] = JSON.parse(await command('npm', args, { cwd: project }));
	const tarball = join(destination, 'package.tgz');
	await rename(join(destination, filename), tarball);
	return tarball;
}
