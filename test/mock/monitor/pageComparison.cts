import { structuredPatch } from 'diff';

import type { KnownPage } from './monitor.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import { fieldDiff, lineDiff } from '../scrape/changeTracking.cjs';
import { wordsOf } from '../search/textIndex.cjs';

/** Of the text, of the extraction, or of both; `json` is the text's parsed diff, or one entry per field. */
export type PageDiff = NonNullable<ReturnType<typeof compare>>['diff'];

type Change = ReturnType<typeof change>;

/** Whether what is new has to do with the monitor's goal. */
export type Judgment = ReturnType<typeof judge>;

const isExtraction = ({ type }: { type: string }): boolean =>
	type === 'json' || type === 'deterministicJson';

/** What is compared, as the target's formats ask for it. */
export function comparisonOf({ formats = [] }: ScrapeOptions) {
	const modes = formats.flatMap((each) =>
		each.type === 'changeTracking' ? (each.modes ?? []) : [],
	);
	const byFields = formats.some(isExtraction) || modes.includes('json');
	return { byFields, byText: !byFields || modes.includes('git-diff') };
}

/** The options with which a target's pages are scraped: fresh, as text, with the extraction if one is asked for. */
export function readingOptions(options: ScrapeOptions): ScrapeOptions {
	const { formats = [] } = options;
	const tracking = formats.find((format) => format.type === 'changeTracking');
	const others = formats.filter(
		({ type }) => type !== 'changeTracking' && type !== 'markdown' && type !== 'rawBase64',
	);
	const { schema, prompt } = tracking ?? {};
	const adds = !others.some(isExtraction) && tracking?.modes?.includes('json');
	return {
		maxAge: 0,
		...options,
		formats: [
			{ type: 'markdown' },
			...others,
			...(adds ? [{ type: 'json' as const, schema, prompt }] : []),
		],
	};
}

/** What is different between two readings of a page; undefined when nothing is. */
export function compare(
	before: Pick<KnownPage, 'markdown' | 'json'>,
	after: Pick<KnownPage, 'markdown' | 'json'>,
	{ byText, byFields }: ReturnType<typeof comparisonOf>,
) {
	// Lines are compared whole: a last one without its end would differ from itself.
	const [previous, current] = [`${before.markdown}\n`, `${after.markdown}\n`];
	const text = byText && previous !== current ? lineDiff(previous, current) : undefined;
	const all = byFields ? Object.entries(fieldDiff(Object(before.json), Object(after.json))) : [];
	const fields = all.filter(
		([, each]) => JSON.stringify(each.previous) !== JSON.stringify(each.current),
	);
	if (!text && fields.length === 0) return undefined;
	return {
		diff: {
			...(text && { text: text.text }),
			json: byFields ? Object.fromEntries(fields) : text?.json,
		},
		changes: [
			...(text ? textChanges(previous, current) : []),
			...fields.map(([name, each]) =>
				change(`${name}: ${String(each.previous)}`, `${name}: ${String(each.current)}`),
			),
		],
	};
}

function textChanges(before: string, after: string): Change[] {
	const { hunks } = structuredPatch('', '', before, after, '', '', { context: 0 });
	return hunks.map(({ lines }) => {
		const of = (sign: string): string | null => {
			const own = lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
			return own.join('\n') || null;
		};
		return change(of('-'), of('+'));
	});
}

const change = (before: string | null, after: string | null) => ({
	type: before === null ? 'added' : after === null ? 'removed' : 'changed',
	before,
	after,
});

/** Judges changes: those are meaningful that have a longer word of the goal. */
export function judge(goal: string, changes: readonly Change[]) {
	const subject = wordsOf(goal).filter((word) => word.length > 3);
	const named = ({ before, after }: Change): string[] => {
		const words = wordsOf(`${before ?? ''} ${after ?? ''}`);
		return subject.filter((part) => words.some((word) => word.startsWith(part.slice(0, -1))));
	};
	const meaningfulChanges = changes
		.filter((each) => named(each).length > 0)
		.map((each) => ({ ...each, reason: `It is about the goal: ${named(each).join(', ')}.` }));
	const [first] = meaningfulChanges;
	return {
		meaningful: first !== undefined,
		confidence: 'high',
		reason: first?.reason ?? 'Nothing that changed is about what the goal names.',
		meaningfulChanges,
	};
}
