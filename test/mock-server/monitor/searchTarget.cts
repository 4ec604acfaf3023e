import type { SitePage } from '../../site/site.cjs';
import type { Context } from '../context.cjs';
import type { SearchTarget } from '../schemas/monitor.cjs';
import { parseQuery } from '../search/queryOperators.cjs';
import { mentioned, subjectOf, type Judgment } from './judge.cjs';
import { searchPrice } from './price.cjs';

const minute = 60_000;
const windows: Record<SearchTarget['searchWindow'], number> = {
	'5m': 5 * minute,
	'15m': 15 * minute,
	'1h': 60 * minute,
	'6h': 6 * 60 * minute,
	'24h': 24 * 60 * minute,
	'7d': 7 * 24 * 60 * minute,
};

/** Where a result stands: only `alert` is told as new. */
export type SearchStatus = 'alert' | 'already_seen' | 'watching' | 'ignored' | 'skipped';

/** The results of all queries, each page once, best ranks first, and what the searches cost. */
export function searchPages(
	{ search, clock }: Context,
	target: SearchTarget,
): { pages: SitePage[]; credits: number } {
	const { queries, searchWindow, includeDomains, excludeDomains, maxResults } = target;
	const since = clock.now() - windows[searchWindow];
	const accepts = ({ published }: SitePage): boolean => Date.parse(published) >= since;
	const lists = queries.map((query) =>
		search
			.findPages(parseQuery(query), { includeDomains, excludeDomains, accepts })
			.slice(0, maxResults)
			.map(({ item }) => item),
	);
	const merged = new Set<SitePage>();
	for (let rank = 0; rank < maxResults; rank++) {
		for (const list of lists) if (rank < list.length) merged.add(list[rank]);
	}
	return {
		pages: [...merged].slice(0, maxResults),
		credits: lists.reduce((sum, list) => sum + searchPrice(list.length), 0),
	};
}

/** Judges a new result: an alert when it has half of what the goal names, watched when it has some. */
export function judgeResult(
	goal: string,
	{ title, description, markdown }: SitePage,
): { status: SearchStatus; judgment: Judgment } {
	const subject = subjectOf(goal);
	const hits = mentioned(subject, `${title} ${description} ${markdown}`);
	const meaningful = hits.length * 2 >= subject.length;
	const named = hits.length > 0 ? `It has ${hits.join(', ')}` : 'It has nothing';
	const reason = `${named} of what the goal names.`;
	return {
		status: meaningful ? 'alert' : hits.length > 0 ? 'watching' : 'ignored',
		judgment: {
			meaningful,
			confidence: hits.length > 0 && !meaningful ? 'low' : 'high',
			reason,
			meaningfulChanges: meaningful ? [{ type: 'added', before: null, after: title, reason }] : [],
		},
	};
}
