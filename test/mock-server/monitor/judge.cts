import { wordsOf } from '../search/textIndex.cjs';

/** Something that is different on a page. */
export interface Change {
	type: 'added' | 'removed' | 'changed';
	before: string | null;
	after: string | null;
}

/** Whether what is new has to do with the monitor's goal. */
export interface Judgment {
	meaningful: boolean;
	confidence: 'high' | 'medium' | 'low';
	reason: string;
	meaningfulChanges: Array<Change & { reason: string }>;
}

/** Words of a goal that say what to do and not what about. */
const orders = new Set(
	(
		'alert any anything change changed changes every find know let me new notify only page pages report ' +
		'show tell update updated updates want watch whenever'
	).split(' '),
);

/** What a goal is about: its words, without plural endings. */
export function subjectOf(goal: string): string[] {
	const words = wordsOf(goal).filter((word) => !orders.has(word));
	return [...new Set(words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)))];
}

/** The subject's words that a text holds, also at the beginning of a longer word. */
export function mentioned(subject: readonly string[], text: string): string[] {
	const words = wordsOf(text);
	return subject.filter((part) => words.some((word) => word.startsWith(part)));
}

/**
 * Judges the changes of a page: those are meaningful that mention what the goal is about. A goal that
 * names nothing in particular takes every change.
 */
export function judgeChanges(goal: string, changes: readonly Change[]): Judgment {
	const subject = subjectOf(goal);
	const found = changes.map((change) => ({
		change,
		hits: mentioned(subject, `${change.before ?? ''} ${change.after ?? ''}`),
	}));
	const meaningful = found.filter(({ hits }) => subject.length === 0 || hits.length > 0);
	const hits = new Set(meaningful.flatMap((each) => each.hits));
	return {
		meaningful: meaningful.length > 0,
		confidence: meaningful.length > 0 ? confidence(hits.size, subject.length) : 'high',
		reason: reasonFor([...hits], meaningful.length > 0),
		meaningfulChanges: meaningful.map(({ change, hits: own }) => ({
			...change,
			reason: reasonFor(own, true),
		})),
	};
}

function confidence(hits: number, wanted: number): Judgment['confidence'] {
	if (hits * 2 >= wanted) return 'high';
	return hits * 4 >= wanted ? 'medium' : 'low';
}

function reasonFor(hits: readonly string[], meaningful: boolean): string {
	if (!meaningful) return 'Nothing that changed is about what the goal names.';
	return hits.length > 0
		? `It is about what the goal names: ${hits.join(', ')}.`
		: 'The goal names nothing in particular.';
}
