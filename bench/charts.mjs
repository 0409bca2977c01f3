/** Draws bench/results/*.json as docs/images/bench-*.svg. Run from the project's folder. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse, View } from 'vega';
import { compile } from 'vega-lite';

const RESULTS = 'bench/results';
const IMAGES = 'docs/images';

/** The same name has the same colour in every chart. */
const colours = {
	'This node': '#d9480f',
	'This node, default': '#d9480f',
	'This node, all at once': '#f08c00',
	'This node, 100 at a time': '#e8a33d',
	'This node in a whole n8n': '#a61e4d',
	'HTTP Request node': '#1c7ed6',
	'n8n without a package': '#1c7ed6',
	'Declarative node': '#868e96',
	'One after the other': '#868e96',
	'Fixed interval': '#1c7ed6',
	'Exponential backoff': '#868e96',
	'Limit, all at once': '#2b8a3e',
};

/** Dark on its own light ground, so that it can be read on pages of any colour. */
const config = {
	background: '#ffffff',
	padding: 16,
	font: 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif',
	view: { stroke: null },
	title: { anchor: 'start', fontSize: 16, fontWeight: 600, color: '#212529', offset: 14 },
	axis: {
		gridColor: '#e9ecef',
		domainColor: '#adb5bd',
		tickColor: '#adb5bd',
		labelColor: '#495057',
		titleColor: '#495057',
		labelFontSize: 11,
		titleFontSize: 12,
		titleFontWeight: 500,
		titlePadding: 8,
	},
	header: { labelColor: '#212529', labelFontSize: 12, labelFontWeight: 600, title: null },
	legend: {
		labelColor: '#343a40',
		labelFontSize: 12,
		labelLimit: 260,
		title: null,
		orient: 'top',
		columns: 3,
		symbolSize: 110,
		symbolOpacity: 1,
	},
};

const charts = {
	'fan-out': { results: 'fanOut', draw: drawFanOut },
	polling: { results: 'polling', draw: drawPolling },
	overhead: { results: 'overhead', draw: drawOverhead },
	upload: { results: 'upload', draw: drawUpload },
	load: { results: 'load', draw: drawLoad },
	scale: { results: 'scale', draw: drawScale },
};

function colour(names) {
	return {
		field: 'name',
		type: 'nominal',
		scale: { domain: names, range: names.map((name) => colours[name]) },
		sort: names,
	};
}

function logAxis(field, title, more = {}) {
	return { field, type: 'quantitative', title, scale: { type: 'log' }, ...more };
}

function title(text, subtitle) {
	return { text, subtitle, subtitleColor: '#495057', subtitleFontSize: 12, subtitlePadding: 6 };
}

function drawFanOut({ setting, rows }) {
	const names = {
		sequential: 'One after the other',
		'ours, default': 'This node, default',
		'ours, 100 at a time': 'This node, 100 at a time',
		'whole n8n, without a package': 'n8n without a package',
		'whole n8n, ours': 'This node in a whole n8n',
		'ours, all at once': 'This node, all at once',
	};
	const sizes = [...new Set(rows.map(({ items }) => items))];
	const values = [
		...rows.map((row) => ({ ...row, name: names[row.way], calculated: row.runs === 0 })),
		...sizes.map((items) => ({ items, seconds: setting.limitSeconds, name: 'Limit, all at once' })),
	];
	const shown = [...Object.values(names), 'Limit, all at once'];
	const encoding = {
		x: logAxis('items', 'Items', { axis: { values: [1, 10, 100, 1000], format: ',d' } }),
		y: logAxis('seconds', 'Seconds', {
			axis: { values: [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000], format: ',d' },
		}),
		color: colour(shown),
	};
	return {
		title: title(
			`Time for many jobs of ${setting.jobMs / 1000} seconds`,
			'Less is better. Hollow points are calculated from smaller runs.',
		),
		width: 620,
		height: 340,
		data: { values },
		layer: [
			{ mark: { type: 'line', strokeWidth: 2.5 }, encoding },
			{
				transform: [{ filter: '!datum.calculated' }],
				mark: { type: 'point', filled: true, size: 60, opacity: 1 },
				encoding,
			},
			{
				transform: [{ filter: 'datum.calculated' }],
				mark: { type: 'point', fill: '#ffffff', size: 60, strokeWidth: 2 },
				encoding,
			},
		],
	};
}

function drawPolling({ setting, simulated }) {
	const values = simulated.flatMap((one) => {
		const points = (name, list) =>
			list.map((point) => ({ ...point, name, distribution: one.distribution }));
		// Beyond this nobody would want to be, and there is nothing to compare with.
		const isNear = ({ requestsPerJob, meanLagSeconds }) =>
			requestsPerJob <= one.ours.requestsPerJob * 6 &&
			meanLagSeconds <= Math.max(one.ours.meanLagSeconds * 25, 1) &&
			meanLagSeconds > 0.01;
		return [
			...points('Fixed interval', one.fixed.filter(isNear)),
			...points('Exponential backoff', one.exponential.filter(isNear)),
			...points('This node', [one.ours]),
		];
	});
	const encoding = {
		x: logAxis('requestsPerJob', null, { axis: { tickCount: 3, format: '~g', grid: false } }),
		y: logAxis('meanLagSeconds', null, { axis: { tickCount: 3, format: '~g', grid: false } }),
		color: colour(['This node', 'Fixed interval', 'Exponential backoff']),
	};
	const is = (test) => [{ filter: test }];
	return {
		title: title('Requests, and the delay until a finished job is seen', [
			`Across: requests per job. Up: mean delay in seconds. Both logarithmic; nearer to the lower left is better.`,
			`${simulated[0].jobs} jobs, ${setting.atATime} at a time. Each dot is one choice of the interval, or of the backoff's factor.`,
		]),
		data: { values },
		facet: { field: 'distribution', sort: simulated.map(({ distribution }) => distribution) },
		columns: 5,
		spacing: { row: 24, column: 24 },
		resolve: { scale: { x: 'independent', y: 'independent' } },
		spec: {
			width: 140,
			height: 130,
			layer: [
				{
					transform: is("datum.name !== 'This node'"),
					mark: { type: 'circle', size: 16, opacity: 0.9 },
					encoding,
				},
				{
					transform: is("datum.name === 'This node'"),
					mark: { type: 'point', shape: 'diamond', size: 170, filled: true, opacity: 1 },
					encoding,
				},
			],
		},
	};
}

const readers = {
	ours: 'This node',
	httpRequest: 'HTTP Request node',
	declarative: 'Declarative node',
};

function drawOverhead(results) {
	const pace = ({ atATime, items }) => (atATime >= items ? 'all at once' : `${atATime} at a time`);
	const several = Object.keys(results).length > 1;
	const measures = { wallRatio: 'Time', cpuRatio: 'CPU time', peakRatio: 'Peak memory' };
	const values = Object.entries(results).flatMap(([engine, rows]) =>
		rows.flatMap((row) =>
			Object.entries(measures).map(([key, measure]) => ({
				name: readers[row.reader],
				measure,
				ratio: row[key],
				size: `${row.items.toLocaleString('en')} reads, ${pace(row)}${several ? ` (${engine})` : ''}`,
			})),
		),
	);
	const names = Object.values(readers);
	return {
		title: title(
			'Plain reads, beside n8n’s own nodes',
			'The HTTP Request node is 1; less is better. The service answers after 20 ms.',
		),
		data: { values },
		facet: { field: 'size', sort: [...new Set(values.map(({ size }) => size))] },
		columns: 2,
		spec: {
			width: 230,
			height: 180,
			layer: [
				{
					mark: { type: 'bar', cornerRadiusEnd: 2 },
					encoding: {
						x: {
							field: 'measure',
							title: null,
							sort: Object.values(measures),
							axis: { labelAngle: 0 },
						},
						xOffset: { field: 'name', sort: names },
						y: { field: 'ratio', type: 'quantitative', title: 'Ratio' },
						color: colour(names),
					},
				},
				{
					mark: { type: 'text', dy: -6, fontSize: 9, color: '#495057' },
					encoding: {
						x: { field: 'measure', sort: Object.values(measures) },
						xOffset: { field: 'name', sort: names },
						y: { field: 'ratio', type: 'quantitative' },
						text: { field: 'ratio', format: '.2f' },
					},
				},
			],
		},
	};
}

function drawUpload(results) {
	const values = Object.entries(results).flatMap(([engine, rows]) =>
		rows
			.filter(({ megabytes }) => megabytes > 1)
			.flatMap(({ megabytes, oursGrowthMb, httpRequestGrowthMb }) => [
				{ engine, file: `${megabytes} MB`, name: 'This node', megabytes: oursGrowthMb },
				{
					engine,
					file: `${megabytes} MB`,
					name: 'HTTP Request node',
					megabytes: httpRequestGrowthMb,
				},
			]),
	);
	const names = ['This node', 'HTTP Request node'];
	const position = {
		x: { field: 'file', title: null, sort: ['200 MB', '1000 MB'], axis: { labelAngle: 0 } },
		xOffset: { field: 'name', sort: names },
		y: { field: 'megabytes', type: 'quantitative', title: 'Memory growth, MB' },
	};
	return {
		title: title(
			'Memory that an upload takes',
			'Less is better. Files from n8n’s file-system storage.',
		),
		data: { values },
		facet: { field: 'engine' },
		columns: 4,
		spec: {
			width: 150,
			height: 200,
			layer: [
				{
					mark: { type: 'bar', cornerRadiusEnd: 2 },
					encoding: { ...position, color: colour(names) },
				},
				{
					mark: { type: 'text', dy: -6, fontSize: 10, color: '#495057' },
					encoding: { ...position, text: { field: 'megabytes', format: '.0f' } },
				},
			],
		},
	};
}

function drawLoad({ rows }) {
	const measures = {
		requireMs: 'Time to load, ms',
		packedKb: 'Packed, kB',
		installedKb: 'Installed with dependencies, kB',
	};
	const values = rows.flatMap((row, index) =>
		Object.entries(measures).map(([key, measure]) => ({
			package: row.package,
			name: index === 0 ? 'This node' : 'Declarative node',
			measure,
			value: row[key],
		})),
	);
	const position = {
		y: {
			field: 'package',
			title: null,
			sort: rows.map((row) => row.package),
			axis: { labelLimit: 320 },
		},
		x: logAxis('value', null, { axis: { tickCount: 4, format: '~s' } }),
	};
	return {
		title: title(
			'Loading the package, beside others from the registry',
			'Less is better. Logarithmic.',
		),
		data: { values },
		facet: { field: 'measure', sort: Object.values(measures) },
		columns: 3,
		resolve: { scale: { x: 'independent' } },
		spec: {
			width: 190,
			height: 130,
			layer: [
				{
					mark: { type: 'point', filled: true, size: 130, opacity: 1 },
					encoding: {
						...position,
						color: { ...colour(['This node', 'Declarative node']), legend: null },
					},
				},
				{
					mark: { type: 'text', dy: -12, fontSize: 10, color: '#495057' },
					encoding: { ...position, text: { field: 'value', format: ',.3~r' } },
				},
			],
		},
	};
}

function drawScale({ setting, rows }) {
	const measures = {
		wallSeconds: 'Time, seconds',
		growthMb: 'Memory growth, MB',
		requests: 'Requests',
	};
	const values = rows.flatMap((row) =>
		Object.entries(measures).map(([key, measure]) => ({
			name: 'This node',
			items: row.items,
			measure,
			value: key === 'requests' ? row.requestsPerItem * row.items : row[key],
		})),
	);
	return {
		title: title(
			`From 10 to 10,000 jobs of ${setting.jobMs / 1000} second`,
			`${setting.maxConcurrentJobs.toLocaleString('en')} at a time; both axes are logarithmic.`,
		),
		data: { values },
		facet: { field: 'measure', sort: Object.values(measures) },
		columns: 3,
		resolve: { scale: { y: 'independent' } },
		spec: {
			width: 230,
			height: 200,
			mark: { type: 'line', strokeWidth: 2.5, point: { size: 60, filled: true } },
			encoding: {
				x: logAxis('items', 'Items', { axis: { values: [10, 100, 1000, 10000], format: '~s' } }),
				y: logAxis('value', null, { axis: { tickCount: 4, format: '~s' } }),
				color: { ...colour(['This node']), legend: null },
			},
		},
	};
}

mkdirSync(IMAGES, { recursive: true });
for (const [name, { results, draw }] of Object.entries(charts)) {
	const path = `${RESULTS}/${results}.json`;
	if (!existsSync(path)) continue;
	const spec = { ...draw(JSON.parse(readFileSync(path, 'utf8'))), config };
	const view = new View(parse(compile(spec).spec), { renderer: 'none' });
	writeFileSync(`${IMAGES}/bench-${name}.svg`, `${await view.toSVG()}\n`);
	view.finalize();
}
