import type { INodeProperties } from 'n8n-workflow';

/** How hard the node may work the service. */
export const batching: INodeProperties = {
	displayName: 'Batching',
	name: 'batching',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Max Concurrent Jobs',
			name: 'maxConcurrentJobs',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 10,
			description: 'How many items are worked on at the same time',
		},
		{
			displayName: 'Max Requests per Second',
			name: 'maxRequestsPerSecond',
			type: 'number',
			typeOptions: { minValue: 0.01 },
			default: 10,
			description:
				'Upper limit for all requests of this node. Without this option there is none, but the node slows down when the service says that it gets too many.',
		},
		{
			displayName: 'Request Timeout (Seconds)',
			name: 'requestTimeoutSeconds',
			type: 'number',
			typeOptions: { minValue: 0.01 },
			default: 60,
			description:
				'How long one request may take. Without this option it is 60 seconds; an upload gets more, by the size of its file.',
		},
	],
};
