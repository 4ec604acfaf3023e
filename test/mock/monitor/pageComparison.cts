import type { KnownPage } from './monitor.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import { fieldDiff, lineDiff } from '../scrape/changeTracking.cjs';
import { wordsOf } from '../search/textIndex.cjs';

/** Of the text, of the extraction, or of both; `json` is the text's parsed diff, or one entry per field. */
export type PageDiff = NonNullable<ReturnType<typeof compare>>['diff'];

/** Whether what is new has to do with the monitor's goal. */
export type Judgment = ReturnType<typeof judge>;

/** What is compared, as the target's formats ask for it. */
export function comparisonOf({ formats = [] }: ScrapeOptions) {
	const modes = formats.flatMap((each) =>
		each.type === 'changeTracking' ? (each.modes ?? []) : [],
	);
	const byFields = formats.some(({ type }) => type === 'json') || modes.includes('json');
	return { byFields, byText: !byFields || modes.includes('git-diff') };
}

/** The options with which a target's pages are scraped: fresh, as text, with the extraction if one is asked for. */
export function readingOptions(options: ScrapeOptions): ScrapeOptions {
	const { formats = [] } = options;
	const others = formats.filter(
		({ type }) => type !== 'changeTracking' && type !== 'markdown' && type !== 'rawBase64',
	);
	const tracking = formats.find((format) => format.type === 'changeTracking');
	const { schema, prompt, modes } = tracking ?? {};
	const adds = !others.some(({ type }) => type === 'json') && modes?.includes('json');
	const json = adds ? [{ type: 'json' as const, schema, prompt }] : [];
	return { maxAge: 0, ...options, formats: [{ type: 'markdown' }, ...others, ...json] };
}

type Reading = Pick<KnownPage, 'markdown' | 'json'>;

/** What is different between two readings of a page, and in which words; undefined when nothing is. */
export function compare(
	before: Reading,
	after: Reading,
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
	const json = byFields ? Object.fromEntries(fields) : text?.json;
	const hunks = text?.json.files[0].chunks ?? [];
	const linesOf = (sign: string) =>
		hunks.flatMap(({ lines }) =>
			lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1)),
		);
	const valuesOf = (side: 'previous' | 'current') =>
		fields.map(([name, each]) => `${name}: ${String(each[side])}`);
	return {
		diff: { ...(text && { text: text.text }), json },
		before: [...linesOf('-'), ...valuesOf('previous')].join('\n'),
		after: [...linesOf('+'), ...valuesOf('current')].join('\n'),
	};
}

/** Judges a change: it is meaningful if it has a longer word of the goal. */
export function judge(goal: string, before: string, after: string) {
	const words = wordsOf(`${before} ${after}`);
	const named = wordsOf(goal)
		.filter((word) => word.length > 3)
		.filter((part) => words.some((word) => word.startsWith(part.slice(0, -1))));
	const meaningful = named.length > 0;
	const reason = meaningful
		? `It is about the goal: ${named.join(', ')}.`
		: 'Nothing that changed is about what the goal names.';
	const type = before === '' ? 'added' : after === '' ? 'removed' : 'changed';
	const change = { type, before: before || null, after: after || null, reason };
	return {
		...{ meaningful, confidence: 'high', reason },
		meaningfulChanges: meaningful ? [change] : [],
	};
}
