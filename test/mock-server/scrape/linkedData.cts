import type { CheerioAPI } from 'cheerio';

/** The schema.org fields that the formats read. */
export interface LinkedItem {
	'@type'?: string;
	name?: string;
	description?: string;
	url?: string;
	category?: string;
	contentUrl?: string;
	brand?: { name?: string };
	image?: string[];
	offers?: Offer[];
	hasMenu?: { hasMenuSection?: Array<{ name: string; hasMenuItem?: MenuItem[] }> };
}

export interface Offer {
	name?: string;
	sku?: string;
	price: string;
	priceCurrency: string;
	availability?: string;
}

export interface MenuItem {
	name: string;
	description?: string;
	offers?: Omit<Offer, 'sku'>;
}

/** The page's JSON-LD objects by their type; broken ones are passed over. */
export function linkedData($: CheerioAPI): Partial<Record<string, LinkedItem>> {
	const items = $('script[type="application/ld+json"]')
		.toArray()
		.flatMap((script) => {
			try {
				return [JSON.parse($(script).text()) as LinkedItem];
			} catch {
				return [];
			}
		});
	return Object.fromEntries(items.map((item) => [item['@type'] ?? '', item]));
}
