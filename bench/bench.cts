import type { titles } from './contenders.cjs';
import type { Spread } from './statistics.cjs';

/** A column of a table. */
export type Column = keyof typeof titles;

/** What a contender came to: measured, counted, or in words where it cannot do the thing at all. */
export type Value = Spread | number | string;

/** What a figure of this pack must be; `value` is the median where it was measured several times. */
export interface Goal {
	words: string;
	value: number;
	/** The most that it may be. */
	most: number;
}

/** One line of a table: the same figure of each contender, in the same run. */
export interface Figure {
	name: string;
	of: Partial<Record<Column, Value>>;
	/** Digits after the point. */
	digits?: number;
	goals?: Goal[];
}

/** What a bench found. */
export interface Findings {
	figures: Figure[];
	/** What one must know to read the figures. */
	notes?: string[];
}

/** One measurement: `npm run bench -- --only NAME`. */
export interface Bench {
	name: string;
	/** What is measured, in a sentence. */
	about: string;
	/** Does it, each figure `repeats` times. */
	run(repeats: number): Promise<Findings>;
}

/** Whether this pack came to what it must. */
export const isMet = ({ value, most }: Goal) => value <= most;

/** How many goals there are, how many of them were missed, and what the process says with its exit. */
export function reckon(found: Findings[]): { goals: number; missed: number; exitCode: 0 | 1 } {
	const goals = found.flatMap(({ figures }) => figures.flatMap((one) => one.goals ?? []));
	const missed = goals.filter((goal) => !isMet(goal)).length;
	return { goals: goals.length, missed, exitCode: missed > 0 ? 1 : 0 };
}

/** The numbers from 1 to `count`. */
export const countTo = (count: number): number[] =>
	Array.from({ length: count }, (_, index) => index + 1);
