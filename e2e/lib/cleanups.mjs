const stacks = new Set();

/**
 * What has to be undone in the end, whatever happens: newest first, also after Ctrl-C.
 *
 * @returns a list to `unshift` actions to, and the function that runs them
 */
export function createCleanups() {
	const actions = [];
	async function cleanUp() {
		// Taken one by one, so that an interruption in the middle goes on where this was.
		while (actions.length > 0) {
			try {
				await actions.shift()();
			} catch (error) {
				console.log(`While cleaning up: ${error.message}`);
			}
		}
		stacks.delete(cleanUp);
	}
	stacks.add(cleanUp);
	return { actions, cleanUp };
}

/** Makes Ctrl-C and a termination clean up everything before the process ends. */
export function cleanUpWhenInterrupted() {
	for (const [signal, code] of [
		['SIGINT', 130],
		['SIGTERM', 143],
	]) {
		process.once(signal, async () => {
			await Promise.all([...stacks].map((cleanUp) => cleanUp()));
			process.exit(code);
		});
	}
}
