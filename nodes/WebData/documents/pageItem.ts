import type { IDataObject } from 'n8n-workflow';
import { isRecord, fieldOf } from '../../runtime/values/record';
import { without } from '../../runtime/output/results';

/**
 * The commonly used fields of a page's metadata
 * (https://docs.firecrawl.dev/api-reference/endpoint/scrape, metadata). The rest repeats them under
 * Open Graph names and the page's own tags, or describes the scrape.
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

/** The fields that the node adds to a page, after the page's own. */
const labels = ['source', 'position', 'jobId', 'request', 'original'];

const isHttpUrl = (value: unknown): value is string =>
	typeof value === 'string' && /^https?:\/\//i.test(value);

/** The first fields of a page, from the page itself or else from its metadata. */
function heading(page: IDataObject, metadata: object): IDataObject {
	const urls = [page.url, fieldOf(metadata, 'url'), fieldOf(metadata, 'sourceURL')];
	const heads = {
		url: urls.find(isHttpUrl),
		title: page.title ?? fieldOf(metadata, 'title'),
		statusCode: fieldOf(metadata, 'statusCode'),
	};
	return Object.fromEntries(
		Object.entries(heads).filter(([, value]) => value !== undefined && value !== null),
	) as IDataObject;
}

/** The commonly used metadata, and fields that differ from the page's first fields. */
function simplified(metadata: object, head: IDataObject): IDataObject {
	const fields = Object.entries(metadata).filter(
		([name, value]) =>
			used.includes(name) ||
			(['url', 'title', 'statusCode'].includes(name) && head[name] !== value),
	);
	return Object.fromEntries(fields) as IDataObject;
}

/**
 * A page as an item: first URL, title and status, then its contents, its metadata, and the fields
 * that the node adds. With `simplify` the metadata has only the commonly used fields, without
 * repetition. Any other result stays unchanged.
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
