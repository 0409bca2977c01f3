/** Older jobs say little about a service whose load changes. */
const REMEMBERED_JOBS = 100;

/** How long the jobs of one node run took, for the schedule of those that follow. */
export class Durations {
	private readonly recentMs: Array<[number, number]> = [];

	private estimatesMs: number[] = [];

	private doneMs: number[] = [];

	/**
	 * A job was still in progress at one look and done at the next: its duration lies between. Two
	 * points there stand for it, so that later jobs are looked at on both sides of the middle.
	 *
	 * @param inProgressMs time elapsed at the last look at which it was not done
	 * @param doneMs time elapsed at the look at which it was
	 */
	add(inProgressMs: number, doneMs: number): void {
		this.recentMs.push([inProgressMs, doneMs]);
		if (this.recentMs.length > REMEMBERED_JOBS) this.recentMs.shift();
		this.estimatesMs = this.recentMs.flatMap(quarters).sort((a, b) => a - b);
		this.doneMs = this.recentMs.map(([, done]) => done).sort((a, b) => a - b);
	}

	/** Estimated durations in ascending order, two for each job. */
	get sortedMs(): readonly number[] {
		return this.estimatesMs;
	}

	/** Times elapsed at which jobs were seen to be done, in ascending order. */
	get seenDoneMs(): readonly number[] {
		return this.doneMs;
	}
}

function quarters([inProgressMs, doneMs]: [number, number]): [number, number] {
	const quarterMs = (doneMs - inProgressMs) / 4;
	return [inProgressMs + quarterMs, doneMs - quarterMs];
}
