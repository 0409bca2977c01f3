import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Small sizes prove only that the benchmark works: their figures are not kept. */
const FOLDER = process.argv.includes('--quick') ? 'build/bench-results' : 'bench/results';

/** What the figures depend on besides the code. */
export interface Setting {
	node: string;
	/** Major version of the n8n engine. */
	engine: number;
	cores: number;
	date: string;
}

export function settingOf(): Setting {
	return {
		node: process.versions.node.split('.')[0],
		engine: engineMajor(),
		cores: cpus().length,
		date: new Date().toISOString().slice(0, 10),
	};
}

export function engineMajor(): 1 | 2 {
	return process.env.N8N_ENGINE === '1' ? 1 : 2;
}

/** Node's and the engine's version, under which measurements are kept side by side. */
export function settingName(): string {
	return `Node ${process.versions.node.split('.')[0]}, engine ${String(engineMajor())}`;
}

export function readResults<Results>(name: string): Results | undefined {
	const path = pathOf(name);
	return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Results) : undefined;
}

/** Keeps the figures as they are, for the charts and for whoever wants to look. */
export function saveResults(name: string, results: object): void {
	mkdirSync(FOLDER, { recursive: true });
	writeFileSync(pathOf(name), `${JSON.stringify(results, undefined, '\t')}\n`);
}

function pathOf(name: string): string {
	return `${FOLDER}/${name}.json`;
}
