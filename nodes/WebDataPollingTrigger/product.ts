import type { IDataObject } from 'n8n-workflow';
import { without } from '../runtime/output/results';
import { fieldOf, isRecord } from '../runtime/values/record';

/** The fields of a product and its variants that name them, and are not compared. */
export const variantNames = ['title', 'id', 'sku', 'name'];

/** The amount of a price, which is a number or an object. */
const amountOf = (price: unknown): unknown =>
	fieldOf(price, 'amount') ?? (isRecord(price) ? null : price);

/** The values of a variant, such as its size, as one text. */
const nameOf = (variant: unknown): string => {
	const values = fieldOf(variant, 'values') ?? fieldOf(variant, 'title') ?? '';
	const texts = typeof values === 'object' && values !== null ? Object.values(values) : [values];
	return texts.map((each) => (isRecord(each) ? JSON.stringify(each) : String(each))).join(', ');
};

/** What is compared of a variant of the service's `product` (https://docs.firecrawl.dev/features/scrape). */
const variantOf = (variant: unknown): IDataObject =>
	({
		id: fieldOf(variant, 'id'),
		sku: fieldOf(variant, 'sku'),
		name: nameOf(variant),
		price: amountOf(fieldOf(variant, 'price')) ?? null,
		currency: fieldOf(fieldOf(variant, 'price'), 'currency') ?? null,
		originalPrice: amountOf(fieldOf(fieldOf(variant, 'sale'), 'originalPrice')) ?? null,
		inStock: fieldOf(fieldOf(variant, 'availability'), 'inStock') ?? null,
	}) as IDataObject;

/** The title and the variants of a product; empty without any. */
export function productOf(product: unknown): IDataObject {
	const variants = fieldOf(product, 'variants');
	if (!Array.isArray(variants) || variants.length === 0) return {};
	return { title: fieldOf(product, 'title') as string, variants: variants.map(variantOf) };
}

/** A product as items show it: the only variant, or the cheapest in stock, and all. */
export function shownProduct({ title, variants }: IDataObject): IDataObject | null {
	if (!Array.isArray(variants)) return null;
	const all = variants.filter(isRecord) as IDataObject[];
	const inStock = all.filter((each) => each.inStock === true);
	const priceOf = ({ price }: IDataObject) => (typeof price === 'number' ? price : Infinity);
	const [first = {}] = [...(inStock.length > 0 ? inStock : all)].sort(
		(one, other) => priceOf(one) - priceOf(other),
	);
	return {
		title,
		...without(first, ...variantNames),
		...(all.length > 1 && { variants: all }),
	};
}
