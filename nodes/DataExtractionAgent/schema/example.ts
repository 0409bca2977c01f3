import type { JsonObject, JsonValue } from 'n8n-workflow';
import { kindWords, type Kind } from './kinds';

/**
 * A sample of the output turned into the schema form that the service documents: names with
 * descriptions. The description is the kind of value; the sample's values stay here.
 *
 * @param samples of the same thing; together they tell what may be there
 */
export function describeSamples(samples: readonly unknown[]): JsonValue {
	const objects = samples.filter(isObject);
	if (objects.length > 0) return describeObjects(objects);
	const lists = samples.filter((sample) => Array.isArray(sample));
	if (lists.length > 0) return [describeSamples(lists.flat())];
	return describeKinds(samples);
}

/** One object with every member that any of them has. */
function describeObjects(objects: Array<Record<string, unknown>>): JsonValue {
	const members = new Map<string, unknown[]>();
	for (const [name, value] of objects.flatMap((object) => Object.entries(object))) {
		members.set(name, [...(members.get(name) ?? []), value]);
	}
	if (members.size === 0) return 'object';
	return Object.fromEntries(
		[...members].map(([name, values]) => [name, describeSamples(values)]),
	) as JsonObject;
}

/** What the values have in common, or what each of them is. */
function describeKinds(values: readonly unknown[]): string {
	const kinds = new Set(values.map(kindOf).filter((kind) => kind !== undefined));
	if (kinds.has('number')) kinds.delete('integer');
	if (kinds.has('text')) for (const kind of TEXT_KINDS) kinds.delete(kind);
	return [...kinds].map((kind) => kindWords[kind]).join(' or ') || 'any value';
}

const TEXT_KINDS: readonly Kind[] = ['date', 'dateTime', 'email', 'url'];

/** @returns `undefined` for a value that says nothing about its kind */
function kindOf(value: unknown): Kind | undefined {
	if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
	if (typeof value === 'boolean') return 'boolean';
	if (typeof value !== 'string') return undefined;
	if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'date';
	if (/^\d{4}-\d{2}-\d{2}[T ][\d:.]+(Z|[+-]\d{2}:?\d{2})?$/.test(value)) return 'dateTime';
	if (/^https?:\/\/\S+$/i.test(value)) return 'url';
	if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return 'email';
	return 'text';
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
