/** Durations of jobs, in seconds, from a source of random numbers from 0 to 1. */
export const distributions: Record<string, (random: () => number) => number> = {
	'constant 2 s': () => 2,
	'constant 10 s': () => 10,
	'constant 60 s': () => 60,
	'constant 600 s': () => 600,
	'log-normal 10 s, σ 0.5': logNormal(10, 0.5),
	'log-normal 60 s, σ 0.5': logNormal(60, 0.5),
	'log-normal 60 s, σ 1': logNormal(60, 1),
	'log-normal 300 s, σ 0.3': logNormal(300, 0.3),
	'5 s or 120 s': oneOf(5, 120),
	'30 s or 300 s': oneOf(30, 300),
};

/** Durations in milliseconds. */
export function drawMs(name: string, count: number, random: () => number): number[] {
	return Array.from({ length: count }, () => distributions[name](random) * 1000);
}

function logNormal(medianSeconds: number, sigma: number) {
	return (random: () => number) => {
		const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
		return medianSeconds * Math.exp(sigma * normal);
	};
}

function oneOf(...seconds: number[]) {
	return (random: () => number) => seconds[Math.floor(random() * seconds.length)];
}
