import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/**
 * How a result becomes items.
 *
 * @param displayOptions when there can be a result at all
 */
export function outputParameters(displayOptions?: IDisplayOptions): INodeProperties[] {
	const parameters: INodeProperties[] = [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{
					name: 'Data Only',
					value: 'data',
					description: 'The extracted fields and nothing else',
				},
				{
					name: 'Full Response',
					value: 'full',
					description: 'The answer of the service as it was received',
				},
				{
					name: 'Simplified',
					value: 'simplified',
					description: 'The ID, the state, the credits and the extracted fields under "data"',
				},
			],
			default: 'simplified',
			description: 'What an item holds',
		},
		{
			displayName: 'Split Into Items',
			name: 'splitIntoItems',
			type: 'boolean',
			default: false,
			description:
				'Whether to return one item per row when the extracted data is a list of rows, or holds exactly one such list',
		},
		{
			displayName: 'Download Screenshots',
			name: 'downloadScreenshots',
			type: 'boolean',
			default: false,
			description:
				'Whether to attach the screenshots of the result as files: screenshot_0, screenshot_1, and so on',
		},
	];
	return displayOptions
		? parameters.map((parameter) => ({ ...parameter, displayOptions }))
		: parameters;
}
