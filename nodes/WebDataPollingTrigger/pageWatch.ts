import { NodeApiError, type IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { list, oneOf, withDefault } from '../runtime/form/field';
import { form, mapSchema, visibleWhen } from '../runtime/form/form';
import { stringSchema } from '../runtime/form/schema';
import { settingsFields } from '../runtime/form/settings';
import { asRecord, without } from '../runtime/output/results';
import { fieldOf, fieldsNamed, isRecord } from '../runtime/values/record';
import { fingerprint, keyHash } from '../runtime/values/seenSet';
import { pluralize } from '../runtime/values/text';
import { batchKind, batchStart } from '../WebData/resources/batch';
import { documentJob } from '../WebData/documents/documentJob';
import { jsonSchemaFields, withSchema } from '../WebData/fields/jsonSchema';
import { scrapeOptionsAlone } from '../WebData/fields/scrapeOptions';
import { comparedUrl, urls, urlsField } from '../WebData/fields/url';
import { comparePage } from './pageChange';
import { watch, type CheckContext, type Finding } from './watch';

const compareField = oneOf({
	displayName: 'Compare',
	default: 'text',
	options: [
		{ name: 'Fields', value: 'fields', description: 'Values that a model extracts' },
		{ name: 'Text', value: 'text', description: 'Text of the page, line by line' },
	],
	description: 'What of a page to compare with the last check',
});

const ignoreLines = list({
	displayName: 'Ignore Lines',
	entry: stringSchema({ max: 200 }),
	max: 50,
	placeholder: 'e.g. *visitors today*, Updated *',
	description: 'Comma-separated patterns of lines to ignore, such as clocks, * for any characters',
});

const request = mapSchema(
	form(
		{
			urls: urlsField(
				'URLs of the pages to watch, up to 100, separated by commas or new lines, or a list by expression',
				urls({ min: 1, max: 100 }),
			),
			compare: withDefault(compareField, 'text'),
			...visibleWhen(
				{ compare: ['fields'] },
				jsonSchemaFields({ ifEmpty: 'Its values are compared' }),
			),
			...visibleWhen({ compare: ['text'] }, { ignoreLines: withDefault(ignoreLines, []) }),
			scrapeOptions: scrapeOptionsAlone,
		},
		({ compare, schema }, reject) => {
			if (compare === 'fields' && schema === undefined) reject('is required', 'schemaExample');
		},
	),
	withSchema,
);

type PageRequest = z.output<typeof request.schema>;

/**
 * Scrapes pages in one batch. If the service refuses it, each half is tried, so that one URL does
 * not stop the others.
 * @throws NodeApiError or NodeOperationError
 */
async function scrape(
	pages: string[],
	wanted: PageRequest,
	context: CheckContext,
): Promise<IDataObject[]> {
	const { schema, scrapeOptions, compare } = wanted;
	const format = compare === 'fields' ? { type: 'json', schema } : { type: 'markdown' };
	// A cached copy would hide a change for two days.
	const options = { maxAge: 0, ...scrapeOptions, ignoreInvalidURLs: true, formats: [format] };
	const start = batchStart({ urls: pages, ...options });
	const scraped = await context.runKept(documentJob(batchKind), start);
	if (!(scraped instanceof NodeApiError)) return scraped.map(({ json }) => json);
	if (pages.length === 1) return [{ url: pages[0], failed: { error: scraped.message } }];
	const half = Math.ceil(pages.length / 2);
	return [
		...(await scrape(pages.slice(0, half), wanted, context)),
		...(await scrape(pages.slice(half), wanted, context)),
	];
}

/** Characters of all pages' contents in n8n's static data. */
const mostContent = 200_000;

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
		const stored = state?.setup === identity ? state.pages : {};
		// Servers write a URL in another way than it was given.
		const pages = new Map(all.map((url) => [comparedUrl(url), url]));
		const documents = new Map<string, IDataObject>();
		for (const document of await scrape([...pages.values()], wanted, context)) {
			const key = comparedUrl(String(fieldOf(document.metadata, 'sourceURL') ?? document.url));
			if (!isRecord(document.failed) || !documents.has(key)) documents.set(key, document);
		}
		const found: Finding[] = [];
		const nextPages: IDataObject = {};
		for (const [key, url] of pages) {
			const name = keyHash(key);
			const document = documents.get(key);
			const before = asRecord(fieldOf(stored, name) ?? {});
			const { next, item } = comparePage(before, document, wanted);
			const isLong = JSON.stringify(next.content ?? '').length > mostContent / pages.size;
			nextPages[name] = isLong ? without(next, 'content') : next;
			if (item === undefined) continue;
			const about = fieldsNamed(asRecord(document?.metadata ?? {}), 'title', 'statusCode');
			const job = fieldsNamed(document ?? {}, 'jobId', 'request');
			const json = { url, ...about, ...item, checkedAt: context.now.toISOString(), ...job };
			found.push({
				id: `${name} ${item.change} ${String(next.mark ?? '')}`,
				result: { json: json as IDataObject },
				// A page that fails from the start did not exist before.
				isExisting: before.is === undefined && item.change !== 'failed',
			});
		}
		return {
			found,
			nextState: { setup: identity, pages: nextPages },
			checked: pluralize(pages.size, 'page'),
		};
	},
});
