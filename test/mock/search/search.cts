import type { Context } from '../context.cjs';
import { searchPapers } from '../endpoints/research.cjs';
import type { Category, SearchRequest } from '../endpoints/search.cjs';
import { imagesOf } from '../site/render.cjs';
import type { Site, SitePage } from '../site/site.cjs';
import { plainText, TextIndex } from './textIndex.cjs';

/** The search engine over the small web. Pages are read at the first search, and when some have changed. */
export class SearchIndex {
	private read = new Map<SitePage, string>();
	private pages = new TextIndex<SitePage>([], () => ({}), {});

	constructor(private readonly site: Site) {}

	/** The pages that fit best, of those that are accepted. */
	findPages(query: string, accepts: (page: SitePage) => boolean): SitePage[] {
		this.refresh();
		return this.pages
			.search(query)
			.map(({ item }) => item)
			.filter(accepts);
	}

	private refresh(): void {
		const pages = this.site.pages.filter(({ bare }) => bare !== true);
		const isCurrent = pages.every((page) => this.read.get(page) === contentOf(page));
		if (isCurrent && pages.length === this.read.size) return;
		this.read = new Map(pages.map((page) => [page, contentOf(page)]));
		this.pages = new TextIndex(
			pages,
			(page) => ({
				title: page.title,
				description: page.description,
				text: plainText(contentOf(page)),
			}),
			{ title: 3, description: 2, text: 1 },
		);
	}
}

const contentOf = ({ title, description, markdown }: SitePage): string =>
	`${title}\n${description}\n${markdown}`;

/** A result of a source, with its page once that is scraped. */
interface Result {
	url: string;
	[field: string]: unknown;
}

/** The lists of the sources that are asked for. One that found nothing has none. */
export interface Results {
	web?: Result[];
	news?: Result[];
	images?: Result[];
	/** What the research category finds. */
	research?: object[];
}

export function searchResults({ search }: Context, request: SearchRequest): Results {
	const { query, limit = 10, categories = [], sources = ['web'] } = request;
	const kinds = categories.filter((category) => category !== 'research');
	const best = <T,>(list: T[]) => (list.length > 0 ? list.slice(0, limit) : undefined);
	const results: Results = {};
	if (sources.includes('web') && kinds.length < categories.length) {
		results.research = searchPapers(query, limit);
	}
	if (sources.includes('web') && (kinds.length > 0 || categories.length === 0)) {
		const isOfKind = (page: SitePage) =>
			kinds.length === 0 || categoryOf(page, kinds) !== undefined;
		const pages = search.findPages(query, isOfKind).map((page) => ({
			...{ url: page.url, title: page.title, description: page.description },
			...(kinds.length > 0 && { category: categoryOf(page, kinds) }),
		}));
		results.web = best(pages);
	}
	if (sources.includes('news')) {
		const pages = search
			.findPages(query, ({ kind }) => kind === 'news')
			.map((page, index) => ({
				...{ title: page.title, url: page.url, snippet: page.description, date: page.published },
				...{ imageUrl: imagesOf(page).at(0)?.url, position: index + 1 },
			}));
		results.news = best(pages);
	}
	if (sources.includes('images')) {
		const images = search.findPages(query, () => true).flatMap(imagesOf);
		const found = images.map((image, index) => ({
			...{ title: image.title, imageUrl: image.url, url: image.pageUrl, position: index + 1 },
			...{ imageWidth: image.width, imageHeight: image.height },
		}));
		results.images = best(found);
	}
	return results;
}

const categoryOf = (page: SitePage, categories: readonly Category[]): Category | undefined =>
	categories.find((category) =>
		category === 'pdf'
			? page.kind === 'pdf'
			: page.category === (category === 'github' ? 'developer' : category),
	);
