/**
 * The tests run the built package (`dist/`) in n8n's real engine. `N8N_ENGINE=1` swaps in the oldest
 * supported engine, which lives in a package of its own: see engines/README.md.
 */
const engine = process.env.N8N_ENGINE === '1' ? 'engines/n8n-1/node_modules' : 'node_modules';

module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.cts'],
	// `npm run test:long` runs these.
	testPathIgnorePatterns: ['/node_modules/', '/test/long/'],
	moduleFileExtensions: ['cts', 'ts', 'js', 'cjs', 'mjs', 'json', 'node'],
	moduleNameMapper: {
		'^n8n-(core|workflow)$': `<rootDir>/${engine}/n8n-$1`,
	},
	transform: {
		'^.+\\.c?ts$': ['ts-jest', { tsconfig: 'tsconfig.jest.json' }],
	},
	maxWorkers: '100%',
	testTimeout: 30_000,
};
