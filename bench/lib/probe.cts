import type { INodeType } from 'n8n-workflow';
import { memory, restartPeak } from './memory.cts';

/** What a node took. */
export interface Cost {
	wallMs: number;
	cpuMs: number;
	/** Highest resident memory of the process while it ran. */
	peakBytes: number;
	/** That, over the resident memory right before it. */
	growthBytes: number;
}

/** Two nodes to put before and behind the one that is measured. */
export class Probe {
	private startedMs = 0;
	private cpuAtStart = process.cpuUsage();
	private baselineBytes = 0;
	private measured: Cost | undefined;

	/** What was measured between the two nodes. */
	get cost(): Cost {
		if (this.measured === undefined) throw new Error('The node behind was not reached');
		return this.measured;
	}

	readonly before: INodeType = passing('probeBefore', () => {
		this.baselineBytes = restartPeak();
		this.cpuAtStart = process.cpuUsage();
		this.startedMs = performance.now();
	});

	readonly behind: INodeType = passing('probeBehind', () => {
		const wallMs = performance.now() - this.startedMs;
		const { user, system } = process.cpuUsage(this.cpuAtStart);
		const peakBytes = memory('VmHWM');
		const growthBytes = peakBytes - this.baselineBytes;
		this.measured = { wallMs, cpuMs: (user + system) / 1000, peakBytes, growthBytes };
	});
}

function passing(name: string, action: () => void): INodeType {
	return {
		description: {
			displayName: name,
			name,
			group: ['transform'],
			version: 1,
			description: name,
			defaults: { name },
			inputs: ['main'],
			outputs: ['main'],
			properties: [],
		},
		async execute() {
			action();
			return [this.getInputData()];
		},
	};
}
