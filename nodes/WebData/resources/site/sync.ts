import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/settings';
import { costOf } from '../../fields/prices';
import { itemsOf } from './items';
import { chunkTokens, syncRequest } from './request';
import { syncSite } from './syncSite';

/**
 * Scrapes a website by a crawl (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post), or
 * by a map and a batch (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape), and
 * returns the changes since the last run.
 */
export const sync = operation({
	name: 'Sync',
	value: 'sync',
	action: 'Sync a website',
	description: `Scrapes a website and returns only new, changed and removed pages since the last successful run, as pages or as chunks for a vector store. ${costOf('page')} per scraped page. Manual and tool runs remember nothing.`,
	request: syncRequest,
	settings: [...settingsFields('maxCreditsPerExecution', 'maxRetryTime', 'maxWait')],
	costs: `as Scrape, per scraped page; ${costOf('map')} for a map`,
	// A site of several items is returned once: each item knows the pages of the previous ones.
	sequential: true,
	async run(request, context) {
		const { changes, about } = await syncSite(request, context.memory, context);
		return await itemsOf(changes, chunkTokens(request), about);
	},
});
