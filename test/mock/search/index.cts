import type { Site, SiteImage, SitePage } from '../site/site.cjs';
import { plainText, TextIndex, type Match } from './textIndex.cjs';

/** What a search is narrowed to, beside the query. Given domains include their subdomains. */
export interface Narrowing {
	includeDomains?: readonly string[];
	excludeDomains?: readonly string[];
	accepts?: (page: SitePage) => boolean;
}

/** The search engine over the small web. Pages are read at the first search, and when some have changed. */
export class SearchIndex {
	private read = new Map<SitePage, string>();
	private pages = new TextIndex<SitePage>([], () => ({}), {});

	constructor(private readonly site: Site) {}

	findPages(query: string, narrowing: Narrowing): Array<Match<SitePage>> {
		this.refresh();
		const { terms, conditions } = parseQuery(query);
		return this.pages
			.search(terms)
			.filter(({ item }) => fits(item, narrowing))
			.filter(({ item }) => conditions.every((each) => this.meets(item, each)));
	}

	/** The images of the pages that are found. */
	findImages(query: string, narrowing: Narrowing): Array<{ image: SiteImage; page: SitePage }> {
		const found = this.findPages(query, narrowing).map(({ item }) => item);
		return found.flatMap((page) => page.images.map((image) => ({ image, page })));
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

	private meets(page: SitePage, { kind, value, negated }: Condition): boolean {
		if (kind === 'inurl') return page.url.toLowerCase().includes(value) !== negated;
		if (kind === 'phrase') {
			const text = plainText(contentOf(page)).toLowerCase().replace(/\s+/g, ' ');
			return text.includes(value) !== negated;
		}
		const [domain = '', ...path] = value.replace(/^https?:\/\//, '').split('/');
		const within = isWithin(page.host, domain) && page.path.startsWith(`/${path.join('/')}`);
		return within !== negated;
	}
}

const contentOf = ({ title, description, markdown }: SitePage): string =>
	`${title}\n${description}\n${markdown}`;

/** Whether a host is the domain or lies below it. A leading `www.` is part of the name. */
export function isWithin(host: string, domain: string): boolean {
	return host === domain || host.endsWith(`.${domain}`);
}

function fits(
	page: SitePage,
	{ includeDomains = [], excludeDomains = [], accepts = () => true }: Narrowing,
): boolean {
	const isIn = (domains: readonly string[]) =>
		domains.some((domain) => isWithin(page.host, domain));
	const included = includeDomains.length === 0 || isIn(includeDomains);
	return included && !isIn(excludeDomains) && accepts(page);
}

/** A condition that a result must meet, or must not when negated. */
interface Condition {
	kind: 'phrase' | 'site' | 'inurl';
	value: string;
	negated: boolean;
}

const token = /(-?)(?:([a-z]+):(?!\/))?(?:"([^"]*)"|(\S+))/gi;

/** Takes a query apart, in lower case: words that rank, and what phrases, `site:` and `inurl:` demand. */
export function parseQuery(query: string): { terms: string; conditions: Condition[] } {
	const terms: string[] = [];
	const conditions: Condition[] = [];
	for (const [, minus, rawName = '', phrase, word = ''] of query.matchAll(token)) {
		const name = rawName.toLowerCase();
		const value = (phrase ?? word).toLowerCase();
		const negated = minus === '-';
		if (name === 'site' || name === 'inurl') conditions.push({ kind: name, value, negated });
		if (name !== '') continue;
		if (negated || phrase !== undefined) conditions.push({ kind: 'phrase', value, negated });
		if (!negated) terms.push(value);
	}
	return { terms: terms.join(' '), conditions };
}
