import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:net';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const children = new Set();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** Whatever ends this process ends the child too. */
export function endWithThisProcess(child) {
	children.add(child);
	child.once('exit', () => children.delete(child));
}

/** Runs a command to its end. */
export async function command(file, args, { cwd, env = process.env, minutes = 9 } = {}) {
	try {
		const timeout = minutes * 60_000;
		const running = execute(file, args, { cwd, env, timeout, maxBuffer: 2 ** 26 });
		endWithThisProcess(running.child);
		const { stdout } = await running;
		return stdout;
	} catch (error) {
		const output = `${error.stdout ?? ''}\n${error.stderr ?? ''}`.trim().slice(-2000);
		throw new Error(`${file} ${args.join(' ')} failed: ${output || error.message}`);
	}
}

/** Starts a server whose output goes to a file. `stop` ends this process and no other. */
export function server(file, args, { cwd, env, log }) {
	const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
	endWithThisProcess(child);
	const output = createWriteStream(log);
	child.stdout.pipe(output, { end: false });
	child.stderr.pipe(output, { end: false });
	const ended = once(child, 'close').then(() => output.end());
	return {
		ended,
		get exitCode() {
			return child.exitCode;
		},
		async stop() {
			child.kill('SIGTERM');
			const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
			await ended;
			clearTimeout(timer);
		},
	};
}

/** A loopback port that is free now: the wanted one, if it is free. */
export async function freePort(wanted = 0) {
	const probe = createServer().listen(wanted, '127.0.0.1');
	try {
		await once(probe, 'listening');
	} catch (error) {
		if (error.code === 'EADDRINUSE') return await freePort();
		throw error;
	}
	const { port } = probe.address();
	probe.close();
	await once(probe, 'close');
	return port;
}

/** Asks again and again until the answer is not `undefined`. */
export async function until(what, ask, { seconds = 30, everyMs = 100 } = {}) {
	const end = Date.now() + seconds * 1000;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > end) throw new Error(`Waited ${seconds} seconds for ${what}`);
		await new Promise((resolve) => setTimeout(resolve, everyMs));
	}
}
