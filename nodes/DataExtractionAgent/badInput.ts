import { NodeOperationError, type INode } from 'n8n-workflow';

/** What a message needs to name a parameter: as the panel shows it and as expressions know it. */
export interface ParameterName {
	displayName: string;
	name: string;
}

/**
 * The one error for everything that a user entered wrong. It is thrown before any request.
 *
 * @param problem completes the sentence that begins with the parameter, e.g. `is not a GUID`
 * @param advice what to change, a sentence
 */
export function badInput(
	node: INode,
	itemIndex: number,
	parameter: ParameterName,
	problem: string,
	advice: string,
): NodeOperationError {
	return withMessage(
		new NodeOperationError(node, problem, { itemIndex, description: advice }),
		`'${parameter.displayName}' (${parameter.name}) ${problem} [item ${itemIndex}]`,
	);
}

/** n8n's errors replace messages that hold words such as ECONNRESET; ours say more. */
export function withMessage<T extends Error>(error: T, message: string): T {
	error.message = message;
	return error;
}

/** A value as a message can show it: short, on one line. */
export function shown(value: unknown): string {
	const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)))
		.replace(/\s+/g, ' ')
		.trim();
	return `"${text.length > 60 ? `${text.slice(0, 57)}…` : text}"`;
}
