import type { Site, SiteImage, SitePage } from '../../site/site.cjs';
import { plainText, sentencesOf } from './highlight.cjs';
import type { Condition, ParsedQuery } from './queryOperators.cjs';
import { TextIndex, type Match } from './textIndex.cjs';

/** A page as the index keeps it: the fields that it was made from, and its readings. */
interface Indexed {
	page: SitePage;
	read: string;
	text: string;
	sentences: string[];
}

/** What a search is narrowed to, beside the query. Given domains include their subdomains. */
export interface Narrowing {
	includeDomains?: readonly string[];
	excludeDomains?: readonly string[];
	accepts?: (page: SitePage) => boolean;
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
			.search(query.terms)
			.filter(({ item }) => fits(item, query, narrowing))
			.map(({ item, ...match }) => ({ ...match, item: item.page, sentences: item.sentences }));
	}

	findImages(query: ParsedQuery, narrowing: Narrowing): ImageMatch[] {
		this.refresh();
		return this.images
			.search(query.terms)
			.filter(({ item }) => fits(item.of, query, narrowing))
			.map(({ item, ...match }) => ({ ...match, item: item.image, page: item.of.page }));
	}

	private refresh(): void {
		const { pages } = this.site;
		const isCurrent =
			pages.length === this.indexed.length &&
			pages.every((page, index) => {
				const known = this.indexed[index];
				return known.page === page && known.read === contentOf(page);
			});
		if (isCurrent) return;
		this.indexed = pages.map((page) => ({
			page,
			read: contentOf(page),
			text: plainText(contentOf(page)).toLowerCase().replace(/\s+/g, ' '),
			sentences: sentencesOf(page.markdown),
		}));
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

const contentOf = ({ title, description, markdown }: SitePage): string =>
	`${title}\n${description}\n${markdown}`;

/** Whether a host is the domain or lies below it. A leading `www.` is part of the name. */
export function isWithin(host: string, domain: string): boolean {
	return host === domain || host.endsWith(`.${domain}`);
}

function fits(
	entry: Indexed,
	{ conditions }: ParsedQuery,
	{ includeDomains = [], excludeDomains = [], accepts = () => true }: Narrowing,
): boolean {
	const { host } = entry.page;
	const isIn = (domains: readonly string[]): boolean =>
		domains.some((domain) => isWithin(host, domain));
	return (
		(includeDomains.length === 0 || isIn(includeDomains)) &&
		!isIn(excludeDomains) &&
		accepts(entry.page) &&
		conditions.every((each) => meets(entry, each) !== each.negated)
	);
}

function meets({ page, text }: Indexed, { kind, value }: Condition): boolean {
	if (kind === 'phrase') return text.includes(value);
	if (kind === 'inurl') return page.url.toLowerCase().includes(value);
	const [domain = '', ...path] = value.replace(/^https?:\/\//, '').split('/');
	return isWithin(page.host, domain) && page.path.startsWith(`/${path.join('/')}`);
}
