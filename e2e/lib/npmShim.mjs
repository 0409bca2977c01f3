import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from './processes.mjs';

/**
 * Writes an `npm` that answers questions about the package from its tarball and leaves everything
 * else to the real npm: n8n installs the package with its own code, as if it were published.
 *
 * @returns a folder to put first on the PATH
 */
export async function createNpmShim(folder, { tarball, version }) {
	const npm = (await command('which', ['npm'])).trim();
	const script = `#!${process.execPath}
const { copyFileSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const [name, ...args] = process.argv.slice(2);
if (name === 'pack') {
	copyFileSync(${JSON.stringify(tarball)}, 'package.tgz');
	console.log('package.tgz');
} else if (name === 'view') {
	console.log(JSON.stringify(${JSON.stringify(version)}));
} else if (name === 'outdated') {
	console.log('{}');
} else {
	const { status } = spawnSync(${JSON.stringify(npm)}, [name, ...args], { stdio: 'inherit' });
	process.exitCode = status ?? 1;
}
`;
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'npm'), script);
	await chmod(join(folder, 'npm'), 0o755);
	return folder;
}
