import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v3';
import {
	boolean,
	list,
	number,
	oneOf,
	withDefault,
	type DisplayConditions,
} from '../runtime/form/field';
import { form, mapSchema, visibleWhen } from '../runtime/form/form';
import { stringSchema } from '../runtime/form/schema';
import { settingsFields } from '../runtime/form/settings';
import { asRecord, without } from '../runtime/execution/results';
import { settle } from '../runtime/values/outcome';
import { fieldOf, fieldsNamed, isRecord } from '../runtime/values/record';
import { fingerprint, keyHash } from '../runtime/values/seenSet';
import { pluralize } from '../runtime/values/text';
import { completesTurn, delay } from '../runtime/values/time';
import { batchKind, batchStart } from '../WebData/resources/batch';
import { documentJob } from '../WebData/documents/documentJob';
import { jsonSchemaFields, withSchema } from '../WebData/fields/jsonSchema';
import { scrapeOptionsAlone } from '../WebData/fields/scrapeOptions';
import { comparedUrl, urls, urlsField } from '../WebData/fields/url';
import { comparePage, storedState, type Look } from './pageChange';
import type { CheckContext, Finding, Watch } from './watch';

const compareField = oneOf('Compare', 'What of a page to compare with the last check', {
	default: 'text',
	options: {
		fields: ['Fields', 'Values that a model extracts; 5 credits'],
		product: ['Product', 'Price and availability; 1 credit'],
		text: ['Text', 'Text of the page, line by line'],
	},
});

const ignoreLines = list(
	'Ignore Lines',
	'Comma-separated patterns of lines to ignore, such as clocks, * for any characters',
	{ entry: stringSchema({ max: 200 }), max: 50, placeholder: 'e.g. *visitors today*, Updated *' },
);

const minChange = number(
	'Minimum Change',
	'Percent by which a number must differ from the last one reported, up to 100; 0 for any change',
	{ min: 0, max: 100, default: 0 },
);

const ofValues = { compare: ['fields', 'product'] };
const ofText = { compare: ['text'] };

const confirms = (show: DisplayConditions, initial: boolean) =>
	boolean(
		'Confirm Changes',
		'Whether to scrape pages that changed once more in the same check, at their price again',
		{ displayOptions: { show }, default: initial },
	);
const { property: confirmsText } = confirms(ofText, false);

const request = mapSchema(
	form(
		{
			urls: urlsField(
				'URLs of the pages to watch, up to 100, separated by commas or new lines, or a list by expression',
				urls({ min: 1, max: 100 }),
			),
			compare: withDefault(compareField),
			...visibleWhen(
				{ compare: ['fields'] },
				jsonSchemaFields({ ifEmpty: 'Its values are compared' }),
			),
			...visibleWhen(ofText, { ignoreLines: withDefault(ignoreLines) }),
			...visibleWhen(ofValues, { minChange: withDefault(minChange) }),
			confirmChanges: {
				...confirms(ofValues, true),
				extraProperties: confirmsText && [{ ...confirmsText, name: 'confirmChanges' }],
			},
			scrapeOptions: scrapeOptionsAlone,
		},
		({ compare, schema }, reject) => {
			if (compare === 'fields' && schema === undefined) reject('is required', 'schemaExample');
		},
	),
	withSchema,
);

type PageRequest = z.output<typeof request.schema>;

/** Scrapes pages in one batch; if it is refused, in halves, so that one URL does not stop the others. */
async function scrape(
	pages: string[],
	wanted: PageRequest,
	context: CheckContext,
	look = '',
): Promise<IDataObject[]> {
	const { schema, scrapeOptions, compare } = wanted;
	// Walls and values that the page lacks are known by its text, which costs nothing more.
	const markdown = { type: 'markdown' };
	const formats = {
		fields: [{ type: 'json', schema }, markdown],
		product: [{ type: 'product' }, markdown],
		text: [markdown],
	}[compare];
	// A cached copy would hide a change for two days.
	const options = { maxAge: 0, ...scrapeOptions, ignoreInvalidURLs: true, formats };
	const start = batchStart({ urls: pages, ...options });
	const scraped = await context.runKept(documentJob(batchKind), start, look);
	if (Array.isArray(scraped)) return scraped.map(({ json }) => json);
	if (pages.length === 1) return [{ url: pages[0], failed: { error: scraped.message } }];
	const half = Math.ceil(pages.length / 2);
	const first = await scrape(pages.slice(0, half), wanted, context, look);
	return [...first, ...(await scrape(pages.slice(half), wanted, context, look))];
}

/** Part of a check's time after which no second look begins. */
const lastLook = 0.5;

/** Scrapes pages that changed once more. Without time, or if that fails, there are no documents. */
async function lookAgain(pages: string[], wanted: PageRequest, context: CheckContext) {
	const elapsed = Date.now() - context.now.getTime();
	const isLate = elapsed > lastLook * context.settings.maxWait * 60_000;
	const again = isLate ? undefined : await settle(scrape(pages, wanted, context, 'again'));
	const documents = again?.ok ? again.value : [];
	const cost = documents.reduce((sum, { creditsUsed }) => sum + Number(creditsUsed ?? 0), 0);
	const outcome = again?.ok
		? `scraped once more for ${pluralize(cost, 'credit')}`
		: `could not be scraped once more: ${again?.error.message ?? 'no time was left'}`;
	context.notice(`${pluralize(pages.length, 'changed page')} ${outcome}.`);
	return documents;
}

/** Characters of a value as JSON: with the names of its fields, which are compared, too, unlike `lengthOf`. */
const sizeOf = (value: unknown): number => JSON.stringify(value ?? '').length;

/** Bytes of all pages' contents in n8n's static data. */
const mostContent = 500_000;

/** Polls pages. */
export const pageWatch: Watch = {
	...request,
	fields: [
		...request.fields,
		...settingsFields('maxCreditsPerExecution', 'maxRetryTime', 'maxWait'),
	],
	name: 'Pages',
	value: 'page',
	description:
		'Pages whose text, values or product change, such as a price; 1 credit a URL and check, 5 with fields',
	action: 'On changed pages or prices',
	async check(wanted: PageRequest, state, context) {
		const { urls: all, compare, confirmChanges = compare !== 'text' } = wanted;
		// How changes are reported may change without a new first check.
		const compared = without(wanted as IDataObject, 'urls', 'minChange', 'confirmChanges');
		const setup = fingerprint(JSON.stringify(compared), 11);
		const stored = state?.setup === setup ? state.pages : {};
		// Servers write a URL in another way than it was given.
		const pages = new Map(all.map((url) => [comparedUrl(url), url]));
		const looks = new Map<string, Look>();
		const compareAll = async (scraped: IDataObject[], keys: Iterable<string>) => {
			const documents = new Map<string, IDataObject>();
			for (const document of scraped) {
				const key = comparedUrl(String(fieldOf(document.metadata, 'sourceURL') ?? document.url));
				if (!isRecord(document.failed) || !documents.has(key)) documents.set(key, document);
			}
			for (const key of keys) {
				const [before, document] = [fieldOf(stored, keyHash(key)), documents.get(key)];
				looks.set(key, comparePage(asRecord(before ?? {}), document, wanted, looks.get(key)));
				if (completesTurn(sizeOf(document))) await delay(0);
			}
		};
		await compareAll(await scrape([...pages.values()], wanted, context), pages.keys());
		const isChanged = (look?: Look) => look?.item !== undefined && !look.isExisting;
		const changed = new Map([...pages].filter(([key]) => isChanged(looks.get(key))));
		if (changed.size > 0 && confirmChanges) {
			const again = await lookAgain([...changed.values()], wanted, context);
			await compareAll(again, changed.keys());
		}
		const found: Finding[] = [];
		const nextPages: IDataObject = {};
		for (const [key, { document, next, item, isExisting }] of looks) {
			const [name, url] = [keyHash(key), pages.get(key)];
			nextPages[name] = storedState(next, mostContent / pages.size, compare);
			if (completesTurn(sizeOf(next))) await delay(0);
			if (item === undefined) continue;
			if (isExisting && item.change === 'failed')
				context.notice(`The first check of ${url} failed: ${String(item.reason)}`);
			// By hand, what exists looks as what has changed does.
			const sample = { change: 'changed', previous: item.current, diff: { text: '' } };
			const json = {
				url,
				...fieldsNamed(asRecord(document?.metadata ?? {}), 'title', 'statusCode'),
				...item,
				...(context.isManual && { ...(item.change === 'new' && sample), isTest: true }),
				checkedAt: context.now.toISOString(),
				...fieldsNamed(document ?? {}, 'creditsUsed'),
			};
			const id = `${name} ${item.change} ${keyHash(JSON.stringify(item.current))}`;
			found.push({ id, result: { json: json as IDataObject }, isExisting });
		}
		const checked = pluralize(pages.size, 'page');
		return { found, nextState: { setup, pages: nextPages }, checked };
	},
};
