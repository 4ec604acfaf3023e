import type { SitePage } from '../../site/site.cjs';
import type { Context } from '../context.cjs';
import type { PaperRecord } from '../papers.cjs';
import type { Category, SearchRequest } from '../schemas/search.cjs';
import type { Document } from '../scrape/document.cjs';
import type { Team } from '../teams.cjs';
import { bestSentences, embolden } from './highlight.cjs';
import type { Narrowing, PageMatch } from './index.cjs';
import { parseQuery, type ParsedQuery } from './queryOperators.cjs';
import { passes, timeFilter } from './timeFilter.cjs';

export interface WebResult extends Partial<Document> {
	url: string;
	title: string;
	description: string;
	category?: Category;
}

export interface NewsResult extends Partial<Document> {
	title: string;
	url: string;
	snippet: string;
	date: string;
	imageUrl?: string;
	position: number;
}

export interface ImageResult {
	title: string;
	imageUrl: string;
	imageWidth: number;
	imageHeight: number;
	url: string;
	position: number;
}

export interface Results {
	data: {
		web?: WebResult[];
		images?: ImageResult[];
		news?: NewsResult[];
		research?: PaperRecord[];
	};
	/** Results that are billed. */
	counted: number;
	/** Addresses whose risk was classified. */
	scanned: number;
}

/** The day from which the research category answers with paper records. */
const researchSwitch = Date.UTC(2026, 10, 16);

function researchRecords({ clock, options }: Context): boolean {
	if (options.research !== 'by date') return options.research === 'records';
	return clock.now() >= researchSwitch;
}

/** The `warnings` entry of every response that uses the research category before the switch. */
export function researchNotice(context: Context, request: SearchRequest): string[] {
	if (!request.categories.includes('research') || researchRecords(context)) return [];
	return [
		'From 2026-11-16 the research category searches a research index, ' +
			'and its results move from data.web to data.research.',
	];
}

/**
 * The lists that the sources ask for, each up to `limit`. With the research category alone, after the
 * switch, `data.research` stands in for `data.web`; beside `pdf` both are there.
 */
export function searchResults(context: Context, request: SearchRequest, team: Team): Results {
	const results: Results = { data: {}, counted: 0, scanned: 0 };
	const query = parseQuery(request.query);
	const records = request.categories.includes('research') && researchRecords(context);
	const webCategories = records
		? request.categories.filter((category) => category !== 'research')
		: request.categories;

	/** A source that found nothing has no list. */
	const addFound = <Name extends 'web' | 'news' | 'images'>(
		name: Name,
		found: Results['data'][Name] & unknown[],
	): void => {
		if (found.length > 0) results.data[name] = found;
	};
	for (const source of request.sources) {
		const search = new SourceSearch(context, request, query, team);
		if (source.type === 'web') {
			if (records) {
				const text = query.terms || request.query;
				results.data.research = context.papers.search(text, request.limit);
			}
			if (webCategories.includes('gov')) {
				addFound('web', context.government.search(query.terms || request.query, request.limit));
			} else if (!records || webCategories.length > 0) {
				addFound('web', search.web(webCategories));
			}
		}
		if (source.type === 'news') addFound('news', search.news());
		if (source.type === 'images') addFound('images', search.images());
		results.scanned += search.scanned;
	}
	results.counted = Object.values(results.data).reduce((sum, list) => sum + list.length, 0);
	return results;
}

/** One source's part of a search. */
class SourceSearch {
	scanned = 0;
	private readonly now: number;
	private readonly filter;

	constructor(
		private readonly context: Context,
		private readonly request: SearchRequest,
		private readonly query: ParsedQuery,
		private readonly team: Team,
	) {
		this.now = context.clock.now();
		this.filter = timeFilter(request.tbs);
	}

	web(categories: readonly Category[]): WebResult[] {
		const matches = this.pages((page) => categories.length === 0 || isOf(page, categories));
		return matches.map((match) => ({
			url: match.item.url,
			title: match.item.title,
			description: this.describe(match),
			...(categories.length > 0 && {
				category: categories.find((category) => isOf(match.item, [category])),
			}),
		}));
	}

	news(): NewsResult[] {
		return this.pages(({ kind }) => kind === 'news').map((match, index) => ({
			title: match.item.title,
			url: match.item.url,
			snippet: this.describe(match),
			date: match.item.published,
			...(match.item.images[0] && { imageUrl: match.item.images[0].url }),
			position: index + 1,
		}));
	}

	images(): ImageResult[] {
		const matches = this.context.search.findImages(this.query, this.narrowing());
		const ordered = this.order(matches, ({ page }) => page);
		return this.unblocked(ordered, ({ page }) => page.url).map(({ item }, index) => ({
			title: item.title,
			imageUrl: item.url,
			imageWidth: item.width,
			imageHeight: item.height,
			url: item.pageUrl,
			position: index + 1,
		}));
	}

	private pages(accepts: (page: SitePage) => boolean): PageMatch[] {
		const matches = this.context.search.findPages(this.query, this.narrowing(accepts));
		const ordered = this.order(matches, ({ item }) => item);
		return this.unblocked(ordered, ({ item }) => item.url);
	}

	private narrowing(accepts: (page: SitePage) => boolean = () => true): Narrowing {
		const { includeDomains, excludeDomains, safe } = this.request;
		return {
			includeDomains,
			excludeDomains,
			accepts: (page) =>
				accepts(page) &&
				!(safe && page.explicit) &&
				passes(this.filter, Date.parse(page.published), this.now),
		};
	}

	private order<T>(matches: T[], pageOf: (match: T) => SitePage): T[] {
		if (!this.filter.byDate) return matches;
		return matches.sort((a, b) => pageOf(b).published.localeCompare(pageOf(a).published));
	}

	/** Up to `limit` results; blocked domains are left out silently, every scan counts. */
	private unblocked<T>(matches: T[], urlOf: (match: T) => string): T[] {
		const { threatProtection, scrapeOptions, limit } = this.request;
		const override = threatProtection ?? scrapeOptions?.threatProtection;
		const kept: T[] = [];
		for (const match of matches) {
			if (kept.length === limit) break;
			const verdict = this.context.threats.judge(this.team, override, urlOf(match));
			if (verdict.scanned) this.scanned++;
			if (!verdict.blocked) kept.push(match);
		}
		return kept;
	}

	/** With highlights: the passages that answer the query, its words in bold. */
	private describe({ item, words, sentences }: PageMatch): string {
		if (!this.request.highlights) return item.description;
		const passages = bestSentences(sentences, words, 2);
		return embolden(passages.join(' … ') || item.description, words);
	}
}

function isOf(page: SitePage, categories: readonly Category[]): boolean {
	return categories.some((category) =>
		category === 'pdf' ? page.kind === 'pdf' : page.category === category,
	);
}
