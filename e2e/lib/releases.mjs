/**
 * The n8n releases that are tried, newest first. `overrides` replace dependencies that a registry
 * without them cannot deliver; with the whole npm registry none is needed, and none does harm.
 */
export const releases = [
	{
		version: '2.41.1',
		node: 24,
		overrides: {
			xlsx: '0.18.5',
			cssomnom: 'npm:cssom@0.5.0',
			'@langchain/langgraph-checkpoint': '1.1.5',
			'@langchain/protocol': '0.0.19',
		},
		env: {},
	},
	{
		version: '1.123.81',
		node: 20,
		overrides: {
			xlsx: '0.18.5',
			'@langchain/langgraph-checkpoint': '1.0.0',
		},
		env: { N8N_EXPRESSION_ENGINE: 'legacy' },
	},
];
