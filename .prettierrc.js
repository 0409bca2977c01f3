module.exports = {
	arrowParens: 'always',
	bracketSpacing: true,
	endOfLine: 'lf',
	printWidth: 100,
	quoteProps: 'as-needed',
	semi: true,
	singleQuote: true,
	tabWidth: 2,
	trailingComma: 'all',
	useTabs: true,
	// Markdown tables and YAML do not read well with tabs.
	overrides: [{ files: ['*.md', '*.yml', '*.yaml'], options: { useTabs: false } }],
};
