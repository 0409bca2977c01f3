import type { INodeExecutionData } from 'n8n-workflow';
import {
	createEngine,
	type Engine,
	type EngineOptions,
	type NodeJson,
	type Outcome,
	type RunOptions,
	type WorkflowJson,
} from '../../harness/engine.cts';
import type { SimulatorOptions } from '../../simulator/options.cts';
import { startSimulator, type Simulator } from '../../simulator/server.cts';

/** Name of the node under test in the workflows made here. */
export const AGENT = 'Agent';

/** Type of the node under test, and what n8n makes of it for an AI agent. */
const TYPE = 'n8n-nodes-data-extraction-agent.dataExtractionAgent';
export const TOOL_TYPE = `${TYPE}Tool`;

/** Names of the nodes behind its two outputs, where the workflow has an error output. */
export const SUCCESS = 'Success';
export const FAILED = 'Failed';

/** Looks like a token of the service: a JWT that has not expired. */
export const TOKEN = [
	{ alg: 'HS256', typ: 'JWT' },
	{ sub: 'tester', exp: 4_102_444_800 },
]
	.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
	.concat('c2lnbmF0dXJl')
	.join('.');

/** A workflow with one trigger and the node under test; with an error output, two more behind it. */
export function agentWorkflow(parameters: object, settings: Partial<NodeJson> = {}): WorkflowJson {
	const link = (node: string) => [{ node, type: 'main', index: 0 }];
	const twoOutputs = settings.onError === 'continueErrorOutput';
	const noOp = { type: 'n8n-nodes-base.noOp', typeVersion: 1 };
	return {
		name: 'Test',
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
			{
				name: AGENT,
				type: TYPE,
				typeVersion: 1,
				parameters,
				...settings,
			},
			...(twoOutputs
				? [
						{ name: SUCCESS, ...noOp },
						{ name: FAILED, ...noOp },
					]
				: []),
		],
		connections: {
			Start: { main: [link(AGENT)] },
			...(twoOutputs && { [AGENT]: { main: [link(SUCCESS), link(FAILED)] } }),
		},
	};
}

/** The service and the engine, talking to each other. */
export interface Stage {
	simulator: Simulator;
	engine: Engine;
	/** Runs the node under test on the given items; on one empty item if there are none. */
	run(parameters: object, options?: RunOptions & { node?: Partial<NodeJson> }): Promise<Outcome>;
	close(): Promise<void>;
}

/** Starts the simulator and an engine whose credential points at it. */
export async function setStage(
	simulatorOptions: SimulatorOptions = {},
	engineOptions: Omit<EngineOptions, 'credentials'> = {},
): Promise<Stage> {
	const simulator = await startSimulator({
		token: TOKEN,
		jobDurationMs: 50,
		pagesDirectory: 'examples/inputs/pages',
		...simulatorOptions,
	});
	const engine = await createEngine({
		...engineOptions,
		credentials: {
			dataExtractionAgentApi: { data: { baseUrl: simulator.origin, accessToken: TOKEN } },
		},
	});
	return {
		simulator,
		engine,
		run: (parameters, { node, ...options } = {}) =>
			engine.run(agentWorkflow(parameters, node), options),
		async close() {
			engine.close();
			await simulator.close();
		},
	};
}

/** Parameters of a URL extraction that waits and looks often, so that tests do not wait. */
export function urlExtract(simulator: Simulator, more: object = {}): object {
	return {
		resource: 'urlExtract',
		operation: 'start',
		url: `${simulator.origin}/pages/coffee-grinder.html`,
		schemaFields: { field: [{ name: 'price', description: 'Price with currency' }] },
		waitOptions: { pollIntervalSeconds: 0.02 },
		...more,
	};
}

/** As many input items as asked for, numbered in `json.n` from 0. */
export function numbered(count: number): INodeExecutionData[] {
	return Array.from({ length: count }, (_, n) => ({ json: { n } }));
}
