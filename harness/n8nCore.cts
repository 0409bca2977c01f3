import { mkdtempSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Workflow } from 'n8n-workflow';

/** n8n-core and the two of its dependencies that the harness talks to, all of one engine. */
export interface N8nCore {
	core: typeof import('n8n-core');
	di: typeof import('@n8n/di');
	common: typeof import('@n8n/backend-common');
	/** Major version of n8n-core: 1 or 2. */
	major: number;
}

let userFolder: string | undefined;
let loaded: N8nCore | undefined;
let users = 0;

/**
 * Loads the engine that jest.config.js selects, and counts the caller as its user until
 * {@link releaseCore}.
 */
export function acquireCore(): N8nCore {
	users += 1;
	// n8n-core keeps a configuration file, and would otherwise write it to the home folder.
	userFolder ??= mkdtempSync(join(tmpdir(), 'n8n-harness-'));
	mkdirSync(userFolder, { recursive: true });
	process.env.N8N_USER_FOLDER = userFolder;
	process.env.N8N_LOG_LEVEL = 'silent';
	process.env.N8N_DIAGNOSTICS_ENABLED = 'false';
	loaded ??= loadCore();
	return loaded;
}

/** Removes the user folder when nobody uses the engine any more. */
export function releaseCore(): void {
	users -= 1;
	if (users === 0 && userFolder !== undefined) {
		rmSync(userFolder, { recursive: true, force: true });
	}
}

function loadCore(): N8nCore {
	const engine = process.env.N8N_ENGINE === '1' ? 'engines/n8n-1' : '.';
	const manifest = resolve(engine, 'node_modules/n8n-core/package.json');
	// The container and the logger are singletons of the copy that this n8n-core itself sees, so they
	// are resolved from its place, not from here.
	const requireFromCore = createRequire(manifest);
	const workflow = requireFromCore('n8n-workflow') as typeof import('n8n-workflow');
	if (workflow.Workflow !== Workflow) {
		throw new Error('Two copies of n8n-workflow: N8N_ENGINE only works in jest, which maps it');
	}
	const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
	const n8n: N8nCore = {
		core: requireFromCore('n8n-core') as typeof import('n8n-core'),
		di: requireFromCore('@n8n/di') as typeof import('@n8n/di'),
		common: requireFromCore('@n8n/backend-common') as typeof import('@n8n/backend-common'),
		major: Number.parseInt(version, 10),
	};
	if (n8n.major === 1) stopSshTimer(n8n, requireFromCore);
	return n8n;
}

/** Every node context of 1.x brings up a manager of SSH clients, whose timer keeps the process alive. */
function stopSshTimer({ di }: N8nCore, requireFromCore: NodeJS.Require): void {
	const { SSHClientsManager } = requireFromCore(
		'./dist/execution-engine/ssh-clients-manager.js',
	) as { SSHClientsManager: new () => { cleanupTimer: NodeJS.Timeout } };
	clearInterval(di.Container.get(SSHClientsManager).cleanupTimer);
}
