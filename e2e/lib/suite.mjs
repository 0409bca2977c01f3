import { inspect } from 'node:util';
import { drawTable } from './table.mjs';

/** A check that has not ended by then has failed. */
const LIMIT_MINUTES = 8;

/**
 * Outcomes of steps, printed as they end.
 *
 * @returns `step`, which runs one and gives its value, or `undefined` where it failed
 */
export function createReport(target) {
	const outcomes = new Map();
	async function step(title, action) {
		const start = performance.now();
		const outcome = {};
		let value;
		try {
			value = await inTime(action());
		} catch (error) {
			outcome.error = error;
		}
		outcome.seconds = (performance.now() - start) / 1000;
		outcomes.set(title, outcome);
		const sign = outcome.error ? '✗' : '✓';
		console.log(`${sign} ${target.title}: ${title} (${outcome.seconds.toFixed(1)} s)`);
		if (outcome.error) console.log(inspect(outcome.error));
		return value;
	}
	return { target, outcomes, step };
}

async function inTime(promise) {
	let timer;
	const limit = new Promise((_, reject) => {
		timer = setTimeout(
			() => reject(new Error(`No end after ${LIMIT_MINUTES} minutes`)),
			LIMIT_MINUTES * 60_000,
		);
	});
	try {
		return await Promise.race([promise, limit]);
	} finally {
		clearTimeout(timer);
	}
}

/**
 * All outcomes, a line for each check and a column for each target.
 *
 * @param plan the titles that each target had to reach, by target
 */
export function summarize(reports, plan) {
	const targets = [...plan.keys()];
	const titles = [...new Set([...plan.values()].flat())];
	let passed = 0;
	let failed = 0;
	const cell = (target, title) => {
		if (!plan.get(target).includes(title)) return '–';
		const report = reports.find((one) => one.target === target && one.outcomes.has(title));
		const outcome = report?.outcomes.get(title);
		if (outcome !== undefined && !outcome.error) {
			passed += 1;
			return `ok  ${outcome.seconds.toFixed(1)} s`;
		}
		failed += 1;
		return outcome === undefined ? 'NOT REACHED' : 'FAILED';
	};
	const rows = titles.map((title) => [title, ...targets.map((target) => cell(target, title))]);
	const head = ['Check', ...targets.map(({ title }) => title)];
	return { table: drawTable([head, ...rows]), passed, failed };
}
