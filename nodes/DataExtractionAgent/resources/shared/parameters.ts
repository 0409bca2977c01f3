import type { INodeProperties } from 'n8n-workflow';
import { batching } from './batching';
import { extraQuery, optionsCollection } from './options';
import { outputParameters } from './output';
import { waitParameters } from './wait';

/** What every start shows below its own parameters. */
export function startParameters(options: INodeProperties[]): INodeProperties[] {
	return [
		...waitParameters(true),
		...outputParameters({ show: { waitForCompletion: [true] } }),
		optionsCollection(options, [extraQuery]),
		batching,
	];
}

/** What every operation that reads a result shows below its own parameters. */
export function readParameters(options: INodeProperties[] = []): INodeProperties[] {
	return [
		...waitParameters(false),
		...outputParameters(),
		...(options.length > 0 ? [optionsCollection(options)] : []),
		batching,
	];
}
