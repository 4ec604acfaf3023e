import { NodeApiError, type IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { operationError } from '../runtime/errors/message';
import { list, oneOf, string, withDefault } from '../runtime/form/field';
import { form, mapSchema, visibleWhen } from '../runtime/form/form';
import { stringSchema } from '../runtime/form/schema';
import { settingsFields } from '../runtime/form/settings';
import { fromJson } from '../runtime/values/json';
import { fieldOf, isRecord, type JsonRecord } from '../runtime/values/record';
import { fingerprint, keyHash } from '../runtime/values/seenSet';
import { settle } from '../runtime/values/outcome';
import { cutLine, fitsGlob, pluralize } from '../runtime/values/text';
import { batchKind, batchStart } from '../WebData/documents/batch';
import { errorStatusOf, isGone, pageUrlOf } from '../WebData/documents/document';
import { documentJob } from '../WebData/documents/documentJob';
import { jsonSchemaFields, withSchema } from '../WebData/fields/jsonSchema';
import { scrapeOptionsAlone } from '../WebData/fields/scrapeOptions';
import { urls, urlsField } from '../WebData/fields/url';
import { comparedUrl } from './searchWatch';
import { watch, type CheckContext, type Finding } from './watch';

const request = mapSchema(
	form(
		{
			urls: urlsField(
				'URLs of the pages to watch, up to 100, separated by commas or new lines, or a list by expression',
				urls({ min: 1, max: 100 }),
			),
			compare: withDefault(
				oneOf({
					displayName: 'Compare',
					default: 'text',
					options: [
						{ name: 'Fields', value: 'fields', description: 'Values that a model extracts' },
						{ name: 'Text', value: 'text', description: 'Text of the page, line by line' },
					],
					description: 'What of a page to compare with the last check',
				}),
				'text',
			),
			...visibleWhen(
				{ compare: ['fields'] },
				{
					prompt: string({
						displayName: 'Prompt',
						rows: 2,
						max: 10_000,
						placeholder: 'e.g. The name and the price of the product',
						description: 'Which values to extract, in natural language',
					}),
					...jsonSchemaFields({ ifEmpty: 'If empty, the prompt decides' }),
				},
			),
			...visibleWhen(
				{ compare: ['text'] },
				{
					ignoreLines: withDefault(
						list({
							displayName: 'Ignore Lines',
							entry: stringSchema({ max: 200 }),
							max: 50,
							placeholder: 'e.g. *visitors today*, Updated *',
							description:
								'Comma-separated patterns of lines to ignore, such as clocks, * for any characters',
						}),
						[],
					),
				},
			),
			scrapeOptions: scrapeOptionsAlone,
		},
		({ compare, prompt, schema }, reject) => {
			if (compare === 'fields' && prompt === undefined && schema === undefined) {
				reject('is required where there is no schema', 'prompt');
			}
		},
	),
	withSchema,
);

type PageRequest = z.output<typeof request.schema>;

/** Characters of all pages' contents in n8n's static data, and of one page's. */
const mostContent = 200_000;
const mostOfPage = 50_000;

/** Most lines or values of a difference, and most characters of each. */
const mostEntries = 100;
const longestEntry = 300;

/** Characters that nobody sees. */
const unseen = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/** What is compared of a page: its lines, or its values, each as the JSON of `[path, value]`. */
type Content = string[];

/** The lines of a text as a reader compares them. */
const linesOf = (text: string, { ignoreLines }: PageRequest): Content =>
	text
		.normalize('NFC')
		.replace(unseen, '')
		.split('\n')
		.map((line) => line.replace(/\s+/g, ' ').trim())
		.filter((line) => line !== '' && !ignoreLines.some((pattern) => fitsGlob(line, pattern)));

/** The values of an object by their paths. One that is missing or null is no value. */
function valuesOf(value: unknown, path = '', levels = 5): Content {
	if (value === undefined || value === null) return [];
	if (!isRecord(value) || levels === 0) return [JSON.stringify([path, value])];
	return Object.entries(value).flatMap(([name, entry]) =>
		valuesOf(entry, path === '' ? name : `${path}.${name}`, levels - 1),
	);
}

/** The values of a content by their paths. */
const valuesIn = (content: Content): JsonRecord =>
	Object.fromEntries(content.map((entry) => fromJson(entry) as [string, unknown]));

/** The entries that another content lacks; equal ones count each, moved ones are not among them. */
function entriesBeside(content: Content, other: Content): Content {
	const counts = new Map<string, number>();
	for (const entry of other) counts.set(entry, (counts.get(entry) ?? 0) + 1);
	return content.filter((entry) => {
		const count = counts.get(entry) ?? 0;
		counts.set(entry, count - 1);
		return count <= 0;
	});
}

/** Identifies a content whatever its order, as the difference does. */
const markOf = (content: Content): string => fingerprint([...content].sort().join('\n'), 22);

/** What a check finds of a page. */
type Outcome =
	| { is: 'up'; content: Content; document: IDataObject }
	| { is: 'gone'; document: IDataObject }
	| { is: 'failed'; reason: string; document?: IDataObject };

function outcomeOf(json: IDataObject, request: PageRequest): Outcome {
	if (isRecord(json.failed)) return { is: 'failed', reason: String(json.failed.error) };
	if (isGone(json)) return { is: 'gone', document: json };
	const status = errorStatusOf(json);
	if (status !== undefined)
		return { is: 'failed', reason: `The page returns HTTP ${status}`, document: json };
	const { markdown, json: extracted } = json;
	const content =
		request.compare === 'fields'
			? valuesOf(extracted)
			: linesOf(typeof markdown === 'string' ? markdown : '', request);
	if (content.length > 0) return { is: 'up', content, document: json };
	const reason = request.compare === 'fields' ? 'No value was extracted' : 'The page has no text';
	return { is: 'failed', reason, document: json };
}

/** A page whose model found only some of the values keeps the others as they were: missing is no value. */
function withMissing(
	outcome: Outcome | undefined,
	request: PageRequest,
	previous: Content | undefined,
): Outcome | undefined {
	if (request.compare !== 'fields' || outcome?.is !== 'up' || !previous) return outcome;
	const found = valuesIn(outcome.content);
	const missing = previous.filter((entry) =>
		Object.keys(valuesIn([entry])).every((path) => !(path in found)),
	);
	return { ...outcome, content: [...outcome.content, ...missing] };
}

/** Whether the service refused a start, at no cost. */
const isRefusal = (error: unknown): error is NodeApiError =>
	error instanceof NodeApiError && ['400', '403'].includes(String(error.httpCode));

/**
 * Scrapes pages in one batch; a batch that an earlier check has started and not read is read
 * instead. If the service refuses it, each half is tried, so that one URL does not stop the others.
 * @throws NodeApiError or NodeOperationError
 */
async function scrape(
	pages: string[],
	request: PageRequest,
	context: CheckContext,
): Promise<IDataObject[]> {
	const { prompt, schema, scrapeOptions, compare } = request;
	const body = {
		urls: pages,
		// A cached copy would hide a change for two days.
		maxAge: 0,
		...scrapeOptions,
		ignoreInvalidURLs: true,
		formats:
			compare === 'fields'
				? [{ type: 'json' as const, prompt, schema }]
				: [{ type: 'markdown' as const }],
	};
	const job = documentJob(batchKind);
	const requested = { ...context, requests: [{ itemIndex: 0, body }] };
	const subject = fingerprint(JSON.stringify(body), 22);
	let id = context.unread.idOf(subject);
	const isOld = id !== undefined;
	if (id === undefined) {
		const started = await settle(requested.startJob(job, batchStart(body)));
		if (!started.ok) {
			const { error } = started;
			if (!isRefusal(error)) throw error;
			if (pages.length === 1) return [{ url: pages[0], failed: { error: error.message } }];
			const half = Math.ceil(pages.length / 2);
			return [
				...(await scrape(pages.slice(0, half), request, context)),
				...(await scrape(pages.slice(half), request, context)),
			];
		}
		id = String(started.value[0].json.jobId);
		context.unread.keep(subject, id);
	}
	let isRunning = false;
	const unfinished = async () => await Promise.resolve(((isRunning = true), []));
	const collected = await settle(requested.collectJob({ ...job, unfinished }, id));
	if (!collected.ok) {
		const { error } = collected;
		// What is paid for is read by the next check, unless it has failed, or is still unknown then.
		const isLost = !(error instanceof NodeApiError) || (isOld && String(error.httpCode) === '404');
		if (isLost) context.unread.drop();
		if (!isLost || !isOld) throw error;
		return await scrape(pages, request, context);
	}
	if (!isRunning) {
		context.unread.drop();
		return collected.value.map(({ json }) => json);
	}
	throw operationError(
		`The batch ${id} has not finished`,
		`The next check reads it; raise 'Max Wait' to wait longer.`,
		context.errorSource,
	);
}

/** A content as an item has it: the text, or the values by their paths. */
const shown = (content: Content | undefined, { compare }: PageRequest): IDataObject | null => {
	if (content === undefined) return null;
	return compare === 'fields'
		? (valuesIn(content) as IDataObject)
		: { markdown: content.join('\n') };
};

/** The difference of two contents: the values that changed, or the lines. */
function diffOf(previous: Content, current: Content, { compare }: PageRequest): unknown {
	const [added, removed] = [entriesBeside(current, previous), entriesBeside(previous, current)];
	if (compare === 'fields') {
		const [before, now] = [valuesIn(previous), valuesIn(current)];
		return Object.keys(valuesIn([...removed, ...added]))
			.slice(0, mostEntries)
			.map((field) => ({ field, previous: before[field] ?? null, current: now[field] ?? null }));
	}
	const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
	return {
		text: lines
			.slice(0, mostEntries)
			.map((line) => cutLine(line, longestEntry))
			.join('\n'),
		...(lines.length > mostEntries && { isTruncated: true }),
	};
}

/** The fields of an item of a page. */
function itemOf(
	url: string,
	change: string,
	outcome: Outcome,
	previous: Content | undefined,
	request: PageRequest,
): IDataObject {
	const { document = {} } = outcome;
	const { metadata } = document;
	const current = outcome.is === 'up' ? outcome.content : undefined;
	const about: JsonRecord = {
		url,
		finalUrl: fieldOf(metadata, 'url'),
		title: fieldOf(metadata, 'title'),
		statusCode: fieldOf(metadata, 'statusCode'),
		change,
		...(outcome.is === 'failed' && { reason: outcome.reason }),
		current: shown(current, request),
		previous: shown(previous, request),
		...(change === 'changed' &&
			current &&
			previous && { diff: diffOf(previous, current, request) }),
	};
	return about as IDataObject;
}

/** The state of a page after a check, and its change if there is one. */
function compare(before: JsonRecord, outcome: Outcome, most: number) {
	const { is, mark, content } = before;
	if (outcome.is !== 'up') {
		const change = outcome.is === 'gone' ? 'removed' : 'failed';
		// The last content stays, to compare with when the page is there again.
		return { next: { ...before, is: outcome.is }, change: is === outcome.is ? undefined : change };
	}
	const now = markOf(outcome.content);
	const text = outcome.content.join('\n');
	const next = { is: 'up', mark: now, ...(text.length <= most && { content: text }) };
	if (mark === undefined || is === 'gone') return { next, change: 'new' };
	return mark === now
		? { next: { is: 'up', mark, content }, change: undefined }
		: { next, change: 'changed' };
}

/** Polls pages. */
export const pageWatch = watch({
	name: 'Pages',
	value: 'page',
	description:
		'Pages whose text or values change, such as a price; 1 credit a URL and check, 5 with fields',
	action: 'On changed pages',
	request,
	settings: settingsFields('maxCreditsPerExecution', 'maxRetryTime', 'maxWait'),
	async check(wanted, state, context) {
		const { urls: all, ...setup } = wanted;
		const identity = fingerprint(JSON.stringify(setup), 11);
		const stored = state?.setup === identity && isRecord(state.pages) ? state.pages : {};
		const pages = new Map(all.map((url) => [pageUrlOf(url), url]));
		const scraped = await scrape([...pages.values()], wanted, context);
		// Servers write a URL in another way than it was given: with a slash, a scheme, or without www.
		const loosely = new Map([...pages.keys()].map((key) => [comparedUrl(key), key]));
		const outcomes = new Map<string, Outcome>();
		for (const json of scraped) {
			const sources = [
				fieldOf(json.metadata, 'sourceURL'),
				json.url,
				fieldOf(json.metadata, 'url'),
			].map(String);
			const keys = [
				...sources.map(pageUrlOf),
				...sources.flatMap((source) => loosely.get(comparedUrl(source)) ?? []),
			];
			const key = keys.find((each) => pages.has(each) && !outcomes.has(each));
			if (key !== undefined) outcomes.set(key, outcomeOf(json, wanted));
		}
		const most = Math.min(mostOfPage, Math.floor(mostContent / pages.size));
		const found: Finding[] = [];
		const next: IDataObject = {};
		for (const [key, url] of pages) {
			const name = keyHash(key);
			const before = isRecord(stored[name]) ? stored[name] : {};
			const previous = typeof before.content === 'string' ? before.content.split('\n') : undefined;
			const outcome = withMissing(outcomes.get(key), wanted, previous) ?? {
				is: 'failed',
				reason: 'The server returned nothing for this URL',
			};
			const { next: after, change } = compare(before, outcome, most);
			next[name] = after as IDataObject;
			if (change === undefined) continue;
			const at = context.now.toISOString();
			const { jobId, request: about } = outcome.document ?? {};
			const json = {
				...itemOf(url, change, outcome, previous, wanted),
				checkedAt: at,
				request: { jobId, creditsUsed: fieldOf(about, 'creditsUsed') ?? null },
			} as IDataObject;
			// A page that fails from the start did not exist before.
			const isExisting = before.is === undefined && change !== 'failed';
			found.push({
				id: `${name} ${change} ${String(after.mark ?? '')}`,
				result: { json },
				isExisting,
			});
		}
		return {
			found,
			nextState: { setup: identity, at: context.now.toISOString(), pages: next },
			checked: pluralize(pages.size, 'page'),
		};
	},
});
