import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { fields, flag, membersOf, Refusal, wholeNumber } from '../../../runtime/contract';
import { byName, propertiesOf, shapeOf } from '../../../runtime/form';
import type { Values } from '../../../runtime/operation';
import { canonical } from '../../documents/address';
import { callerMembers } from '../../fields/caller';
import { formatFields } from '../../fields/formatFields';
import { requestJsonField, withRequestJson } from '../../fields/requestJson';
import {
	readingFields,
	readScrapeOptions,
	scrapeOptionMembers,
	scrapeOptionRules,
} from '../../fields/scrapeOptions';
import { uncheckedUrls, url } from '../../fields/url';
import { uuid } from '../../fields/uuid';
import { documentWebhook } from '../../fields/webhook';
import { zeroDataRetention } from '../../fields/zeroDataRetention';

/** What a batch is asked (addendum 5). */
export const batchRequestFields: INodeProperties[] = [
	{
		displayName: 'URLs',
		name: 'urls',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. https://example.com/a, https://example.com/b',
		description:
			'Addresses of the pages: one or many, with commas or new lines between them, or a list by expression',
	},
	...formatFields,
	{
		displayName: 'Input Items',
		name: 'inputItems',
		type: 'options',
		default: 'together',
		options: [
			{ name: 'One Batch for All Items', value: 'together' },
			{ name: 'One Batch per Item', value: 'each' },
		],
		description:
			"Whether the addresses of all input items are read as one batch. Each page's item is linked to the input item that asked for it.",
	},
	...readingFields,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: byName([
			{
				displayName: 'Append to ID',
				name: 'appendToId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b',
				description: 'ID of an earlier batch to add the addresses to',
			},
			{
				displayName: 'Ignore Invalid URLs',
				name: 'ignoreInvalidURLs',
				type: 'boolean',
				default: true,
				description:
					'Whether to read the valid addresses when others are invalid; otherwise one invalid address is an error before anything is sent',
			},
			{
				displayName: 'Max Concurrency',
				name: 'maxConcurrency',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 2,
				description: "How many pages are read at once; the plan's own limit when not set",
			},
			requestJsonField,
			...propertiesOf({ webhook: documentWebhook, zeroDataRetention }),
		]),
	},
];

/** The service takes JSON of at most 10 MB (addendum 0). */
const largestRequest = 10_000_000;

const request = fields(
	{
		urls: uncheckedUrls({ min: 1 }),
		...callerMembers,
		...scrapeOptionMembers,
		appendToId: uuid().optional(),
		ignoreInvalidURLs: flag().optional(),
		maxConcurrency: wholeNumber({ min: 1 }).optional(),
		...shapeOf({ webhook: documentWebhook, zeroDataRetention }),
	},
	(body, refuse) => {
		scrapeOptionRules(body, refuse);
		if (JSON.stringify(body.urls).length > largestRequest) {
			refuse('must be at most 10 MB in one batch; split the input into several', 'urls');
		}
		if (body.ignoreInvalidURLs) return;
		for (const [index, address] of body.urls.entries()) {
			const [issue] = url().safeParse(address).error?.issues ?? [];
			if (issue) refuse(issue.message, 'urls', index);
		}
	},
);

/** What a batch is asked. */
export type BatchRequest = z.output<typeof request>;

export const batchRequest = withRequestJson(request, ['scrapeOptions']);

/** Puts the parameters together as the body of POST /batch/scrape. */
export const readBatchRequest = (values: Values) => ({
	urls: values.urls,
	...readScrapeOptions(values),
	...membersOf(values.additionalFields),
});

/** One batch for all items, where the user wants that: every address once, and all else the same for all. */
export function gatherBatch(
	bodies: BatchRequest[],
	{ inputItems }: Values,
): BatchRequest | Refusal | undefined {
	if (inputItems === 'each') return undefined;
	const rests = new Set(bodies.map((body) => JSON.stringify({ ...body, urls: [] })));
	if (rests.size > 1) {
		return new Refusal(
			`One batch for all items needs the same fields in each, but 'URLs'. Set 'Input Items' to one batch per item, or remove the expressions from the other fields`,
		);
	}
	const urls = new Map<string, string>();
	for (const url of bodies.flatMap((body) => body.urls)) {
		const address = canonical(url);
		if (!urls.has(address)) urls.set(address, url);
	}
	return { ...bodies[0], urls: [...urls.values()] };
}
