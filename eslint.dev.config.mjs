// Development code is written in `.cts` and `.mjs` files: n8n's community rules, which
// `eslint.config.mjs` applies to every `.ts` file, forbid Node's own modules, and rightly so in a
// published node, but a test or a server cannot do without them.
import eslint from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{
		files: ['**/*.cts'],
		extends: [eslint.configs.recommended, tseslint.configs.strict, tseslint.configs.stylistic],
	},
	{
		files: ['e2e/**/*.mjs'],
		extends: [eslint.configs.recommended],
		// What is given to the browser runs there.
		languageOptions: { globals: { ...globals.node, ...globals.browser } },
	},
);
