import type { IDataObject } from 'n8n-workflow';
import { fieldOf } from '../../runtime/values/record';
import type { ReadContext, Result } from '../../runtime/operation/operation';
import { canonical, pageAt } from './address';
import { url } from '../fields/url';
import type { DocumentJobKind } from './documentJob';

/** Where an address stands in the request, and which input items asked for it. */
interface Origin {
	position: number;
	items: number[];
}

function originsIn(context: ReadContext): Map<string, Origin> {
	const origins = new Map<string, Origin>();
	for (const { itemIndex, body } of context.requests) {
		const urls = fieldOf(body, 'urls');
		for (const url of Array.isArray(urls) ? urls : []) {
			const address = canonical(url);
			const origin = origins.get(address) ?? { position: origins.size, items: [] };
			if (origin.items.at(-1) !== itemIndex) origin.items.push(itemIndex);
			origins.set(address, origin);
		}
	}
	return origins;
}

const addressOf = ({ json }: Result) => fieldOf(json.metadata, 'sourceURL') ?? json.url;

/** Puts the pages in the order of the addresses, which the service does not keep (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape), each linked to the items that asked for it. */
export function arrange(results: Result[], context: ReadContext): Result[] {
	const origins = originsIn(context);
	return results
		.map((result) => {
			const { position = Infinity, items } = origins.get(canonical(addressOf(result))) ?? {};
			return { position, result: { ...result, items } };
		})
		.sort((one, other) => one.position - other.position || 0)
		.map(({ result }) => result);
}

/** The addresses of the request without a page among these documents; of redirected pages the last address counts, too. */
export function missingIn(documents: IDataObject[], context: ReadContext): string[] | undefined {
	const asked = [...originsIn(context).keys()];
	if (asked.length === 0) return undefined;
	const found = new Set(
		documents
			.flatMap(({ metadata }) => [fieldOf(metadata, 'sourceURL'), fieldOf(metadata, 'url')])
			.map(pageAt),
	);
	return asked.filter((address) => !found.has(pageAt(address)));
}

/** Batches of pages (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape). */
export const batchKind: DocumentJobKind = {
	noun: 'batch',
	status: { method: 'GET', path: '/batch/scrape/{id}', bucket: 'crawlStatus' },
	cancel: { method: 'DELETE', path: '/batch/scrape/{id}', bucket: 'crawlStatus' },
	errors: {
		method: 'GET',
		path: '/batch/scrape/{id}/errors',
		bucket: 'crawlStatus',
		since: 'April 2026',
		instead: `Compare the pages of 'Get' with the addresses of the batch.`,
	},
	arrange,
	missingIn,
	invalidIn: (context) =>
		context.requests
			.flatMap(({ body }) => fieldOf(body, 'urls') ?? [])
			.filter((given) => !url().safeParse(given).success)
			.map(String),
};
