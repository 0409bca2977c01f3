import type { INodeProperties } from 'n8n-workflow';

const waiting = { show: { waitForCompletion: [true] } };

/** Shown while the node is told to wait. */
export const waitOptions: INodeProperties = {
	displayName: 'Wait Options',
	name: 'waitOptions',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	displayOptions: waiting,
	options: [
		{
			displayName: 'Max Wait (Seconds)',
			name: 'maxWaitSeconds',
			type: 'number',
			typeOptions: { minValue: 0.01 },
			default: 600,
			description: 'How long to wait for a result. The job goes on in the service after that.',
		},
		{
			displayName: 'On Timeout',
			name: 'onTimeout',
			type: 'options',
			options: [
				{
					name: 'Fail',
					value: 'error',
					description: 'The item fails with a message that holds the ID of the job',
				},
				{
					name: 'Return What Is There',
					value: 'returnInProgress',
					description: 'The item is returned with the ID of the job and "done": false',
				},
			],
			default: 'error',
			description: 'What to do when a job is still in progress after Max Wait',
		},
		{
			displayName: 'Poll Interval (Seconds)',
			name: 'pollIntervalSeconds',
			type: 'number',
			typeOptions: { minValue: 0.01 },
			default: 5,
			description:
				'Fixed time between two looks at a result. Without this option the node asks after 1 second at first and less often as time goes by.',
		},
	],
};

/** The wait switch of an operation that reads. */
export const waitForRead: INodeProperties = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: false,
	description:
		'Whether to wait until the result is complete. Switched off, the node returns the result as it is now.',
};

/** The wait switch of a start. */
export const waitForStarted: INodeProperties = {
	...waitForRead,
	default: true,
	description:
		'Whether to wait for the result. Switched off, the node returns the ID of the job at once; read the result later with a Get operation.',
};
