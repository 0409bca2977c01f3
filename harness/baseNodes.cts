import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { insertRows } from './dataTableNode.cts';
import { editFields } from './editFieldsNode.cts';
import { branch } from './ifNode.cts';
import { readFiles } from './readFilesNode.cts';
import { splitOut } from './splitOutNode.cts';
import { waitForTime } from './waitNode.cts';

function describe(
	name: string,
	group: 'input' | 'trigger',
	version: number | number[],
	properties: INodeProperties[],
): INodeTypeDescription {
	return {
		displayName: name,
		name,
		group: [group],
		version,
		description: `Stand-in of n8n's ${name}`,
		defaults: { name },
		inputs: group === 'trigger' ? [] : ['main'],
		outputs: ['main'],
		properties,
	};
}

/** Objects are declared as `json`, which n8n takes as they are: a collection needs all its members. */
function parameter(
	name: string,
	type: INodeProperties['type'],
	defaultValue: INodeProperties['default'],
): INodeProperties {
	return { displayName: name, name, type, default: defaultValue };
}

/**
 * Stand-ins of the nodes of n8n-nodes-base that our examples use: that package is not installed, and
 * the engine knows no nodes of its own. They refuse what they do not imitate.
 */
export const baseNodes: Record<string, INodeType> = {
	'n8n-nodes-base.manualTrigger': {
		description: describe('manualTrigger', 'trigger', 1, []),
		async execute() {
			return [this.getInputData()];
		},
	},
	'n8n-nodes-base.scheduleTrigger': {
		description: describe(
			'scheduleTrigger',
			'trigger',
			[1, 1.1, 1.2, 1.3],
			[parameter('rule', 'json', {})],
		),
		async execute() {
			const items = this.getInputData();
			const given = items.some(
				({ json, binary }) => Object.keys({ ...json, ...binary }).length > 0,
			);
			return [given ? items : [{ json: { timestamp: new Date().toISOString() } }]];
		},
	},
	'n8n-nodes-base.emailReadImap': {
		description: describe(
			'emailReadImap',
			'trigger',
			[2, 2.1],
			[
				parameter('mailbox', 'string', 'INBOX'),
				parameter('postProcessAction', 'options', 'read'),
				parameter('downloadAttachments', 'boolean', false),
				parameter('format', 'options', 'simple'),
				parameter('dataPropertyAttachmentsPrefixName', 'string', 'attachment_'),
				parameter('options', 'json', {}),
			],
		),
		async execute() {
			return [this.getInputData()];
		},
	},
	'n8n-nodes-base.stickyNote': {
		description: describe(
			'stickyNote',
			'input',
			1,
			['content', 'height', 'width', 'color'].map((name) => parameter(name, 'string', '')),
		),
		async execute() {
			throw new Error('A sticky note is never executed');
		},
	},
	'n8n-nodes-base.noOp': {
		description: describe('noOp', 'input', 1, []),
		async execute() {
			return [this.getInputData()];
		},
	},
	'n8n-nodes-base.set': {
		description: describe(
			'set',
			'input',
			[3, 3.1, 3.2, 3.3, 3.4],
			[
				parameter('mode', 'options', 'manual'),
				parameter('jsonOutput', 'json', '{}'),
				parameter('assignments', 'assignmentCollection', {}),
				parameter('includeOtherFields', 'boolean', false),
				parameter('include', 'options', 'all'),
				parameter('options', 'json', {}),
			],
		),
		execute: editFields,
	},
	'n8n-nodes-base.splitOut': {
		description: describe('splitOut', 'input', 1, [
			parameter('fieldToSplitOut', 'string', ''),
			parameter('include', 'options', 'noOtherFields'),
			parameter('options', 'json', {}),
		]),
		execute: splitOut,
	},
	'n8n-nodes-base.if': {
		description: {
			...describe(
				'if',
				'input',
				[2, 2.1, 2.2],
				[parameter('conditions', 'filter', {}), parameter('options', 'json', {})],
			),
			outputs: ['main', 'main'],
		},
		execute: branch,
	},
	'n8n-nodes-base.filter': {
		description: describe(
			'filter',
			'input',
			[2, 2.1, 2.2],
			[parameter('conditions', 'filter', {}), parameter('options', 'json', {})],
		),
		async execute() {
			const [kept] = await branch.call(this);
			return [kept];
		},
	},
	'n8n-nodes-base.dataTable': {
		description: describe('dataTable', 'input', 1, [
			parameter('resource', 'options', 'row'),
			parameter('operation', 'options', 'insert'),
			parameter('dataTableId', 'json', {}),
			parameter('columns', 'json', {}),
			parameter('options', 'json', {}),
		]),
		execute: insertRows,
	},
	'n8n-nodes-base.wait': {
		description: describe('wait', 'input', 1.1, [
			parameter('resume', 'options', 'timeInterval'),
			parameter('amount', 'number', 5),
			parameter('unit', 'options', 'seconds'),
		]),
		execute: waitForTime,
	},
	'n8n-nodes-base.readWriteFile': {
		description: describe(
			'readWriteFile',
			'input',
			[1, 1.1],
			[
				parameter('operation', 'options', 'read'),
				parameter('fileSelector', 'string', ''),
				parameter('options', 'json', {}),
			],
		),
		execute: readFiles,
	},
};
