const open = new Set();

/**
 * What has to be undone in the end, whatever happens: newest first, also after Ctrl-C.
 *
 * @returns a list to `unshift` actions to, and the function that runs them
 */
export function createCleanups() {
	const actions = [];
	let ending;
	function cleanUp() {
		ending ??= runAll(actions).then(() => open.delete(cleanUp));
		return ending;
	}
	open.add(cleanUp);
	return { actions, cleanUp };
}

async function runAll(actions) {
	while (actions.length > 0) {
		try {
			await actions.shift()();
		} catch (error) {
			console.log(`While cleaning up: ${error.message}`);
		}
	}
}

/**
 * Makes Ctrl-C and a termination clean up everything before the process ends.
 *
 * @param exitCode what the process ends with then
 */
export function cleanUpWhenInterrupted(exitCode) {
	for (const signal of ['SIGINT', 'SIGTERM']) {
		process.once(signal, async () => {
			await Promise.all([...open].map((cleanUp) => cleanUp()));
			process.exit(exitCode);
		});
	}
}
