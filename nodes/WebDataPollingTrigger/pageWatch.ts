import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { boolean, list, number, oneOf, withDefault } from '../runtime/form/field';
import { form, mapSchema, visibleWhen } from '../runtime/form/form';
import { stringSchema } from '../runtime/form/schema';
import { settingsFields } from '../runtime/form/settings';
import { asRecord, without } from '../runtime/output/results';
import { lengthOf } from '../runtime/values/json';
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
import {
	comparePage,
	confirmPage,
	isKnown,
	sampleOf,
	storedState,
	type Compared,
} from './pageChange';
import { watch, type CheckContext, type Finding } from './watch';

const compareField = oneOf({
	displayName: 'Compare',
	default: 'text',
	options: [
		{ name: 'Fields', value: 'fields', description: 'Values that a model extracts; 5 credits' },
		{ name: 'Product', value: 'product', description: 'Price and availability; 1 credit' },
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

const ofValues = { compare: ['fields', 'product'] };

const minChange = number({
	displayName: 'Minimum Change',
	min: 0,
	max: 100,
	default: 0,
	description:
		'Percent by which a number must differ from the last one reported, up to 100; 0 for any change',
});

const confirmTexts = {
	displayName: 'Confirm Changes',
	description:
		'Whether to scrape pages that changed once more in the same check, at their price again',
};
const confirmText = boolean(confirmTexts).property;
const confirmChanges = {
	...boolean({ ...confirmTexts, displayOptions: { show: ofValues }, default: true }),
	extraProperties: confirmText && [
		{
			...confirmText,
			name: 'confirmChanges',
			displayOptions: { show: { compare: ['text'] } },
		},
	],
};

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
			...visibleWhen(ofValues, { minChange: withDefault(minChange, 0) }),
			confirmChanges,
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
	return [
		...(await scrape(pages.slice(0, half), wanted, context, look)),
		...(await scrape(pages.slice(half), wanted, context, look)),
	];
}

/** The documents of pages by their compared URLs. */
async function documentsOf(...given: Parameters<typeof scrape>): Promise<Map<string, IDataObject>> {
	const documents = new Map<string, IDataObject>();
	for (const document of await scrape(...given)) {
		const key = comparedUrl(String(fieldOf(document.metadata, 'sourceURL') ?? document.url));
		if (!isRecord(document.failed) || !documents.has(key)) documents.set(key, document);
	}
	return documents;
}

/** Part of a check's time after which no second look begins. */
const lastLook = 0.5;

/**
 * Scrapes pages that changed once more. Without time, or if that fails, there are no documents, and the first ones
 * count.
 */
async function lookAgain(
	pages: string[],
	wanted: PageRequest,
	context: CheckContext,
): Promise<Map<string, IDataObject>> {
	const changed = pluralize(pages.length, 'changed page');
	const elapsed = Date.now() - context.now.getTime();
	const isLate = elapsed > lastLook * context.settings.maxWait * 60_000;
	const looked = isLate ? undefined : await settle(documentsOf(pages, wanted, context, 'again'));
	if (!looked?.ok) {
		const reason = looked?.error.message ?? 'no time was left';
		context.notice(`${changed} could not be scraped once more: ${reason}.`);
		return new Map();
	}
	const cost = [...looked.value.values()].reduce(
		(sum, { creditsUsed }) => sum + Number(creditsUsed ?? 0),
		0,
	);
	context.notice(`${changed} scraped once more for ${pluralize(cost, 'credit')}.`);
	return looked.value;
}

/** Bytes of all pages' contents in n8n's static data. */
const mostContent = 500_000;

/** Polls pages. */
export const pageWatch = watch({
	name: 'Pages',
	value: 'page',
	description:
		'Pages whose text, values or product change, such as a price; 1 credit a URL and check, 5 with fields',
	action: 'On changed pages or prices',
	request,
	settings: settingsFields('maxCreditsPerExecution', 'maxRetryTime', 'maxWait'),
	async check(wanted, state, context) {
		const { urls: all, confirmChanges: confirms, ...rest } = wanted;
		// How changes are reported may change without a new first check.
		const setup = without(rest as IDataObject, 'minChange');
		const identity = fingerprint(JSON.stringify(setup), 11);
		const stored = state?.setup === identity ? state.pages : {};
		// Servers write a URL in another way than it was given.
		const pages = new Map(all.map((url) => [comparedUrl(url), url]));
		const documents = await documentsOf([...pages.values()], wanted, context);
		const beforeOf = (key: string) => asRecord(fieldOf(stored, keyHash(key)) ?? {});
		const isExisting = (key: string) => !isKnown(beforeOf(key)) && beforeOf(key).is !== 'removed';
		const compared = new Map<string, Compared>();
		for (const key of pages.keys()) {
			const document = documents.get(key);
			compared.set(key, comparePage(beforeOf(key), document, wanted));
			if (completesTurn(lengthOf(document))) await delay(0);
		}
		const changed = new Map(
			[...pages].filter(([key]) => compared.get(key)?.item !== undefined && !isExisting(key)),
		);
		if (changed.size > 0 && (confirms ?? wanted.compare !== 'text')) {
			const again = await lookAgain([...changed.values()], wanted, context);
			for (const key of changed.keys()) {
				const [first, document] = [compared.get(key), again.get(key)];
				if (!first || !document) continue;
				compared.set(key, confirmPage(beforeOf(key), first, document, wanted));
				documents.set(key, document);
				if (completesTurn(lengthOf(document))) await delay(0);
			}
		}
		const found: Finding[] = [];
		const nextPages: IDataObject = {};
		for (const [key, { next, item }] of compared) {
			const [name, url] = [keyHash(key), pages.get(key)];
			nextPages[name] = storedState(next, mostContent / pages.size);
			if (item === undefined) continue;
			const document = documents.get(key);
			const about = fieldsNamed(asRecord(document?.metadata ?? {}), 'title', 'statusCode');
			const cost = fieldsNamed(document ?? {}, 'creditsUsed');
			const shown = context.isManual ? sampleOf(item) : item;
			if (isExisting(key) && item.change === 'failed')
				context.notice(`The first check of ${url} failed: ${String(item.reason)}`);
			const json = { url, ...about, ...shown, checkedAt: context.now.toISOString(), ...cost };
			found.push({
				id: `${name} ${item.change} ${keyHash(JSON.stringify(item.current))}`,
				result: { json: json as IDataObject },
				isExisting: isExisting(key),
			});
		}
		return {
			found,
			nextState: { setup: identity, pages: nextPages },
			checked: pluralize(pages.size, 'page'),
		};
	},
});
