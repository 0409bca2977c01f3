// n8n loads the node and its credential by the paths in the `n8n` field of package.json and never
// reads this file. It is here for those who `require` the package, in a test for instance.
const credentials = require('./dist/credentials/DataExtractionAgentApi.credentials.js');
const nodes = require('./dist/nodes/DataExtractionAgent/DataExtractionAgent.node.js');

module.exports = {
	DataExtractionAgent: nodes.DataExtractionAgent,
	DataExtractionAgentApi: credentials.DataExtractionAgentApi,
};
