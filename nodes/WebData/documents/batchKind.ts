import type { IDataObject } from 'n8n-workflow';
import { fieldOf } from '../../runtime/values/record';
import type { ReadContext, Result } from '../../runtime/operation/operation';
import { canonical, pageUrlOf } from './pageUrl';
import { url } from '../fields/url';
import type { DocumentJobKind } from './documentJob';

/** The position of a URL in the request, and the input items that request it. */
interface Origin {
	position: number;
	items: number[];
}

function originsIn(context: ReadContext): Map<string, Origin> {
	const origins = new Map<string, Origin>();
	for (const { itemIndex, body } of context.requests) {
		const urls = fieldOf(body, 'urls');
		for (const url of Array.isArray(urls) ? urls : []) {
			const key = canonical(url);
			const origin = origins.get(key) ?? { position: origins.size, items: [] };
			if (origin.items.at(-1) !== itemIndex) origin.items.push(itemIndex);
			origins.set(key, origin);
		}
	}
	return origins;
}

const sourceUrlOf = ({ json }: Result) => fieldOf(json.metadata, 'sourceURL') ?? json.url;

/**
 * Sorts the pages by the order of the requested URLs, which the service does not preserve
 * (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape), and pairs each with its input
 * items.
 */
export function arrange(results: Result[], context: ReadContext): Result[] {
	const origins = originsIn(context);
	return results
		.map((result) => {
			const { position = Infinity, items } = origins.get(canonical(sourceUrlOf(result))) ?? {};
			return { position, result: { ...result, items } };
		})
		.sort((one, other) => one.position - other.position || 0)
		.map(({ result }) => result);
}

/** The requested URLs without a document. A redirected page also matches by its final URL. */
export function missingIn(documents: IDataObject[], context: ReadContext): string[] | undefined {
	const requestedUrls = [...originsIn(context).keys()];
	if (requestedUrls.length === 0) return undefined;
	const found = new Set(
		documents
			.flatMap(({ metadata }) => [fieldOf(metadata, 'sourceURL'), fieldOf(metadata, 'url')])
			.map(pageUrlOf),
	);
	return requestedUrls.filter((key) => !found.has(pageUrlOf(key)));
}

/** Batch scrapes (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape). */
export const batchKind: DocumentJobKind = {
	noun: 'batch',
	returnsFailed: true,
	status: { method: 'GET', path: '/batch/scrape/{id}', bucket: 'crawlStatus' },
	cancel: { method: 'DELETE', path: '/batch/scrape/{id}', bucket: 'crawlStatus' },
	errors: {
		method: 'GET',
		path: '/batch/scrape/{id}/errors',
		bucket: 'crawlStatus',
	},
	arrange,
	missingIn,
	invalidIn: (context) =>
		context.requests
			.flatMap(({ body }) => fieldOf(body, 'urls') ?? [])
			.filter((given) => !url().safeParse(given).success)
			.map(String),
};
