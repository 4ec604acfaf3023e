import type { IDataObject } from 'n8n-workflow';
import { requireArray } from '../../../runtime/http/paging';
import type { Request } from '../../../runtime/http/client';
import { isUnset } from '../../../runtime/form/schema';
import { operationError, type ErrorSource } from '../../../runtime/api/errors';
import { isRecord, fieldOf, type JsonRecord } from '../../../runtime/values/record';
import { asRecord } from '../../../runtime/output/results';
import { scrapePage } from '../../fields/sharedEndpoints';
import { errorOf, messageOf } from './callError';
import { forUser } from '../../../runtime/api/sentence';

/** The call to browse the catalogue of data tools: a free tool of its own provider. */
const browser = { provider: 'firecrawl', capability: 'find-tools' };

/** A query of the catalogue. */
export interface CatalogueQuery {
	query?: string;
	urls?: string[];
	providers?: string[];
	categories?: string[];
	groups?: string[];
	capabilities?: string[];
	level?: string;
	expand?: string[];
	/** Most entries of one page, 1 to 100. */
	limit?: number;
	offset?: number;
}

/** A page of the catalogue, and the next one's reference: a ready-made call, null, or nothing. */
export interface CataloguePage {
	entries: IDataObject[];
	next: unknown;
	/** The response's fields other than the entries. */
	about: IDataObject;
}

/** The service's timeout of tools, in milliseconds. */
export const longestToolTime = 50_000;

export const browse = (context: object): Request => ({
	endpoint: scrapePage,
	body: { alexandria: [context] },
	serviceTimeout: longestToolTime,
	retrySafety: 'free',
});

export const findTools = (options: CatalogueQuery) => ({ ...browser, options });

/** Whether a call only browses the catalogue. */
export const isBrowsing = (context: unknown): context is JsonRecord =>
	fieldOf(context, 'provider') === browser.provider &&
	fieldOf(context, 'capability') === browser.capability;

/**
 * The entries in the response to a browsing call.
 * @throws NodeOperationError with the catalogue's message if the call failed inside a 200 response
 */
export function catalogueIn(body: unknown, errorSource: ErrorSource): CataloguePage {
	const lists = fieldOf(fieldOf(body, 'data'), 'alexandria');
	const response: unknown = Array.isArray(lists) ? lists[0] : undefined;
	const error = errorOf(response);
	if (error) {
		const { message, advice } = messageOf(error);
		const own = 'The catalogue cannot be fetched';
		throw operationError({ text: `${own}: ${message}`, own }, advice, errorSource);
	}
	const { items, next, ...about } = asRecord(fieldOf(response, 'data') ?? {});
	const { scrape_id: scrapeId } = asRecord(body);
	return {
		entries: requireArray(items, errorSource).map(asRecord),
		next,
		about: { ...(scrapeId !== undefined && { scrape_id: scrapeId }), ...about },
	};
}

/** The tool of an entry, ready to execute; undefined for a provider, a group or a category. */
export function toolOf(entry: IDataObject): { provider: string; capability: string } | undefined {
	const { provider, capability } = isRecord(entry.execute) ? entry.execute : entry;
	return typeof provider === 'string' && typeof capability === 'string'
		? { provider, capability }
		: undefined;
}

/**
 * The call for the next page: the ready-made one unchanged, or by offset if the response has only a
 * higher total. Undefined at the end. Calls nothing but the catalogue.
 * @throws NodeOperationError if the response names anything else as the next page
 */
export function nextPage(
	{ entries, next, about }: CataloguePage,
	query: CatalogueQuery,
	read: number,
	errorSource: ErrorSource,
): object | undefined {
	if (entries.length === 0 || next === null) return undefined;
	if (isUnset(next)) {
		const more = typeof about.total === 'number' && about.total > read;
		return more ? findTools({ ...query, offset: read }) : undefined;
	}
	if (isBrowsing(next)) return next;
	throw operationError(
		'The catalogue returned an invalid next page',
		[forUser(`Set 'Limit' to ${read} or less to get the results of the pages before.`)],
		errorSource,
	);
}
