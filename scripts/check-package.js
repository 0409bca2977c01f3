// Checks what `npm publish` would upload: run `npm run build` first, then `node scripts/check-package.js`.
const { execSync } = require('node:child_process');
const { isDeepStrictEqual } = require('node:util');
const path = require('node:path');
const { outputSchemas } = require('./outputSchemas');

const ROOT = path.join(__dirname, '..');
const TOP_LEVEL = ['LICENSE', 'README.md', 'index.js', 'package.json'];
const NODE_FOLDER = 'dist/nodes/DataExtractionAgent';
const REQUIRED = [
	`${NODE_FOLDER}/DataExtractionAgent.node.js`,
	`${NODE_FOLDER}/DataExtractionAgent.node.json`,
	`${NODE_FOLDER}/dataExtractionAgent.svg`,
	`${NODE_FOLDER}/dataExtractionAgent.dark.svg`,
	'dist/credentials/DataExtractionAgentApi.credentials.js',
];
const NEVER_PUBLISHED =
	/\.[cm]?tsx?$|\.map$|\.tsbuildinfo$|\.(test|spec)\.|(^|\/)(tests?|__tests__|node_modules)\//;
const FORBIDDEN_SCRIPTS = ['prepare', 'preinstall', 'install', 'postinstall'];

let failures = 0;

/** Runs one check, which returns a list of what is wrong (empty = passed), and prints its line. */
function check(title, findProblems) {
	let problems;
	try {
		problems = findProblems();
	} catch (error) {
		problems = [error.message.split('\n')[0]];
	}
	if (problems.length > 0) failures++;
	console.log(
		problems.length === 0
			? `ok    ${title}`
			: `FAIL  ${title}: ${problems.slice(0, 10).join(', ')}`,
	);
}

/** Paths in the tarball. npm ≤ 11 prints an array of packages, newer ones an object keyed by name. */
function listTarball() {
	const stdout = execSync('npm pack --dry-run --json --ignore-scripts --loglevel=error', {
		cwd: ROOT,
		encoding: 'utf8',
		maxBuffer: 64 * 1024 * 1024,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	// A notice may precede the JSON, which starts on a line of its own.
	const report = JSON.parse(stdout.slice(stdout.search(/^[[{]/m)));
	const packed = [report, ...Object.values(report)].find((entry) => Array.isArray(entry?.files));
	if (!packed) throw new Error('npm pack printed no list of files');
	return packed.files.map((file) => file.path.replaceAll('\\', '/')).sort();
}

const manifest = require('../package.json');
const loadedByN8n = [...(manifest.n8n?.nodes ?? []), ...(manifest.n8n?.credentials ?? [])];
let files = [];

check('npm pack lists the files of the package', () => {
	files = listTarball();
	return files.length > 0 ? [] : ['the package is empty'];
});
check('besides dist/nodes and dist/credentials there are only the four expected files', () => {
	const others = files.filter((file) => !/^dist\/(nodes|credentials)\//.test(file));
	return [
		...others.filter((file) => !TOP_LEVEL.includes(file)).map((file) => `unexpected ${file}`),
		...TOP_LEVEL.filter((file) => !others.includes(file)).map((file) => `missing ${file}`),
	];
});
check('node, credential, both icons and codex are included', () =>
	REQUIRED.filter((file) => !files.includes(file)).map((file) => `missing ${file}`),
);
check('the output schema of every operation is included, and no other', () => {
	const expected = outputSchemas().map(({ file }) => `${NODE_FOLDER}/${file}`);
	const present = files.filter((file) => file.includes('/__schema__/'));
	return [
		...expected.filter((file) => !present.includes(file)).map((file) => `missing ${file}`),
		...present.filter((file) => !expected.includes(file)).map((file) => `unexpected ${file}`),
	];
});
check('no sources, source maps, build state or tests are included', () =>
	files.length > 0 ? files.filter((file) => NEVER_PUBLISHED.test(file)) : ['no list'],
);
check('no runtime dependencies', () =>
	['dependencies', 'optionalDependencies', 'bundleDependencies', 'bundledDependencies'].filter(
		(field) => field in manifest,
	),
);
check('no overrides', () => ['overrides'].filter((field) => field in manifest));
check('no lifecycle script that runs at installation', () =>
	FORBIDDEN_SCRIPTS.filter((name) => name in (manifest.scripts ?? {})),
);
check('the only peer dependency is n8n-workflow "*"', () =>
	isDeepStrictEqual(manifest.peerDependencies, { 'n8n-workflow': '*' })
		? []
		: [JSON.stringify(manifest.peerDependencies)],
);
check('n8n.strict is true', () =>
	manifest.n8n?.strict === true ? [] : [String(manifest.n8n?.strict)],
);
check('keyword n8n-community-node-package', () =>
	manifest.keywords?.includes('n8n-community-node-package') ? [] : ['missing'],
);
check('package.json names a node and a credential, all of them in the package', () => [
	...['nodes', 'credentials'].filter((field) => !manifest.n8n?.[field]?.length),
	...loadedByN8n.filter((file) => !files.includes(file)).map((file) => `missing ${file}`),
]);
for (const file of loadedByN8n) {
	const className = path.basename(file).split('.')[0];
	check(`${file} exports the class ${className}`, () => {
		const exported = require(path.join(ROOT, file))[className];
		if (typeof exported !== 'function') return [`no export ${className}`];
		new exported();
		return [];
	});
}
check('index.js exports the same classes', () => {
	const exported = require(ROOT);
	return loadedByN8n
		.filter((file) => {
			const className = path.basename(file).split('.')[0];
			return exported[className] !== require(path.join(ROOT, file))[className];
		})
		.map((file) => `not ${file}`);
});

console.log(failures === 0 ? `${files.length} files, all checks passed` : `${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
