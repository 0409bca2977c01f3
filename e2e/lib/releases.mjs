/**
 * The n8n releases that are tried, newest first, each with the Node.js releases it runs on.
 * `overrides` replace dependencies that a registry without them cannot deliver; with the whole npm
 * registry none is needed, and none does harm.
 */
export const releases = [
	{
		version: '2.41.1',
		nodes: [24],
		overrides: {
			xlsx: '0.18.5',
			cssomnom: 'npm:cssom@0.5.0',
			'@langchain/langgraph-checkpoint': '1.1.5',
			'@langchain/protocol': '0.0.19',
		},
	},
	{
		version: '1.123.81',
		nodes: [20, 24],
		overrides: {
			xlsx: '0.18.5',
			'@langchain/langgraph-checkpoint': '1.0.0',
		},
	},
];

/** Every release with every Node.js that it is tried on. */
export const targets = releases.flatMap(({ nodes, ...release }) =>
	nodes.map((node) => ({
		...release,
		node,
		title: `n8n ${release.version}, Node.js ${node}`,
		/** Editor and queue are tried on one Node.js of a release; they do not depend on it. */
		isMain: node === nodes[0],
		// The other engine is a native module, which does not build on Node.js 20.
		env: node < 22 ? { N8N_EXPRESSION_ENGINE: 'legacy' } : {},
	})),
);
