import type { IDataObject } from 'n8n-workflow';
import { isUnset } from '../../../runtime/form/schema';
import { required, string } from '../../../runtime/form/field';
import type { Endpoint } from '../../../runtime/http/endpoint';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { requirePaidField } from '../../../runtime/output/paidResponse';
import { asRecord } from '../../../runtime/output/results';
import { crawlOptionGroup } from '../../fields/crawlOptions';
import { urlField, wholeUrl } from '../../fields/url';
import { startPage } from './request';

/** Longest delay between pages of a crawl, in seconds. */
const longestDelay = 60;

/**
 * Converts the previewed options for POST /crawl: omits unknown fields (`maxDepth`), and converts a
 * delay to seconds if it can only be milliseconds, the unit in the preview's documentation
 * (https://docs.firecrawl.dev/api-reference/endpoint/crawl-params-preview).
 */
export function usableOptions(previewed: IDataObject): IDataObject {
	const known = Object.entries(previewed).filter(
		([name, value]) =>
			(name === 'url' || name === 'limit' || name in crawlOptionGroup) && !isUnset(value),
	);
	const options: IDataObject = Object.fromEntries(known);
	const { delay } = options;
	if (typeof delay !== 'number' || delay <= 0) delete options.delay;
	else if (delay > longestDelay) options.delay = Math.min(longestDelay, delay / 1000);
	return options;
}

const previewCrawlParams: Endpoint = {
	method: 'POST',
	path: '/crawl/params-preview',
	bucket: 'crawl',
	retrySafety: 'free',
};

/** POST /crawl/params-preview (https://docs.firecrawl.dev/api-reference/endpoint/crawl-params-preview). */
export const previewParams = operation({
	name: 'Preview Params',
	value: 'previewParams',
	action: 'Turn a prompt into crawl options',
	description:
		'Converts a natural language prompt to crawl options and returns them, without scraping. Free.',
	costs: 'free',
	request: form({
		url: urlField(startPage, wholeUrl()),
		prompt: required(
			string({
				displayName: 'Prompt',
				rows: 4,
				max: 10_000,
				placeholder: 'e.g. Only blog posts of this year',
				description: 'What to crawl, in natural language, up to 10,000 characters',
			}),
		),
	}),
	settings: [],
	async run(body, context) {
		const response = await context.send({
			endpoint: previewCrawlParams,
			body,
		});
		const options = asRecord(
			requirePaidField(response.body, 'data', 'options', context.errorSource),
		);
		return [{ json: usableOptions({ url: body.url, ...options }) }];
	},
});
