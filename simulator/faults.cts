import type { LedgerEntry } from './ledger.cts';
import type { JsonObject } from './json.cts';
import { seededRandom } from './random.cts';

/**
 * - `status`: an answer of the script's choice
 * - `reset`: the connection is destroyed before anything is done
 * - `resetAfterAccept`: the request is carried out, then the connection is destroyed
 * - `hang`: no answer until the simulator closes
 * - `delay`: the normal answer, later
 */
export type FaultKind = 'status' | 'reset' | 'resetAfterAccept' | 'hang' | 'delay';

/** A scripted failure. */
export interface FaultScript {
	/** `start` and `result` are the seven endpoints; `any` adds the screenshots. */
	on: 'start' | 'result' | 'any';
	/** How often it strikes; `Infinity` is allowed. Default 1. */
	times?: number;
	/** Matching requests to let pass first. Default 0. */
	skip?: number;
	/** Chance of striking a matching request, from a seeded generator. Default 1. */
	probability?: number;
	/** Default 500, or 200 where a body is given. */
	status?: number;
	headers?: Record<string, string>;
	/** An object is sent as JSON, a string as it is (malformed JSON, a web page, …). */
	body?: string | JsonObject;
	/** Default `status`, or `delay` where only `delayMs` is given. */
	kind?: FaultKind;
	/** Waited before the fault strikes. */
	delayMs?: number;
	match?: (request: LedgerEntry) => boolean;
}

/** A fault on the list, with the number of requests it has struck. */
export interface Fault {
	readonly script: FaultScript;
	readonly kind: FaultKind;
	readonly hits: number;
}

interface ArmedFault extends Fault {
	hits: number;
	toSkip: number;
}

const defaultSeed = 1;

/** The list of scripted failures; the first that applies to a request strikes it. */
export class Faults {
	private armed: ArmedFault[] = [];
	private random = seededRandom(defaultSeed);

	add(script: FaultScript): Fault {
		const fault: ArmedFault = {
			script,
			kind: script.kind ?? impliedKind(script),
			hits: 0,
			toSkip: script.skip ?? 0,
		};
		this.armed.push(fault);
		return fault;
	}

	/** Removes all faults and starts the random sequence again. */
	clear(): void {
		this.armed = [];
		this.random = seededRandom(defaultSeed);
	}

	/** The fault that strikes this request, now counted, if there is one. */
	take(request: LedgerEntry): Fault | undefined {
		return this.armed.find((fault) => this.strikes(fault, request));
	}

	private strikes(fault: ArmedFault, request: LedgerEntry): boolean {
		const { times = 1, probability = 1, match } = fault.script;
		if (fault.hits >= times || !isMeant(fault.script.on, request)) return false;
		if (match !== undefined && !match(request)) return false;
		if (fault.toSkip > 0) {
			fault.toSkip -= 1;
			return false;
		}
		if (probability < 1 && this.random() >= probability) return false;
		fault.hits += 1;
		return true;
	}
}

function impliedKind(script: FaultScript): FaultKind {
	const answersItself = script.status !== undefined || script.body !== undefined;
	return script.delayMs !== undefined && !answersItself ? 'delay' : 'status';
}

function isMeant(on: FaultScript['on'], { operation }: LedgerEntry): boolean {
	if (operation === 'page' || operation === 'unknown') return false;
	if (on === 'any') return true;
	if (operation === 'screenshot') return false;
	return operation.endsWith('.start') === (on === 'start');
}
