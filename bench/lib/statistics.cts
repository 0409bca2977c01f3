/** The middle of some numbers. */
export function median(values: number[]): number {
	return percentile(values, 50);
}

/** Interpolated between the two nearest values. */
export function percentile(values: number[], percent: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	const rank = (percent / 100) * (sorted.length - 1);
	const [below, above] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
	return below + (above - below) * (rank - Math.floor(rank));
}

export function mean(values: number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function rounded(value: number, digits = 0): number {
	return Number(value.toFixed(digits));
}
