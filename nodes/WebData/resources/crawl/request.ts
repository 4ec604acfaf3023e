import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { fields, membersOf } from '../../../runtime/contract';
import { byName, propertiesOf, shapeOf } from '../../../runtime/form';
import type { Values } from '../../../runtime/operation';
import { callerMembers } from '../../fields/caller';
import {
	crawlOptionGroup,
	crawlOptionMembers,
	crawlOptionRules,
	usualCrawlLimit,
} from '../../fields/crawlOptions';
import { formatFields } from '../../fields/formatFields';
import { idempotencyKey } from '../../fields/idempotencyKey';
import { limitField } from '../../fields/limit';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import {
	readingFields,
	readScrapeOptions,
	scrapeOptionMembers,
	scrapeOptions,
} from '../../fields/scrapeOptions';
import { url } from '../../fields/url';
import { documentWebhook } from '../../fields/webhook';
import { withoutEffect } from '../../fields/withoutEffect';
import { zeroDataRetention } from '../../fields/zeroDataRetention';

/** Where a crawl begins. */
export const startPageField: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://example.com/docs',
	description: 'Page to start from; pages below it are read unless told otherwise',
};

/** What a crawl is asked (addendum 6). */
export const crawlRequestFields: INodeProperties[] = [
	startPageField,
	...formatFields,
	limitField({
		initial: usualCrawlLimit,
		description:
			'Max number of pages to read, each at least 1 credit; 100 unless set, and always sent, for the service itself would read 10,000',
	}),
	...readingFields,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: byName([
			...propertiesOf({
				...crawlOptionGroup,
				idempotencyKey,
				requestJson,
				webhook: documentWebhook,
				zeroDataRetention,
			}),
		]),
	},
];

const request = fields(
	{
		url: url(),
		...callerMembers,
		...crawlOptionMembers,
		scrapeOptions: scrapeOptions().optional(),
		...shapeOf({ idempotencyKey, webhook: documentWebhook, zeroDataRetention }),
	},
	crawlOptionRules,
);

export const crawlRequest = withRequestJson(request, Object.keys(scrapeOptionMembers));

/** What to say of a crawl before it is started. */
export const crawlHints = ({
	scrapeOptions: reading,
	zeroDataRetention: keepsNothing,
}: z.output<typeof request>): string[] =>
	withoutEffect({ ...reading, zeroDataRetention: keepsNothing });

/** Puts the parameters together as the body of POST /crawl. */
export const readCrawlRequest = (values: Values) => ({
	url: values.url,
	limit: values.limit,
	scrapeOptions: readScrapeOptions(values),
	...membersOf(values.additionalFields),
});
