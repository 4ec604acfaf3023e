import type { z } from 'zod/v3';
import { editorOnly } from '../../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../../runtime/form/form';
import { callerFields } from '../../fields/caller';
import { crawlOptionGroup, crawlOptionRules, defaultCrawlLimit } from '../../fields/crawlOptions';
import { formats } from '../../fields/formats';
import { idempotencyKey } from '../../fields/idempotencyKey';
import { limitAlone } from '../../fields/limit';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import { reading, scrapeOptionNames } from '../../fields/scrapeOptions';
import { urlField } from '../../fields/url';
import { documentWebhook } from '../../fields/webhook';
import { withoutEffect } from '../../fields/withoutEffect';
import { zeroDataRetention } from '../../fields/zeroDataRetention';
import { costOf } from '../../fields/prices';

/** The start page of a crawl. */
export const startPage = {
	placeholder: 'e.g. https://example.com/docs',
	description: 'Start URL; only child pages are crawled by default',
};

const request = form(
	{
		url: urlField(startPage),
		formats: editorOnly(formats),
		limit: limitAlone({
			default: defaultCrawlLimit,
			description: `Max number of pages to scrape, ${costOf('page')} or more each; always sent, because the API's own default is 10,000`,
		}),
		...reading,
		...additionalFields({
			...crawlOptionGroup,
			idempotencyKey,
			requestJson,
			webhook: documentWebhook,
			zeroDataRetention,
		}),
		...callerFields,
	},
	crawlOptionRules,
);

type CrawlRequest = z.output<typeof request.schema>;

/** The body of POST /crawl (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
export const crawlRequest = mapSchema(request, (schema) =>
	withRequestJson(schema, scrapeOptionNames),
);

/** The hints for a crawl before its start. */
export const crawlHints = ({
	scrapeOptions,
	zeroDataRetention: keepsNothing,
}: CrawlRequest): string[] => withoutEffect({ ...scrapeOptions, zeroDataRetention: keepsNothing });
