import type { CheerioAPI } from 'cheerio';

import { linkedData, type Offer } from './linkedData.cjs';
import { parseUrl } from '../parseUrl.cjs';

/** The `branding` format, from the page's head. */
export function branding($: CheerioAPI, url: string): Record<string, unknown> {
	const primary = $('meta[name="theme-color"]').attr('content');
	const icon = $('link[rel~="icon"]').attr('href');
	const favicon = icon && parseUrl(icon, url)?.href;
	return {
		colorScheme: 'light',
		brandName: $('meta[property="og:site_name"]').attr('content') ?? new URL(url).hostname,
		logo: favicon,
		colors: { ...(primary && { primary }) },
		fonts: [],
		images: { favicon },
	};
}

/** The `product` format, from the page's structured data; undefined when it sells nothing. */
export function product($: CheerioAPI, url: string): Record<string, unknown> | undefined {
	const found = linkedData($).Product;
	if (!found) return undefined;
	return {
		title: found.name,
		brand: found.brand?.name,
		category: found.category,
		url: found.url ?? url,
		description: found.description,
		variants: (found.offers ?? []).map((offer) => ({
			sku: offer.sku,
			title: offer.name,
			price: money(offer),
			availability: { inStock: offer.availability?.endsWith('/InStock') ?? false },
			images: (found.image ?? []).map((each) => ({ url: each })),
		})),
	};
}

/** The `menu` format; `isMenu` is false on pages without one. */
export function menu($: CheerioAPI, url: string): Record<string, unknown> {
	const place = Object.values(linkedData($)).find((item) => item?.hasMenu);
	const sections = place?.hasMenu?.hasMenuSection ?? [];
	return {
		isMenu: sections.length > 0,
		confidence: sections.length > 0 ? 1 : 0,
		merchant: { name: place?.name ?? '' },
		sections: sections.map(({ name, hasMenuItem = [] }) => ({
			name,
			items: hasMenuItem.map((item) => ({
				name: item.name,
				description: item.description,
				price: item.offers && money(item.offers),
			})),
		})),
		sourceUrl: url,
	};
}

function money({
	price,
	priceCurrency,
}: Pick<Offer, 'price' | 'priceCurrency'>): Record<string, unknown> {
	const amount = Number(price);
	const formatted = new Intl.NumberFormat('en-GB', { style: 'currency', currency: priceCurrency });
	return { amount, currency: priceCurrency, formatted: formatted.format(amount) };
}
