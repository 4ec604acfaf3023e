import type { IDataObject } from 'n8n-workflow';
import { asRecord, without } from '../runtime/output/results';
import { fieldOf, isRecord } from '../runtime/values/record';
import { fingerprint } from '../runtime/values/seenSet';
import { cutLine, fitsGlob, oneLine } from '../runtime/values/text';

/** What of a page is compared, how items show it, and how it is stored. */
export type Compare = 'fields' | 'product' | 'text';

/** Whether a value is not there. */
export const isMissing = (value: unknown): boolean =>
	value === undefined || value === null || value === '';

/** Whether neither a value nor anything in it is there. */
const isNothing = (value: unknown): boolean =>
	isMissing(value) || (typeof value === 'object' && Object.values(Object(value)).every(isNothing));

/** Texts that `oneLine` does not change, and knows in ten times as long. */
const plainText = /^[!-~]+(?: [!-~]+)*$/;

/** A text as it is compared: a long one by its beginning and a hash, which compare in the same way. */
export function shortened(text: string): string {
	const line = plainText.test(text) ? text : oneLine(text.normalize('NFC'));
	return line.length <= 40 ? line : `${cutLine(line, 30)}#${fingerprint(line, 8)}`;
}

/** A value as it is compared, whatever the order of fields and entries. */
export function canonical(value: unknown): string {
	if (typeof value === 'string') return JSON.stringify(shortened(value));
	if (Array.isArray(value)) return `[${value.map(canonical).sort().join()}]`;
	if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
	const fields = Object.entries(value).filter(([, each]) => !isMissing(each));
	const lines = fields.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`);
	return `{${lines.sort().join()}}`;
}

/** The lines of a text as a reader sees them, without those to ignore. */
function textOf(markdown: unknown, ignoreLines: readonly string[]): string {
	const isIgnored = (line: string) => ignoreLines.some((pattern) => fitsGlob(line, pattern));
	const lines = String(markdown ?? '')
		.normalize('NFC')
		.split('\n')
		.map(oneLine);
	return lines.filter((line) => line !== '' && !isIgnored(line)).join('\n');
}

/** The path of a field. */
export const pathTo = (name: string, path: string): string =>
	path === '' ? name : `${path}.${name}`;

/** A value with null for what the page does not have, by its paths, and without entries of nothing else. */
function onPage(value: unknown, absent: ReadonlySet<unknown>, path: string): unknown {
	if (absent.has(path)) return null;
	if (Array.isArray(value)) {
		const entries = value.map((each, index) => onPage(each, absent, `${path}[${index}]`));
		return entries.filter((each) => !isNothing(each));
	}
	if (!isRecord(value)) return value ?? null;
	const fields = Object.entries(value);
	return Object.fromEntries(
		fields.map(([name, each]) => [name, onPage(each, absent, pathTo(name, path))]),
	);
}

/** The values by their paths, as far as the page has them. */
function valuesOf(
	value: unknown,
	absent: ReadonlySet<unknown>,
	path = '',
	depth = 0,
): Array<[string, unknown]> {
	if (!isRecord(value) || depth === 5) return [[path, onPage(value, absent, path)]];
	return Object.entries(value).flatMap(([name, each]) =>
		valuesOf(each, absent, pathTo(name, path), depth + 1),
	);
}

/** The fields that name a product and its variants, which are not compared. */
export const namesOfProducts = ['title', 'id', 'sku', 'name'];

/** The amount of a price, which is a number or an object. */
const amountOf = (price: unknown): unknown => (isRecord(price) ? price.amount : price) ?? null;

/** What is compared of a variant of the service's `product` (https://docs.firecrawl.dev/features/scrape). */
function variantOf(variant: unknown): IDataObject {
	const { id, sku, title, values, price, sale, availability } = asRecord(variant);
	return {
		id,
		sku,
		name: Object.values(Object(values ?? [title])).join(', '),
		price: amountOf(price),
		currency: fieldOf(price, 'currency') ?? null,
		originalPrice: amountOf(fieldOf(sale, 'originalPrice')),
		inStock: fieldOf(availability, 'inStock') ?? null,
	} as IDataObject;
}

/** The content of a document that is compared; undefined if it has none. */
export function contentOf(
	{ json, markdown, notOnPage, product }: IDataObject,
	compare: Compare,
	ignoreLines: readonly string[],
): IDataObject | undefined {
	if (compare === 'text') {
		const text = textOf(markdown, ignoreLines);
		return text === '' ? undefined : { markdown: text };
	}
	if (compare === 'product') {
		const { title, variants } = asRecord(product);
		const isThere = Array.isArray(variants) && variants.length > 0;
		return isThere ? { title, variants: variants.map(variantOf) } : undefined;
	}
	const absent = new Set<unknown>(Array.isArray(notOnPage) ? notOnPage : []);
	const content = Object.fromEntries(valuesOf(json, absent)) as IDataObject;
	return Object.values(content).every(isMissing) ? undefined : content;
}

/** Sorts variants: those in stock first, then the cheapest. */
const rankOf = ({ inStock, price }: IDataObject): number =>
	(typeof price === 'number' ? price : 1e12) + (inStock === true ? 0 : 1e15);

/** A content as items show it: of a product the only variant, or the cheapest in stock, and all. */
export function shownContent(content: IDataObject, compare: Compare): IDataObject {
	if (compare !== 'product' || !Array.isArray(content.variants)) return content;
	const variants = content.variants.map(asRecord);
	const [first] = [...variants].sort((one, other) => rankOf(one) - rankOf(other));
	const shown = { title: content.title, ...without(first, ...namesOfProducts) };
	return { ...shown, ...(variants.length > 1 && { variants }) };
}

/** The hash that stands for a content which is too long to be stored. */
export function markOf(content: IDataObject, compare: Compare): string {
	const lines = () => String(content.markdown).split('\n').sort().join('\n');
	return fingerprint(compare === 'text' ? lines() : canonical(content), 22);
}

/** A state as it is stored: of a content that takes more bytes, values with long texts shortened, or its mark alone. */
export function storedState(
	{ content, ...state }: IDataObject,
	most: number,
	compare: Compare,
): IDataObject {
	if (!isRecord(content)) return state;
	const fits = (json: string) => Buffer.byteLength(json) <= most;
	if (fits(JSON.stringify(content))) return { ...state, content: content as IDataObject };
	const short = JSON.stringify(content, (_name, value: unknown) =>
		typeof value === 'string' ? shortened(value) : value,
	);
	return compare !== 'text' && fits(short)
		? { ...state, content: JSON.parse(short) as IDataObject }
		: { ...state, mark: markOf(content as IDataObject, compare) };
}
