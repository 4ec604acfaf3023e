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
		return this.pages.search(query).filter(({ item }) => fits(item, narrowing));
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
