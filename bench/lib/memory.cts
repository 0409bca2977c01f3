import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Makes the kernel forget the highest resident memory of this process so far.
 *
 * @returns the resident memory now, in bytes
 */
export function restartPeak(): number {
	writeFileSync('/proc/self/clear_refs', '5');
	return memory('VmRSS');
}

/** Resident memory of this process as Linux tells it, in bytes: now, or its high-water mark. */
export function memory(field: 'VmRSS' | 'VmHWM'): number {
	const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(
		readFileSync('/proc/self/status', 'utf8'),
	);
	if (line === null) throw new Error(`Linux does not tell ${field}`);
	return Number(line[1]) * 1024;
}
