import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { answerAndExit } from '../lib/children.cts';

/** A package's folder, as its only argument in JSON. */
const folder = JSON.parse(process.argv[2]) as string;
const requireFromPackage = createRequire(join(folder, 'package.json'));

interface Manifest {
	n8n: { nodes?: string[]; credentials?: string[] };
}
const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

// n8n itself has loaded this long before.
requireFromPackage('n8n-workflow');
const startedMs = performance.now();
for (const file of [...(n8n.nodes ?? []), ...(n8n.credentials ?? [])]) {
	requireFromPackage(join(folder, file));
}
answerAndExit({ requireMs: performance.now() - startedMs });
