import { inspect } from 'node:util';
import { LoggerProxy } from 'n8n-workflow';
import type { N8nCore } from './n8nCore.cts';

const sinks = new Set<string[]>();
let patched = false;

/**
 * Sends everything that n8n and the nodes log to the open sinks instead of the console, whatever its
 * level: a secret in a debug message is a leak as well.
 */
export function captureLogs({ common, di }: N8nCore): void {
	if (!patched) {
		patched = true;
		// Scoped loggers are instances of their own, so the class is patched.
		for (const level of ['error', 'warn', 'info', 'debug', 'verbose'] as const) {
			Object.defineProperty(common.Logger.prototype, level, {
				configurable: true,
				value: (message: string, metadata?: object) => {
					write(level, message, metadata);
				},
			});
		}
	}
	// n8n's own start-up does this too; without it LoggerProxy drops everything.
	LoggerProxy.init(di.Container.get(common.Logger));
}

/** Collects what is logged from now on, until the returned `close` is called. */
export function openLog(): { lines: string[]; close: () => void } {
	const lines: string[] = [];
	sinks.add(lines);
	return { lines, close: () => sinks.delete(lines) };
}

function write(level: string, message: string, metadata?: object): void {
	if (sinks.size === 0) return;
	const details =
		metadata === undefined
			? ''
			: ` ${inspect(metadata, { depth: 10, maxArrayLength: null, maxStringLength: null })}`;
	for (const sink of sinks) sink.push(`${level}: ${message}${details}`);
}
