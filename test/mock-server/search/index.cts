import type { Site, SiteImage, SitePage } from '../../site/site.cjs';
import { plainText, sentencesOf } from './highlight.cjs';
import type { Condition, ParsedQuery } from './queryOperators.cjs';
import { TextIndex, wordsOf, type Match } from './textIndex.cjs';

/** A page as the index keeps it: the fields that it was made from, and its readings. */
interface Indexed {
	page: SitePage;
	read: Pick<SitePage, 'title' | 'description' | 'markdown'>;
	title: string;
	text: string;
	sentences: string[];
}

/** What a search is narrowed to, beside the query. Given domains include their subdomains. */
export interface Narrowing {
	includeDomains?: readonly string[];
	excludeDomains?: readonly string[];
	accepts?: (page: SitePage) => boolean;
	/** Factor on the score of a page, e.g. for its country. */
	weigh?: (page: SitePage) => number;
}

export type PageMatch = Match<SitePage> & { sentences: readonly string[] };
export type ImageMatch = Match<SiteImage> & { page: SitePage };

/** The search engine over the small web. Pages that changed are read again at the next search. */
export class SearchIndex {
	private indexed: Indexed[] = [];
	private pages = new TextIndex<Indexed>([], () => ({}), {});
	private images = new TextIndex<{ image: SiteImage; of: Indexed }>([], () => ({}), {});

	constructor(private readonly site: Site) {
		this.refresh();
	}

	findPages(query: ParsedQuery, narrowing: Narrowing): PageMatch[] {
		this.refresh();
		return this.pages
			.search(this.termsOf(query))
			.filter(({ item }) => this.fits(item, query, narrowing))
			.map(({ item, score, words }) => ({
				item: item.page,
				score: score * (narrowing.weigh?.(item.page) ?? 1),
				words,
				sentences: item.sentences,
			}))
			.sort((a, b) => b.score - a.score);
	}

	findImages(query: ParsedQuery, narrowing: Narrowing): ImageMatch[] {
		this.refresh();
		return this.images
			.search(this.termsOf(query))
			.filter(({ item }) => this.fits(item.of, query, narrowing) && sizeFits(item.image, query))
			.map(({ item, score, words }) => ({
				item: item.image,
				page: item.of.page,
				score: score * (narrowing.weigh?.(item.of.page) ?? 1),
				words,
			}))
			.sort((a, b) => b.score - a.score);
	}

	/** `related:` ranks by the words that set the domain's pages apart, and leaves the domain out. */
	private termsOf(query: ParsedQuery): string {
		const profile = query.related.flatMap((domain) => this.profile(domain));
		return [query.terms, ...profile].join(' ').trim();
	}

	private profile(domain: string): string[] {
		const counts = new Map<string, number>();
		for (const { page } of this.indexed.filter((each) => isWithin(each.page.host, domain))) {
			for (const word of wordsOf(`${page.title} ${page.description}`)) {
				counts.set(word, (counts.get(word) ?? 0) + 1);
			}
		}
		return [...counts.entries()]
			.sort((a, b) => b[1] - a[1])
			.slice(0, 4)
			.map(([word]) => word);
	}

	private fits(entry: Indexed, query: ParsedQuery, narrowing: Narrowing): boolean {
		const { page } = entry;
		const { includeDomains, excludeDomains, accepts } = narrowing;
		if (query.related.some((domain) => isWithin(page.host, domain))) return false;
		if (includeDomains?.length && !includeDomains.some((domain) => isWithin(page.host, domain)))
			return false;
		if (excludeDomains?.some((domain) => isWithin(page.host, domain))) return false;
		if (accepts && !accepts(page)) return false;
		return query.conditions.every((each) => meets(entry, each) !== each.negated);
	}

	private refresh(): void {
		const { pages } = this.site;
		const current =
			pages.length === this.indexed.length &&
			pages.every((page, index) => {
				const { page: known, read } = this.indexed[index];
				return (
					known === page &&
					read.title === page.title &&
					read.description === page.description &&
					read.markdown === page.markdown
				);
			});
		if (current) return;
		this.indexed = pages.map(read);
		this.pages = new TextIndex(
			this.indexed,
			({ page, text }) => ({ title: page.title, description: page.description, text }),
			{ title: 3, description: 2, text: 1 },
		);
		this.images = new TextIndex(
			this.indexed.flatMap((of) => of.page.images.map((image) => ({ image, of }))),
			({ image, of }) => ({ title: image.title, page: of.page.title, text: of.text }),
			{ title: 3, page: 1, text: 0.2 },
		);
	}
}

/** Whether a host is the domain or lies below it. A leading `www.` is part of the name. */
export function isWithin(host: string, domain: string): boolean {
	return host === domain || host.endsWith(`.${domain}`);
}

function read(page: SitePage): Indexed {
	const { title, description, markdown } = page;
	return {
		page,
		read: { title, description, markdown },
		title: title.toLowerCase(),
		text: `${title}\n${description}\n${plainText(markdown)}`
			.toLowerCase()
			.replace(/[ \t\n]+/g, ' '),
		sentences: sentencesOf(markdown),
	};
}

function meets({ page, title, text }: Indexed, { kind, value }: Condition): boolean {
	switch (kind) {
		case 'phrase':
			return text.includes(value);
		case 'word':
			return wordsOf(text).includes(value);
		case 'site': {
			const [domain = '', ...path] = value.replace(/^https?:\/\//, '').split('/');
			return isWithin(page.host, domain) && page.path.startsWith(`/${path.join('/')}`);
		}
		case 'filetype':
			return (
				page.path.toLowerCase().endsWith(`.${value}`) || (value === 'html' && page.kind !== 'pdf')
			);
		case 'inurl':
			return page.url.toLowerCase().includes(value);
		case 'intitle':
			return title.includes(value);
	}
}

function sizeFits({ width, height }: SiteImage, { imageSize, largerThan }: ParsedQuery): boolean {
	if (imageSize && (width !== imageSize.width || height !== imageSize.height)) return false;
	return !largerThan || (width > largerThan.width && height > largerThan.height);
}
