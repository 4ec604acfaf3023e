import { editorOnly, string } from '../../../runtime/form/field';
import type { ReadContext } from '../../../runtime/operation/operation';
import { additionalFields, form, mapSchema } from '../../../runtime/form/form';
import {
	crawlOptionGroup,
	crawlOptionRules,
	defaultCrawlLimit,
	patternNotice,
} from '../../fields/crawlOptions';
import { formats } from '../../fields/formats';
import { limitAlone } from '../../fields/limit';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import { reading, scrapeOptionNames } from '../../fields/scrapeOptions';
import { urlField } from '../../fields/url';
import { documentWebhook } from '../../fields/webhook';
import { costOf } from '../../fields/prices';
import { ValidationFailure, preview } from '../../../runtime/form/schema';

/** A UUID in the service's form; it treats any other key as used. */
const keyPattern =
	/^([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}(-0{4}){3}-0{12}|f{8}(-f{4}){3}-f{12})$/;

/**
 * The key by which the service recognizes a repeated start and rejects it
 * (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post).
 */
const idempotencyKey = string({
	displayName: 'Idempotency Key',
	placeholder: 'e.g. 7c9e6679-7425-40de-944b-e07fc1f90ae7',
	description:
		'UUID that starts a crawl at most once on the hosted service: reusing a key is an error without charge, even if the first start failed. If empty, the node generates one for its own retries. Self-hosted servers do not support keys and may fail.',
	normalize: (value) => {
		const key = value.trim().toLowerCase();
		return keyPattern.test(key)
			? key
			: new ValidationFailure(
					`must be a UUID such as 7c9e6679-7425-40de-944b-e07fc1f90ae7, not ${preview(value)}`,
				);
	},
});

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
		}),
	},
	crawlOptionRules,
);

/** The body of POST /crawl (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
export const crawlRequest = mapSchema(request, (schema) =>
	withRequestJson(schema, scrapeOptionNames),
);

/** Shows a notice of patterns that match no path, by which the crawl excludes nothing. */
export function noticePatterns(
	body: Parameters<typeof patternNotice>[0],
	context: Pick<ReadContext, 'notice'>,
): void {
	const notice = patternNotice(body, "Enable 'Regex on Full URL' to match the full URL.");
	if (notice !== undefined) context.notice(notice);
}
