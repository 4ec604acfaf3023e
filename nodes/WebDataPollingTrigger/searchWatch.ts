import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { integer, withDefault } from '../runtime/form/field';
import { additionalFields, form } from '../runtime/form/form';
import { settingsFields } from '../runtime/form/settings';
import type { Operation, ReadContext } from '../runtime/operation';
import { asRecord, label, without, workPerResult } from '../runtime/execution/results';
import { isRecord } from '../runtime/values/record';
import { SeenSet, fingerprint } from '../runtime/values/seenSet';
import { pluralize } from '../runtime/values/text';
import { completesTurn, delay } from '../runtime/values/time';
import { comparedUrl } from '../WebData/fields/url';
import { get as mapSite, mapChoice, mapUrl } from '../WebData/resources/map';
import { search as paperSearch } from '../WebData/resources/paper';
import { query as webSearch } from '../WebData/resources/search';
import type { Finding, Watch } from './watch';

/** Most results that are remembered, the least recently returned are forgotten first. */
const mostRemembered = 10_000;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Identifies a result: by paper ID, name of a tool, file of an image, or URL; without these by all fields. */
export function resultKey(result: IDataObject, ignored: readonly string[] = []): string {
	const { paperId, source, imageUrl, provider, capability } = result;
	if (isText(paperId)) return `paper ${paperId}`;
	const url = source === 'images' && isText(imageUrl) ? imageUrl : result.url;
	if (isText(url)) return comparedUrl(url, ignored);
	if (isText(provider) && isText(capability)) return `tool ${provider}/${capability}`;
	return JSON.stringify(without(result, 'position', 'request', 'creditsUsed', 'score'));
}

/** A search that the trigger repeats. */
interface RepeatedSearch extends Pick<Watch, 'name' | 'value' | 'description' | 'action'> {
	operation: Pick<Operation<unknown, ReadContext>, 'fields' | 'read' | 'schema' | 'run'>;
	/** The fields of a request that identify the search, without limits and periods. */
	topic(request: IDataObject): unknown;
	/** Most results that are remembered. */
	most?: number;
	/** Why results are not compared: they are probably not all; `before` is the number at the last check. */
	doubt?(count: number, before: number): string | undefined;
}

/** The search's own fields; the output of a trigger is always one item per result. */
const fieldsOf = ({ fields }: Pick<Operation, 'fields'>): INodeProperties[] =>
	fields.flatMap((field) => {
		if (field.name !== 'options') return [field];
		const options = (field.options ?? []).filter(({ name }) => !name.startsWith('output'));
		return options.length > 0 ? [{ ...field, options }] : [];
	});

const searchWatch = ({
	operation,
	topic,
	most = mostRemembered,
	doubt,
	...about
}: RepeatedSearch): Watch => ({
	...about,
	fields: fieldsOf(operation),
	read: (values) => operation.read(values),
	schema: operation.schema,
	async check(body, state, context) {
		const request = asRecord(body);
		const { ignoreQueryParameters: ignored } = context.trigger;
		// With other ignored parameters, known results would have other keys.
		const subject = fingerprint(JSON.stringify([topic(request), ignored]), 22);
		const isFirst = state?.subject !== subject;
		const before = isFirst ? {} : state;
		const known = new SeenSet(before.seen, most);
		const results = await operation.run(request, context);
		const checked = pluralize(results.length, 'result');
		const doubtful = doubt?.(results.length, Number(before.count ?? 0));
		if (doubtful !== undefined) {
			context.notice(doubtful);
			// What is as small at the next check has become so.
			const nextState = { ...before, count: results.length || before.count };
			return { found: [], nextState, checked };
		}
		const found = new Map<string, Finding>();
		for (const { json, ...rest } of results) {
			const id = resultKey(json, ignored);
			const result = { ...rest, json: label(json, { change: 'new' }) };
			if (known.has(id)) known.add(id);
			else if (!found.has(id)) found.set(id, { id, result, isExisting: isFirst });
			if (completesTurn(workPerResult)) await delay(0);
		}
		for (const id of found.keys()) known.add(id);
		const count = doubt && { count: results.length };
		const nextState = { subject, seen: known.toString(), ...count };
		return { found: [...found.values()], nextState, checked };
	},
});

/** What of a search of the web does not identify it. */
const limits = ['limit', 'timeout', 'scrapeOptions', 'highlights', 'tbs', 'origin', 'integration'];

/** Repeats a search of the web. */
export const webSearchWatch = searchWatch({
	name: 'Search Results',
	value: 'search',
	description: 'New results of a web search; 2 credits a check for 10 results',
	action: 'On new search results',
	operation: webSearch,
	topic({ sources, ...request }) {
		const all: unknown[] = Array.isArray(sources) ? sources : [];
		const timeless = all.map((each) =>
			isRecord(each) ? Object.entries(without(asRecord(each), 'tbs')) : each,
		);
		return [Object.entries(without(request, ...limits)), timeless];
	},
});

/** Repeats a search of papers. */
export const paperWatch = searchWatch({
	name: 'Papers',
	value: 'paper',
	description: 'New results of a paper search; free',
	action: 'On new papers',
	operation: paperSearch,
	topic: (request) => Object.entries(without(request, 'k', 'from', 'to')),
});

/** Most URLs of a site that are remembered: 550 kB in n8n's static data. */
const mostUrls = 50_000;

/** Part of the last map below which a map is probably not whole. */
const leastPart = 0.5;

const siteRequest = form({
	url: mapUrl,
	...additionalFields({
		...mapChoice,
		limit: withDefault(
			integer('Limit', 'Max number of URLs to compare, up to 50,000; does not affect the cost', {
				min: 1,
				max: mostUrls,
				default: mostUrls,
			}),
		),
	}),
});

/** Repeats the map of a website. */
export const siteWatch = searchWatch({
	name: 'Website',
	value: 'site',
	description: 'New pages of a website; 1 credit a check',
	action: 'On new pages of a website',
	operation: {
		...siteRequest,
		fields: [...siteRequest.fields, ...settingsFields('maxCreditsPerExecution', 'maxRetryTime')],
		async run(request, context) {
			// A cached sitemap would hide new pages for days.
			const links = await mapSite.run({ ...asRecord(request), ignoreCache: true }, context);
			return links.map(({ json }) => ({
				json: without(json, 'position', 'creditsUsed', 'request'),
			}));
		},
	},
	topic: (request) => Object.entries(without(request, 'limit')),
	most: mostUrls,
	doubt(count, before) {
		if (count === 0) return 'The map is empty, so it was not compared.';
		return count < before * leastPart
			? `The map has ${count} URLs, the last one had ${before}: it was not compared.`
			: undefined;
	},
});
