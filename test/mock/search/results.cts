import { imagesOf, type SiteImage } from '../site/render.cjs';
import type { SitePage } from '../site/site.cjs';
import type { Context } from '../context.cjs';
import { searchPapers } from '../endpoints/research.cjs';
import type { Category, SearchRequest } from '../schemas/search.cjs';
import type { Document } from '../scrape/formats.cjs';
import { parseQuery } from './index.cjs';
import { bestSentences, embolden, type Match, sentencesOf } from './textIndex.cjs';

interface WebResult extends Partial<Document> {
	url: string;
	title: string;
	description: string;
	category?: Category;
}

interface NewsResult extends Partial<Document> {
	title: string;
	url: string;
	snippet: string;
	date: string;
	imageUrl?: string;
	position: number;
}

export interface Results {
	data: {
		web?: WebResult[];
		images?: Array<ReturnType<typeof imageResult>>;
		news?: NewsResult[];
		research?: object[];
	};
	/** Results that are billed. */
	counted: number;
}

/** The lists that the sources ask for. The research category fills `data.research`. */
export function searchResults(context: Context, request: SearchRequest): Results {
	const { query, limit, categories, sources, highlights, tbs = '' } = request;
	const data: Results['data'] = {};
	const records = categories.includes('research');
	const wanted = categories.filter((category) => category !== 'research');
	const { byDate, from, until } = timeFilter(tbs, context.clock.now()) ?? always;
	const found = (accepts: (page: SitePage) => boolean = () => true): Array<Match<SitePage>> => {
		const narrowing = {
			...request,
			accepts(page: SitePage): boolean {
				const published = Date.parse(page.published);
				return published >= from && published < until && accepts(page);
			},
		};
		const pages = context.search.findPages(query, narrowing);
		if (byDate) pages.sort((a, b) => b.item.published.localeCompare(a.item.published));
		return pages;
	};
	/** With highlights: the passages that answer the query, its words in bold. */
	const describe = ({ item, words }: Match<SitePage>): string => {
		if (!highlights) return item.description;
		const passages = bestSentences(sentencesOf(item.markdown), words, 2);
		return embolden(passages.join(' … ') || item.description, words);
	};

	for (const { type } of sources) {
		if (type === 'web') {
			if (records) data.research = searchPapers(parseQuery(query).terms || query, limit);
			if (!records || wanted.length > 0) {
				const fits = (page: SitePage) =>
					wanted.length === 0 || categoryOf(page, wanted) !== undefined;
				data.web = found(fits)
					.slice(0, limit)
					.map((match) => ({
						url: match.item.url,
						title: match.item.title,
						description: describe(match),
						...(wanted.length > 0 && { category: categoryOf(match.item, wanted) }),
					}));
			}
		}
		if (type === 'news') {
			const news = found(({ kind }) => kind === 'news').slice(0, limit);
			data.news = news.map((match, index) => ({
				title: match.item.title,
				url: match.item.url,
				snippet: describe(match),
				date: match.item.published,
				...(imagesOf(match.item)[0] && { imageUrl: imagesOf(match.item)[0].url }),
				position: index + 1,
			}));
		}
		if (type === 'images') {
			const images = found().flatMap(({ item }) => imagesOf(item));
			data.images = images.slice(0, limit).map(imageResult);
		}
	}
	// A source that found nothing has no list.
	for (const name of ['web', 'news', 'images'] as const) {
		if (data[name]?.length === 0) delete data[name];
	}
	const counted = Object.values(data).reduce((sum, list) => sum + list.length, 0);
	return { data, counted };
}

const imageResult = (image: SiteImage, index: number) => ({
	title: image.title,
	imageUrl: image.url,
	imageWidth: image.width,
	imageHeight: image.height,
	url: image.pageUrl,
	position: index + 1,
});

const categoryOf = (page: SitePage, categories: readonly Category[]): Category | undefined =>
	categories.find((category) =>
		category === 'pdf'
			? page.kind === 'pdf'
			: page.category === (category === 'github' ? 'developer' : category),
	);

/** What a `tbs` value asks for: a window of times, and whether the newest come first instead of the best. */
interface TimeFilter {
	byDate: boolean;
	from: number;
	until: number;
}

const always: TimeFilter = { byDate: false, from: -Infinity, until: Infinity };

const hour = 3_600_000;
const day = 24 * hour;
const ranges = new Map(Object.entries({ h: hour, d: day, w: 7 * day, m: 30 * day, y: 365 * day }));

/** Reads a time filter of the public API reference, `qdr:`, `cdr:1` with both ends, `sbd:1`; undefined when it is none. */
export function timeFilter(tbs: string, now: number): TimeFilter | undefined {
	const values = new Map<string, string>();
	for (const part of tbs.split(',')) {
		const [, name, value] = /^(qdr|cdr|cd_min|cd_max|sbd):(.+)$/.exec(part) ?? [];
		if (!name || values.has(name)) return undefined;
		values.set(name, value);
	}
	const { sbd, qdr, ...custom } = Object.fromEntries(values);
	if (sbd !== undefined && sbd !== '1') return undefined;
	const filter = { byDate: sbd === '1', from: -Infinity, until: Infinity };
	if (qdr !== undefined) {
		const [, unit = '', count] = /^([hdwmy])([1-9]\d*)?$/.exec(qdr) ?? [];
		const range = ranges.get(unit);
		if (range === undefined || custom.cdr !== undefined) return undefined;
		filter.from = now - range * Number(count ?? 1);
	}
	if (Object.keys(custom).length === 0) return filter;
	const from = date(custom.cd_min);
	const last = date(custom.cd_max);
	if (custom.cdr !== '1' || from === undefined || last === undefined || last < from)
		return undefined;
	return { ...filter, from, until: last + day };
}

/** Midnight UTC of a MM/DD/YYYY date that exists in the calendar. */
function date(text = ''): number | undefined {
	const [, month, dayOfMonth, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
	const time = Date.UTC(Number(year), Number(month) - 1, Number(dayOfMonth));
	return new Date(time).getUTCDate() === Number(dayOfMonth) ? time : undefined;
}
