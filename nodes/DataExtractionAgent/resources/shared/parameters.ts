import type { INodeProperties } from 'n8n-workflow';
import { batching } from './batching';
import { extraQuery, optionsCollection } from './options';
import { outputParameters } from './output';
import { waitForRead, waitForStarted, waitOptions } from './wait';

/** What every start shows below its own parameters. */
export function startParameters(options: INodeProperties[]): INodeProperties[] {
	return [
		waitForStarted,
		...outputParameters({ show: { waitForCompletion: [true] } }),
		waitOptions,
		optionsCollection(options, [extraQuery]),
		batching,
	];
}

/** What every operation that reads a result shows below its own parameters. */
export function readParameters(options: INodeProperties[] = []): INodeProperties[] {
	return [
		waitForRead,
		...outputParameters(),
		waitOptions,
		...(options.length > 0 ? [optionsCollection(options)] : []),
		batching,
	];
}
