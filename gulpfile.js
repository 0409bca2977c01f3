// Second half of `npm run build`. `n8n-node build` runs tsc, which emits no assets, and then copies
// every picture of the whole repository into dist, whoever it belongs to.
const { mkdirSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { dest, series, src } = require('gulp');
const { NODE_FOLDER, outputSchemas } = require('./scripts/outputSchemas');

const DIST = path.join(__dirname, 'dist');
const PUBLISHED = ['credentials', 'nodes'];

/** Removes everything that does not stem from `nodes/` or `credentials/`. */
async function cleanDist() {
	for (const name of readdirSync(DIST)) {
		if (!PUBLISHED.includes(name)) rmSync(path.join(DIST, name), { recursive: true });
	}
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

exports['build:assets'] = series(cleanDist, copyAssets, writeOutputSchemas);
exports.default = exports['build:assets'];
