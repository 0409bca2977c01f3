/** Writes the tables of docs/performance.md from bench/results/*.json. Run from the project's folder. */
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const PAGE = 'docs/performance.md';

const results = (name) => JSON.parse(readFileSync(`bench/results/${name}.json`, 'utf8'));
const grouped = (value) => value.toLocaleString('en');
const ratio = (value) => value.toFixed(2);

const tables = { fanOut, polling, fewerJobs, realClock, overhead, upload, load, scale, queue };

/** Every way is a row, every number of items a column. */
function fanOut() {
	const { setting, rows } = results('fanOut');
	const sizes = [...new Set(rows.map(({ items }) => items))].sort((a, b) => a - b);
	const ways = {
		'ours, all at once': 'This node, all at once',
		'ours, 100 at a time': 'This node, 100 at a time',
		'ours, default': 'This node, default (10)',
		sequential: 'One after the other',
		'whole n8n, ours': 'In a whole n8n: this node, all at once',
		'whole n8n, without a package': 'In a whole n8n: without a package',
	};
	const cell = (way, items) => {
		const row = rows.find((one) => one.way === way && one.items === items);
		if (!row) return '';
		return `${grouped(Number(row.seconds.toFixed(1)))}${row.runs === 0 ? ' (calculated)' : ''}`;
	};
	return table(
		['Items', ...sizes.map(grouped)],
		[
			['Limit, all at once', ...sizes.map(() => setting.limitSeconds.toFixed(1))],
			...Object.entries(ways).map(([way, name]) => [
				name,
				...sizes.map((items) => cell(way, items)),
			]),
		],
	);
}

function comparisons(rows) {
	return table(
		[
			'Durations',
			'Requests per job',
			'Mean delay, s',
			'95 % within, s',
			'Requests ratio',
			'Mean delay ratio',
			'95 % ratio',
		],
		rows.map(({ distribution, ours, requestsToFixed, meanLagToFixed, p95LagToFixed }) => [
			distribution,
			ratio(ours.requestsPerJob),
			ratio(ours.meanLagSeconds),
			ours.p95LagSeconds.toFixed(1),
			...[requestsToFixed, meanLagToFixed, p95LagToFixed].map(ratio),
		]),
	);
}

function polling() {
	return comparisons(results('polling').simulated);
}

function fewerJobs() {
	return comparisons(results('polling').fewerJobs);
}

function realClock() {
	const { real } = results('polling').real;
	return table(
		['', 'Requests per job', 'Mean delay, s', '95 % within, s'],
		real.map(({ name, requestsPerJob, meanLagSeconds, p95LagSeconds }) => [
			name === 'ours' ? 'This node' : name.replace('every', 'Every'),
			...[requestsPerJob, meanLagSeconds, p95LagSeconds].map(ratio),
		]),
	);
}

function overhead() {
	const names = { ours: 'This node', declarative: 'Declarative node' };
	const all = Object.entries(results('overhead'));
	return table(
		['Reads', 'Node', 'Time', 'CPU time', 'Peak memory', 'Memory growth'],
		all.flatMap(([setting, rows]) =>
			rows
				.filter(({ reader }) => reader in names)
				.map((row) => [
					`${grouped(row.items)}, ${row.atATime >= row.items ? 'all' : row.atATime} at ${row.atATime >= row.items ? 'once' : 'a time'}${all.length > 1 ? ` (${setting})` : ''}`,
					names[row.reader],
					...[row.wallRatio, row.cpuRatio, row.peakRatio, row.growthRatio].map(ratio),
				]),
		),
	);
}

function upload() {
	return table(
		['File', 'Measured with', 'This node, MB', 'HTTP Request node, MB', 'Time ratio'],
		Object.entries(results('upload')).flatMap(([setting, rows]) =>
			rows.map((row) => [
				`${grouped(row.megabytes)} MB`,
				setting,
				row.oursGrowthMb.toFixed(1),
				grouped(row.httpRequestGrowthMb),
				ratio(row.timeRatio),
			]),
		),
	);
}

function load() {
	return table(
		[
			'Package',
			'Time to load, ms',
			'Packed, kB',
			'Unpacked, kB',
			'Dependencies',
			'Installed with them, kB',
		],
		results('load').rows.map((row) => [
			`${row.package} ${row.version}`,
			row.requireMs,
			row.packedKb,
			row.unpackedKb,
			row.dependencies,
			grouped(Math.round(row.installedKb)),
		]),
	);
}

function scale() {
	return table(
		['Items', 'Time, s', 'CPU time, s', 'Memory growth, MB', 'Requests per item'],
		results('scale').rows.map((row) => [
			grouped(row.items),
			row.wallSeconds,
			row.cpuSeconds,
			row.growthMb,
			row.requestsPerItem,
		]),
	);
}

function queue() {
	return table(
		['Workers', 'Executions', 'Time, s', 'Executions per second'],
		results('queue').rows.map((row) => [
			row.workers,
			row.executions,
			row.seconds,
			row.executionsPerSecond,
		]),
	);
}

/** The first column holds names, the others numbers. */
function table(head, rows) {
	const alignment = head.map((_, column) => (column === 0 ? '---' : '--:'));
	return [head, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const marked = /<!-- table: (\w+) -->[^]*?<!-- end -->/g;
const page = readFileSync(PAGE, 'utf8').replace(
	marked,
	(_, name) => `<!-- table: ${name} -->\n\n${tables[name]()}\n\n<!-- end -->`,
);
writeFileSync(PAGE, await format(page, { ...(await resolveConfig(PAGE)), parser: 'markdown' }));
