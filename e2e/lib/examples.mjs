import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the examples look for their pages: what `npm run simulator` serves. */
const writtenOrigin = 'http://127.0.0.1:3456';

/** @returns the names of the example workflows, without `.json` */
export async function exampleNames(project) {
	const files = await readdir(join(project, 'examples'));
	return files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5));
}

/** Reads an example with its two changes: the credential, and where the simulator is. */
export async function readExample(context, example) {
	return await readWorkflow(context, 'examples', `${example}.json`);
}

/** The same for any workflow of the project. */
export async function readWorkflow({ project, simulator, name, credential }, ...path) {
	const text = await readFile(join(project, ...path), 'utf8');
	const workflow = JSON.parse(text.replaceAll(writtenOrigin, simulator.origin));
	for (const node of workflow.nodes.filter(({ type }) => type.startsWith(`${name}.`))) {
		node.credentials = { dataExtractionAgentApi: { id: credential.id, name: credential.name } };
	}
	return { ...workflow, active: false };
}
