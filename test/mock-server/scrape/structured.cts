import type { CheerioAPI } from 'cheerio';

import { linkedData, type Offer } from './linkedData.cjs';
import { parseUrl } from '../parseUrl.cjs';

/** The `branding` format, from the page's frame. */
export function branding($: CheerioAPI, url: string): Record<string, unknown> {
	const style = $('style').text();
	const absolute = (path: string | undefined): string | undefined =>
		path ? parseUrl(path, url)?.href : undefined;
	const primary = $('meta[name="theme-color"]').attr('content');
	const fonts = [...style.matchAll(/font-family:\s*([^;}]+)/g)].map(([, family]) => ({
		family: family.split(',')[0].trim().replace(/["']/g, ''),
	}));
	return {
		colorScheme: 'light',
		brandName: $('meta[property="og:site_name"]').attr('content') ?? new URL(url).hostname,
		logo: absolute($('.logo img').attr('src') ?? $('link[rel~="icon"]').attr('href')),
		colors: { ...(primary && { primary }) },
		fonts,
		images: { favicon: absolute($('link[rel~="icon"]').attr('href')) },
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
			...(offer.priceSpecification && {
				sale: { originalPrice: money({ ...offer, price: offer.priceSpecification.price }) },
			}),
			availability: { inStock: offer.availability?.endsWith('/InStock') ?? false },
			images: (found.image ?? []).map((each) => ({ url: each })),
		})),
	};
}

/** The `menu` format; `isMenu` is false on pages without one. */
export function menu($: CheerioAPI, url: string): Record<string, unknown> {
	const data = Object.values(linkedData($));
	const place = data.find((item) => item?.hasMenu);
	const sections = place?.hasMenu?.hasMenuSection ?? [];
	const currency = sections[0]?.hasMenuItem?.[0]?.offers?.priceCurrency;
	return {
		isMenu: sections.length > 0,
		confidence: sections.length > 0 ? 1 : 0,
		merchant: { name: place?.name ?? $('meta[property="og:site_name"]').attr('content') ?? '' },
		...(currency && { currency }),
		sections: sections.map(({ name, hasMenuItem = [] }, section) => ({
			id: `section-${section + 1}`,
			name,
			items: hasMenuItem.map((item, index) => ({
				id: `item-${section + 1}-${index + 1}`,
				name: item.name,
				description: item.description,
				images: [],
				price: item.offers && money(item.offers),
				availability: { inStock: true },
				dietary: (item.suitableForDiet ?? []).map((diet) => diet.replace(/^.*\/|Diet$/g, '')),
				...(item.nutrition?.calories && { calories: Number.parseInt(item.nutrition.calories, 10) }),
				optionGroups: [],
				identifiers: {},
				sourceUrl: url,
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
