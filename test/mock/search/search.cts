import type { Context } from '../context.cjs';
import { searchPapers } from '../endpoints/research.cjs';
import type { Category, SearchRequest } from '../endpoints/search.cjs';
import type { Document } from '../scrape/formats.cjs';
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
		const { pages } = this.site;
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
	data: { web?: WebResult[]; images?: object[]; news?: NewsResult[]; research?: object[] };
	/** Results that are billed. */
	counted: number;
}

/** The lists that the sources ask for. The research category fills `data.research`. */
export function searchResults(context: Context, request: SearchRequest): Results {
	const { query, limit = 10, categories = [], sources = ['web'] } = request;
	const data: Results['data'] = {};
	const wanted = categories.filter((category) => category !== 'research');
	const isResearch = categories.length > wanted.length;
	const found = (accepts: (page: SitePage) => boolean): SitePage[] =>
		context.search.findPages(query, accepts);

	for (const type of sources) {
		if (type === 'web' && isResearch) data.research = searchPapers(query, limit);
		if (type === 'web' && (!isResearch || wanted.length > 0)) {
			const pages = found((page) => wanted.length === 0 || categoryOf(page, wanted) !== undefined);
			data.web = pages.slice(0, limit).map((page) => ({
				...{ url: page.url, title: page.title, description: page.description },
				...(wanted.length > 0 && { category: categoryOf(page, wanted) }),
			}));
		}
		if (type === 'news') {
			const pages = found(({ kind }) => kind === 'news');
			data.news = pages.slice(0, limit).map((page, index) => ({
				...{ title: page.title, url: page.url, snippet: page.description, date: page.published },
				...(imagesOf(page)[0] && { imageUrl: imagesOf(page)[0].url }),
				position: index + 1,
			}));
		}
		if (type === 'images') {
			const images = found(() => true).flatMap(imagesOf);
			data.images = images.slice(0, limit).map((image, index) => ({
				...{ title: image.title, imageUrl: image.url, url: image.pageUrl, position: index + 1 },
				...{ imageWidth: image.width, imageHeight: image.height },
			}));
		}
	}
	// A source that found nothing has no list.
	for (const name of ['web', 'news', 'images'] as const) {
		if (data[name]?.length === 0) delete data[name];
	}
	const counted = Object.values(data).reduce((sum, list) => sum + list.length, 0);
	return { data, counted };
}

const categoryOf = (page: SitePage, categories: readonly Category[]): Category | undefined =>
	categories.find((category) =>
		category === 'pdf'
			? page.kind === 'pdf'
			: page.category === (category === 'github' ? 'developer' : category),
	);
