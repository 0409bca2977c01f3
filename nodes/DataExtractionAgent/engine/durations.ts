/** Older durations say little about a service whose load changes. */
const REMEMBERED = 100;

/** How long the jobs of one node run took, for the schedule of those that follow. */
export class Durations {
	private readonly recentMs: number[] = [];

	private ascendingMs: number[] = [];

	/**
	 * A job was still in progress at one look and done at the next: its duration lies between.
	 *
	 * @param inProgressMs time elapsed at the last look at which it was not done
	 * @param doneMs time elapsed at the look at which it was
	 */
	add(inProgressMs: number, doneMs: number): void {
		this.recentMs.push((inProgressMs + doneMs) / 2);
		if (this.recentMs.length > REMEMBERED) this.recentMs.shift();
		this.ascendingMs = [...this.recentMs].sort((a, b) => a - b);
	}

	/** The durations in ascending order. */
	get sortedMs(): readonly number[] {
		return this.ascendingMs;
	}
}
