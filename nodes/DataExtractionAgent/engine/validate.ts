import type { IDataObject, INode, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { badInput, shown } from '../badInput';
import { memberGroups, memberProperties } from './propertyTree';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Checks one value against its declaration and gives it the declared type. Strings are trimmed;
 * members of collections that are not set are left out, so that they are never sent.
 *
 * @throws NodeOperationError that names the parameter and the item
 */
export function validateValue(
	node: INode,
	itemIndex: number,
	property: INodeProperties,
	raw: unknown,
): unknown {
	const refuse = (problem: string, advice: string) =>
		badInput(node, itemIndex, property, problem, advice);

	switch (property.type) {
		case 'options':
			return choice(property, raw, refuse);
		case 'boolean':
			return truth(raw, refuse);
		case 'number':
			return amount(property, raw, refuse);
		case 'string':
			return text(property, raw, refuse);
		case 'collection':
			return members(memberProperties(property), raw, refuse, (member, value) =>
				validateValue(node, itemIndex, member, value),
			);
		case 'fixedCollection':
			return groups(property, raw, refuse, (member, value) =>
				validateValue(node, itemIndex, member, value),
			);
		default:
			return raw;
	}
}

/** Refuses what is not a GUID (service document, 2.3: every identifier in a path is one). */
export function validateGuid(
	node: INode,
	itemIndex: number,
	property: INodeProperties,
	value: unknown,
): void {
	if (typeof value === 'string' && GUID.test(value)) return;
	throw badInput(
		node,
		itemIndex,
		property,
		`is not a GUID: ${shown(value)}`,
		'An ID looks like 3f2b8c1e-5d47-4a90-9b36-8e1f0c2d7a64. Map it from the output of the start operation, or copy it from the service.',
	);
}

type Refuse = (problem: string, advice: string) => Error;

function choice(property: INodeProperties, raw: unknown, refuse: Refuse): unknown {
	const options = (property.options ?? []) as INodePropertyOptions[];
	if (options.some(({ value }) => value === raw)) return raw;
	const allowed = options.map(({ value }) => String(value)).join(', ');
	throw refuse(`is not one of ${allowed}: ${shown(raw)}`, `Choose one of ${allowed}.`);
}

function truth(raw: unknown, refuse: Refuse): boolean {
	if (typeof raw === 'boolean') return raw;
	if (raw === 'true' || raw === 'false') return raw === 'true';
	throw refuse(`is neither true nor false: ${shown(raw)}`, 'Use true or false.');
}

function amount(property: INodeProperties, raw: unknown, refuse: Refuse): number {
	const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
	if (typeof value !== 'number' || !Number.isFinite(value)) {
		throw refuse(`is not a number: ${shown(raw)}`, 'Enter a number.');
	}
	const { minValue, numberPrecision } = property.typeOptions ?? {};
	if (numberPrecision === 0 && !Number.isInteger(value)) {
		throw refuse(`is not a whole number: ${value}`, 'Enter a number without decimals.');
	}
	if (minValue !== undefined && value < minValue) {
		throw refuse(`is ${value}; it must be at least ${minValue}`, 'Enter a larger number.');
	}
	return value;
}

function text(property: INodeProperties, raw: unknown, refuse: Refuse): string {
	if (typeof raw === 'object' && raw !== null) {
		throw refuse(`is not a text: ${shown(raw)}`, 'Map a single value, not an object or a list.');
	}
	const value = raw === undefined || raw === null ? '' : String(raw).trim();
	if (property.required && value === '')
		throw refuse('is empty', 'Enter a value. An expression gave none for this item.');
	return value;
}

function members(
	properties: INodeProperties[],
	raw: unknown,
	refuse: Refuse,
	check: (member: INodeProperties, value: unknown) => unknown,
): IDataObject {
	const given = object(raw, refuse);
	const values: IDataObject = {};
	for (const member of properties) {
		if (given[member.name] === undefined || given[member.name] === null) continue;
		const value = check(member, given[member.name]);
		if (value !== '') values[member.name] = value as IDataObject[string];
	}
	return values;
}

function groups(
	property: INodeProperties,
	raw: unknown,
	refuse: Refuse,
	check: (member: INodeProperties, value: unknown) => unknown,
): IDataObject {
	const given = object(raw, refuse);
	const values: IDataObject = {};
	for (const group of memberGroups(property)) {
		const rows = given[group.name];
		if (rows === undefined || rows === null) continue;
		if (!Array.isArray(rows)) {
			throw refuse(`is not a list: ${shown(rows)}`, 'Use an expression that gives a list.');
		}
		values[group.name] = rows.map((row: unknown) => members(group.values, row, refuse, check));
	}
	return values;
}

function object(raw: unknown, refuse: Refuse): IDataObject {
	if (raw === undefined || raw === null || raw === '') return {};
	if (typeof raw === 'object' && !Array.isArray(raw)) return raw as IDataObject;
	throw refuse(`is not an object: ${shown(raw)}`, 'Add the entries one by one in the panel.');
}
