import { optionCredits } from '../scrape/price.cjs';
import type { SearchRequest } from '../schemas/search.cjs';
import type { Team } from '../teams.cjs';

/**
 * "2 credits per 10 results (rounded up)" is read as: one sum per request over the results returned in
 * every list but `tools`, in started tens; no results cost nothing. `zdr` (asked for, or enforced for
 * the team) makes it 10 per 10.
 */
export function searchCredits(request: SearchRequest, results: number, team: Team): number {
	const perTen = request.enterprise.includes('zdr') || team.zdrForced ? 10 : 2;
	return Math.ceil(results / 10) * perTen;
}

/**
 * The largest limit, up to the one asked for, that the balance covers if every list is full and every
 * page costs its usual price; 0 when it does not cover the request at all. Teams without the lowering
 * get all or nothing.
 */
export function affordableLimit(request: SearchRequest, balance: number, team: Team): number {
	const lists = request.sources.filter(({ type }) => type !== 'alexandria');
	if (lists.length === 0) return request.limit;
	const scraped = lists.filter(({ type }) => type !== 'images').length;
	const perPage = request.scrapeOptions?.formats?.length
		? (request.scrapeOptions.lockdown ? 5 : 1) + optionCredits(request.scrapeOptions)
		: 0;
	const price = (limit: number): number =>
		searchCredits(request, limit * lists.length, team) + limit * scraped * perPage;
	let limit = request.limit;
	if (price(limit) > balance && !team.lowersLimit) return 0;
	while (limit > 0 && price(limit) > balance) limit--;
	return limit;
}
