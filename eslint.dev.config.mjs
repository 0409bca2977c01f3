// Development code (tests, simulator, demo) is written in `.cts` files: n8n's community rules, which
// `eslint.config.mjs` applies to every `.ts` file, forbid Node's own modules, and rightly so in a
// published node, but a test or a server cannot do without them.
import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config({
	files: ['**/*.cts'],
	extends: [eslint.configs.recommended, tseslint.configs.strict, tseslint.configs.stylistic],
});
