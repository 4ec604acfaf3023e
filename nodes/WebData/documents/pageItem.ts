import type { IDataObject } from 'n8n-workflow';
import { isRecord, fieldOf } from '../../runtime/values/record';
import { without } from '../../runtime/output/results';

/**
 * What people use of a page's metadata (https://docs.firecrawl.dev/api-reference/endpoint/scrape, metadata):
 * the rest repeats it under the names of Open Graph and of the page's own tags, or is about the visit.
 */
const used = [
	'description',
	'author',
	'publishedTime',
	'modifiedTime',
	'language',
	'favicon',
	'ogImage',
	'sourceURL',
	'contentType',
	'numPages',
	'totalPages',
	'error',
	'cacheState',
	'cachedAt',
	'creditsUsed',
	'scrapeId',
];

/** What the node itself puts on a page, behind what the page has. */
const labels = ['source', 'position', 'jobId', 'request', 'original'];

const isAddress = (value: unknown): value is string =>
	typeof value === 'string' && /^https?:\/\//i.test(value);

/** What a page begins with, of the page itself and otherwise of its metadata. */
function heading(page: IDataObject, metadata: object): IDataObject {
	const addresses = [page.url, fieldOf(metadata, 'url'), fieldOf(metadata, 'sourceURL')];
	const heads = {
		url: addresses.find(isAddress),
		title: page.title ?? fieldOf(metadata, 'title'),
		statusCode: fieldOf(metadata, 'statusCode'),
	};
	return Object.fromEntries(
		Object.entries(heads).filter(([, value]) => value !== undefined && value !== null),
	) as IDataObject;
}

/** The metadata that people use, and what the page's heading says otherwise. */
function simplified(metadata: object, head: IDataObject): IDataObject {
	const members = Object.entries(metadata).filter(
		([name, value]) =>
			used.includes(name) ||
			(['url', 'title', 'statusCode'].includes(name) && head[name] !== value),
	);
	return Object.fromEntries(members) as IDataObject;
}

/**
 * A page as an item: its address, title and status first, then its contents, its metadata, and what the
 * node says of it. With `simplify` the metadata has what people use, once each. What is no page stays as it is.
 */
export function pageItem(json: IDataObject, simplify: boolean): IDataObject {
	const { metadata } = json;
	if (!isRecord(metadata) || typeof fieldOf(metadata, 'statusCode') !== 'number') return json;
	const head = heading(json, metadata);
	const isLabel = (name: string) => labels.includes(name);
	const rest = Object.entries(without(json, ...Object.keys(head), 'metadata'));
	return {
		...head,
		...Object.fromEntries(rest.filter(([name]) => !isLabel(name))),
		metadata: simplify ? simplified(metadata, head) : (metadata as IDataObject),
		...Object.fromEntries(rest.filter(([name]) => isLabel(name))),
	};
}
