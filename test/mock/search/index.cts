import type { Site, SitePage } from '../site/site.cjs';
import { plainText, TextIndex, type Match } from './textIndex.cjs';

/** What a search is narrowed to, beside the query. Given domains include their subdomains. */
interface Narrowing {
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
			.filter(({ item }) => conditions.every((each) => meets(item, each)));
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

/** Whether a page meets what a query demands beside its words. */
function meets(page: SitePage, { kind, value }: Condition): boolean {
	if (kind === 'inurl') return page.url.toLowerCase().includes(value);
	if (kind === 'site') return isWithin(page.host, value);
	return plainText(contentOf(page)).toLowerCase().replace(/\s+/g, ' ').includes(value);
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

/** A condition that a result must meet. */
interface Condition {
	kind: 'phrase' | 'site' | 'inurl';
	value: string;
}

/** Takes a query apart, in lower case: words that rank, and what phrases, `site:` and `inurl:` demand. */
export function parseQuery(query: string): { terms: string; conditions: Condition[] } {
	const conditions: Condition[] = [];
	const demand = (kind: Condition['kind']) => (_: string, value: string) => {
		conditions.push({ kind, value });
		return kind === 'phrase' ? value : '';
	};
	const terms = query
		.toLowerCase()
		.replace(/\bsite:(\S+)/g, demand('site'))
		.replace(/\binurl:(\S+)/g, demand('inurl'))
		.replace(/"([^"]*)"/g, demand('phrase'));
	return { terms, conditions };
}
