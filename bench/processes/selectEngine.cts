import { existsSync, realpathSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { resolve, sep } from 'node:path';

/** The part of Node's module loader that decides which file a name means. */
interface Loader {
	_resolveFilename(name: string, parent?: { filename: string | null }, ...more: unknown[]): string;
}

/**
 * Preloaded with `--require`: what `moduleNameMapper` does in jest. Every module sees one copy of
 * n8n-core and n8n-workflow, those that `N8N_ENGINE` selects. As in n8n itself, n8n's own nodes share
 * n8n-core's form-data too, which recognises a form by its class.
 */
const folder = process.env.N8N_ENGINE === '1' ? 'engines/n8n-1' : '.';
const requireFromCore = createRequire(resolve(folder, 'node_modules/n8n-core/package.json'));
const files = new Map(
	['n8n-core', 'n8n-workflow', 'form-data'].map((name) => [name, requireFromCore.resolve(name)]),
);
const wholeReleases = resolve('e2e/.n8n');
const releases = (existsSync(wholeReleases) ? realpathSync(wholeReleases) : wholeReleases) + sep;
const loader = Module as unknown as Loader;
const resolveFilename = loader._resolveFilename.bind(loader);

loader._resolveFilename = (name, parent, ...more) => {
	const isShared = name !== 'form-data' || parent?.filename?.startsWith(releases);
	const file = isShared ? files.get(name) : undefined;
	return file ?? resolveFilename(name, parent, ...more);
};
