import type { Finding } from './findings.cts';
import { comparableWords } from './words.cts';

/** Words that are often left out or added without a change of meaning, so they count for little. */
const weakWords = new Set(
	comparableWords(
		'invoice product document page item amount value name pay paid payable km kg bar mm year day',
	),
);
const weakWeight = 0.25;

/** Below this a match is more likely to be wrong than right. */
const leastScore = 0.75;

/** A field that somebody asks for. */
export interface WantedField {
	name: string;
	description: string;
	/** The names of the objects around it, outermost first. */
	parents: readonly string[];
}

/** The finding whose label fits a field best, or none where nothing fits well enough. */
export function bestMatch<T extends Pick<Finding, 'labels'>>(
	field: WantedField,
	findings: readonly T[],
): T | undefined {
	let best: { finding: T; score: number } | undefined;
	for (const finding of findings) {
		const score = Math.max(...finding.labels.map((label) => matchScore(field, label)));
		if (score > (best?.score ?? 0)) best = { finding, score };
	}
	return best?.finding;
}

/** How well a label fits a field; 0 where it does not fit at all. */
function matchScore(field: WantedField, label: string): number {
	const labelWords = comparableWords(label);
	const byPath = similarity(comparableWords([...field.parents, field.name].join(' ')), labelWords);
	const byName = similarity(comparableWords(field.name), labelWords);
	const byDescription = similarity(comparableWords(field.description), labelWords);
	// `seller: { address }` must not be filled from "Buyer address": inside another object the bare
	// name has to fit all but exactly.
	const nameFits = byName >= (field.parents.length === 0 ? leastScore : 0.9);
	const fits = nameFits || byPath >= leastScore || byDescription >= leastScore;
	return fits ? Math.max(byName, byPath) + byDescription / 2 : 0;
}

/** 1 for the same words, 0 for none in common; a wanted word that is missing costs the most. */
function similarity(wanted: readonly string[], label: readonly string[]): number {
	const common = weight(wanted.filter((word) => label.includes(word)));
	if (common === 0) return 0;
	return 0.4 * (common / weight(label)) + 0.6 * (common / weight(wanted));
}

function weight(words: readonly string[]): number {
	return words.reduce((sum, word) => sum + (weakWords.has(word) ? weakWeight : 1), 0);
}
