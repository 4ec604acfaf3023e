import { requireArray } from '../../../runtime/http/paging';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { asRecord } from '../../../runtime/output/results';
import { listActiveCrawls } from '../../documents/crawlStart';

/** GET /crawl/active (https://docs.firecrawl.dev/api-reference/endpoint/crawl-active). */
export const getActive = operation({
	name: 'Get Active',
	value: 'getActive',
	action: 'Get active crawls',
	description: "Returns the team's running crawls, one item each: ID, start URL and options. Free.",
	costs: 'free',
	request: form({}),
	settings: [],
	async run(_body, context) {
		const response = await context.send({ endpoint: listActiveCrawls });
		const { crawls } = asRecord(response.body);
		return requireArray(crawls, context.errorSource).map((crawl) => ({ json: asRecord(crawl) }));
	},
});
