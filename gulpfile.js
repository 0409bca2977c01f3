// Second half of `npm run build`. `n8n-node build` runs tsc, which emits no assets, and then copies
// every picture and `__schema__` file of the whole repository into dist, whoever it belongs to.
const { readdirSync, rmSync } = require('node:fs');
const path = require('node:path');
const { dest, series, src } = require('gulp');

const DIST = path.join(__dirname, 'dist');
const PUBLISHED = ['credentials', 'nodes'];

/** Removes everything that does not stem from `nodes/` or `credentials/`. */
async function cleanDist() {
	for (const name of readdirSync(DIST)) {
		if (!PUBLISHED.includes(name)) rmSync(path.join(DIST, name), { recursive: true });
	}
}

/** Copies icons, the codex (`*.node.json`) and output schemas next to the compiled code. */
function copyAssets() {
	const assets = [
		'credentials/**/*.{png,svg}',
		'nodes/**/*.{png,svg}',
		'nodes/**/*.node.json',
		'nodes/**/__schema__/**/*.json',
	];
	// gulp 5 decodes files as UTF-8 unless told otherwise, which would spoil a PNG.
	return src(assets, { base: '.', encoding: false }).pipe(dest(DIST));
}

exports['build:assets'] = series(cleanDist, copyAssets);
exports.default = exports['build:assets'];
