import { readFileSync } from 'node:fs';

/** One row of the tables in docs/errors.md. */
export interface MessageRow {
	/** What the node says, as one or several forms. */
	messages: string[];
	/** What it says to do, as one or several sentences that belong together. */
	advice: string[];
}

/** The rows whose first column is a message. */
export function readMessageTables(): MessageRow[] {
	const lines = readFileSync('docs/errors.md', 'utf8').split('\n');
	return lines
		.filter((line) => /^\|\s*`/.test(line))
		.map((line) => {
			const [message, , advice = ''] = line.slice(1, -1).split('|');
			return {
				messages: [...message.matchAll(/`([^`]+)`/g)].map(([, text]) => text),
				advice: advice
					.split('<br>')
					.map((text) => text.trim())
					.filter(Boolean),
			};
		});
}

/** Expects that one row of the tables has both the message and what to do. */
export function expectDocumented({ message, description }: Record<string, unknown>): void {
	const found = readMessageTables().some(
		({ messages, advice }) =>
			messages.some((text) => pattern(text).test(String(message))) &&
			advice.some((text) => pattern(text).test(String(description))),
	);
	expect({ message, description, found }).toEqual({ message, description, found: true });
}

/** A text with `…` for anything; the statuses in the tables are examples. */
function pattern(text: string): RegExp {
	const parts = text.replace(/\(\d{3}\)/, '(…)').split('…');
	return new RegExp(
		parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*'),
		'u',
	);
}
