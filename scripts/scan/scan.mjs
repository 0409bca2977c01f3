// Runs the checks of n8n's scanner of community packages, which n8n requires to pass for a verified
// node: on the source, and on what `npm publish` would upload. The scanner's own command takes
// published packages only. Its check of the provenance is left out: there is none before publishing.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

/** What the scanner looks at in a tarball. */
const PACKED_FILE_PATTERNS = ['**/*.js', 'package.json'];

const project = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'scan-'));

/** Packs the project into the folder and unpacks it there, as an installation does. */
function unpackTarball() {
	run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], project);
	const [tarball] = readdirSync(folder);
	run('tar', ['-xzf', tarball], folder);
	return join(folder, 'package');
}

function run(command, args, cwd) {
	const { status, error, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
	if (status !== 0) throw error ?? new Error(`${command} ${args[0]}: ${stderr}`);
}

async function scan(title, directory, patterns) {
	const { passed, message, details = '' } = await analyzePackage(directory, patterns);
	// It also passes where it found no file to look at, and then has something to say.
	const isClean = passed && message === undefined;
	console.log(isClean ? `ok    ${title}` : `FAIL  ${title}: ${message}\n${details}`);
	if (!isClean) process.exitCode = 1;
}

try {
	await scan('source', project, SOURCE_FILE_PATTERNS);
	await scan('package', unpackTarball(), PACKED_FILE_PATTERNS);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
