// The fields that the items of each operation have, in the form and place where n8n's editor looks
// for them (`__schema__/v<version>/<resource>/<operation>.json` next to the node): it offers them
// before the first run. n8n has one file per operation, so this is what comes out with the defaults:
// a start that waits, and Output set to Simplified. A test compares it with what really comes out.
const path = require('node:path');

const NODE_FOLDER = path.join(__dirname, '..', 'dist', 'nodes', 'DataExtractionAgent');

const text = { type: 'string' };
const integer = { type: 'integer' };
const flag = { type: 'boolean' };
const object = (properties) => ({ type: 'object', ...(properties && { properties }) });

/** The simplified result, in the order of the output. */
const result = {
	id: text,
	done: flag,
	// Whatever the schema asks for, or the agent finds.
	data: object(),
	changed: flag,
	when: integer,
	credits: object({ remaining: integer, used: integer }),
	details: text,
	screenshots: { type: 'array', items: text },
};

/** What is added where a file was uploaded. */
const file = object({ field: text, name: text, mimeType: text, size: integer });

/**
 * Reads the built node's description: an operation that is added there has its schema.
 *
 * @returns {{ file: string, schema: object }[]} paths relative to the node's folder in `dist`
 */
exports.outputSchemas = () => {
	const { DataExtractionAgent } = require(path.join(NODE_FOLDER, 'DataExtractionAgent.node.js'));
	const { properties } = new DataExtractionAgent().description;
	const named = (name) => properties.filter((property) => property.name === name);
	const isFor = (resource, operation) => (property) =>
		property.displayOptions.show.resource.includes(resource) &&
		property.displayOptions.show.operation.includes(operation);

	return named('operation').flatMap(({ displayOptions, options }) =>
		displayOptions.show.resource.flatMap((resource) =>
			options.map(({ value: operation }) => {
				const takesFile = named('binaryPropertyName').some(isFor(resource, operation));
				return {
					file: `__schema__/v1.0.0/${resource}/${operation}.json`,
					schema: object(takesFile ? { ...result, file } : result),
				};
			}),
		),
	);
};

exports.NODE_FOLDER = NODE_FOLDER;
