import type { Host } from './hosts.cjs';
import type { Menu, Product } from './offers.cjs';
import type { PageExtras, SourcePage } from './pageFiles.cjs';
import type { SitePage } from './site.cjs';

/** schema.org objects that describe the page and what it offers or shows. */
export function structuredData(host: Host, { page, extras }: SourcePage): object[] {
	const { product, menu, video } = extras;
	return [
		article(host, page, extras.author),
		...(product ? [productData(page, product)] : []),
		...(menu ? [menuData(page, menu)] : []),
		...(video ? [videoData(page, video)] : []),
	].map((data) => ({ '@context': 'https://schema.org', ...data }));
}

function article(host: Host, page: SitePage, author: string | undefined): object {
	return {
		'@type': page.kind === 'news' ? 'NewsArticle' : 'WebPage',
		headline: page.title,
		description: page.description,
		dateModified: page.published,
		inLanguage: page.language,
		image: imageUrls(page),
		publisher: { '@type': 'Organization', name: host.site },
		...(author && { author: { '@type': 'Person', name: author } }),
	};
}

function productData(page: SitePage, { brand, category, currency, variants }: Product): object {
	return {
		'@type': 'Product',
		name: page.title,
		description: page.description,
		url: page.url,
		category,
		brand: { '@type': 'Brand', name: brand },
		image: imageUrls(page),
		offers: variants.map(({ name, sku, price, was, inStock }) => ({
			'@type': 'Offer',
			name,
			sku,
			price: price.toFixed(2),
			priceCurrency: currency,
			availability: `https://schema.org/${inStock ? 'InStock' : 'OutOfStock'}`,
			...(was && {
				priceSpecification: {
					'@type': 'UnitPriceSpecification',
					priceType: 'https://schema.org/ListPrice',
					price: was.toFixed(2),
					priceCurrency: currency,
				},
			}),
		})),
	};
}

function menuData(page: SitePage, { merchant, currency, sections }: Menu): object {
	return {
		'@type': 'CafeOrCoffeeShop',
		name: merchant,
		url: page.url,
		hasMenu: {
			'@type': 'Menu',
			hasMenuSection: sections.map(({ name, items }) => ({
				'@type': 'MenuSection',
				name,
				hasMenuItem: items.map((item) => ({
					'@type': 'MenuItem',
					name: item.name,
					...(item.description && { description: item.description }),
					offers: { '@type': 'Offer', price: item.price.toFixed(2), priceCurrency: currency },
					suitableForDiet: item.dietary.map((diet) => diets[diet]),
					...(item.calories && {
						nutrition: {
							'@type': 'NutritionInformation',
							calories: `${item.calories} calories`,
						},
					}),
				})),
			})),
		},
	};
}

function videoData(page: SitePage, video: NonNullable<PageExtras['video']>): object {
	return {
		'@type': 'VideoObject',
		name: video.title,
		contentUrl: new URL(`/media/${video.name}.mp4`, page.url).href,
		duration: `PT${video.seconds}S`,
		uploadDate: page.published,
	};
}

function imageUrls(page: SitePage): string[] {
	return page.images.map(({ url }) => url);
}

const diets = {
	vegan: 'https://schema.org/VeganDiet',
	vegetarian: 'https://schema.org/VegetarianDiet',
	'gluten-free': 'https://schema.org/GlutenFreeDiet',
};
