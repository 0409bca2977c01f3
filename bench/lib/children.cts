import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Starts one of the programs in `processes/`, with a task as its only argument in JSON. */
export function startProcess(name: string, task: unknown = {}): ChildProcess {
	const folder = join(__dirname, '..', 'processes');
	return fork(join(folder, `${name}.cjs`), [JSON.stringify(task)], {
		// n8n's nodes use what Node has deprecated.
		execArgv: ['--no-deprecation', '--require', join(folder, 'selectEngine.cjs')],
	});
}

/** Runs a program that says one thing and ends. */
export async function runProcess<Answer>(name: string, task: unknown): Promise<Answer> {
	return await nextMessage<Answer>(startProcess(name, task));
}

/** The next message of a child process, or an error if it ends without one. */
export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
	const ended = new AbortController();
	const end = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
		throw new Error(`The process ended with ${String(code)}`);
	});
	try {
		const [message] = (await Promise.race([once(child, 'message'), end])) as [Message];
		return message;
	} finally {
		end.catch(() => undefined);
		ended.abort();
	}
}

/** Tells the parent the one thing, and ends. */
export function answerAndExit(answer: unknown): void {
	process.send?.(answer, undefined, undefined, () => process.exit());
}
