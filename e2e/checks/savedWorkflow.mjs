import { openCommandLine, runByEditor, store } from '../lib/runs.mjs';
import { expectSaved, readSaved } from '../lib/savedWorkflow.mjs';
import { openService } from '../lib/service.mjs';

/** A workflow that an earlier version saved, as the file that n8n 1.123 exported. */
export const savedWorkflowChecks = {
	async 'workflow saved by an earlier version: in the editor'(context) {
		const service = await openService(context);
		const [saved] = JSON.parse(await readSaved(context.project, service));
		const workflow = await store(context.n8n, saved);
		expectSaved(await runByEditor(context, workflow), service.simulator);
	},

	async 'workflow saved by an earlier version: n8n import and execute'(context) {
		const service = await openService(context);
		const commandLine = await openCommandLine(context);
		const [id] = await commandLine.importWorkflows(await readSaved(context.project, service));
		expectSaved(await commandLine.execute(id), service.simulator);
	},
};
