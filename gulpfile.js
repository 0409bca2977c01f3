// Second half of `npm run build`. `n8n-node build` checks the types, emits a file for each source, and
// copies every picture of the whole repository into dist, whoever it belongs to. What is published
// instead are a few bundles: n8n's start loads one small file for the node, not forty.
const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { dest, series, src } = require('gulp');
const { rolldown } = require('rolldown');
const { n8n } = require('./package.json');
const { NODE_FOLDER, outputSchemas } = require('./scripts/outputSchemas');

const DIST = path.join(__dirname, 'dist');

async function cleanDist() {
	rmSync(DIST, { recursive: true, force: true });
}

/** Bundles each file that n8n loads; what these import when they run becomes files of its own. */
async function bundle() {
	const entries = [...n8n.nodes, ...n8n.credentials].map((file) => path.relative('dist', file));
	const build = await rolldown({
		cwd: __dirname,
		platform: 'node',
		external: ['n8n-workflow'],
		input: Object.fromEntries(
			entries.map((file) => [file.replace(/\.js$/, ''), file.replace(/\.js$/, '.ts')]),
		),
	});
	await build.write({
		dir: DIST,
		format: 'cjs',
		strict: true,
		chunkFileNames: `${path.relative(DIST, NODE_FOLDER)}/[name].js`,
		// Functions and classes keep their names, for those who read a stack trace.
		minify: { compress: true, mangle: { toplevel: false }, codegen: true },
	});
	await build.close();
}

/** Copies icons and the codex (`*.node.json`) next to the compiled code. */
function copyAssets() {
	const assets = ['credentials/**/*.{png,svg}', 'nodes/**/*.{png,svg}', 'nodes/**/*.node.json'];
	// gulp 5 decodes files as UTF-8 unless told otherwise, which would spoil a PNG.
	return src(assets, { base: '.', encoding: false }).pipe(dest(DIST));
}

/** Writes the output schema of each operation that the compiled node declares. */
async function writeOutputSchemas() {
	for (const { file, schema } of outputSchemas()) {
		const target = path.join(NODE_FOLDER, file);
		mkdirSync(path.dirname(target), { recursive: true });
		writeFileSync(target, `${JSON.stringify(schema, null, '\t')}\n`);
	}
}

exports['build:assets'] = series(cleanDist, bundle, copyAssets, writeOutputSchemas);
exports.default = exports['build:assets'];
