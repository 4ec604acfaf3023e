import { displayName } from '../../../nodes/runtime/displayName';
import { agentRequestFields } from '../../../nodes/WebData/resources/agent/request';
import { crawlRequestFields } from '../../../nodes/WebData/resources/crawl/request';
import { query } from '../../../nodes/WebData/resources/search/query';

describe('the way to a field as the user sees it', () => {
	it.each<[Array<string | number>, string]>([
		[['scrapeOptions', 'formats', 0, 'tag'], 'Scrape Options > Formats > entry 1 > Tag'],
		[
			['scrapeOptions', 'formats', 0, 'selectors', 0, 'attribute'],
			'Scrape Options > Formats > entry 1 > Selectors > entry 1 > Attribute',
		],
	])('%j of a crawl is %s', (path, name) => {
		expect(displayName(crawlRequestFields, path)).toBe(name);
	});

	it.each<[Array<string | number>, string]>([
		[['query'], 'Query'],
		[['limit'], 'Limit'],
		[['ignoreInvalidURLs'], 'Ignore Invalid URLs'],
		[['tbs'], 'Time Filter'],
		[['location'], 'Location'],
		[['includeDomains', 0], 'Include Domains > entry 1'],
		[['sources', 1, 'tbs'], 'Sources > entry 2 > tbs'],
		[['sources', '1', 'location'], 'Sources > entry 2 > location'],
		[
			['scrapeOptions', 'formats', 2, 'viewport', 'height'],
			'Scrape Options > Formats > entry 3 > Viewport > Height',
		],
		[['scrapeOptions', 'formats', 0, 'schema'], 'Scrape Options > Formats > entry 1 > Schema'],
		[
			['scrapeOptions', 'formats', 0, 'checkPromptInjection'],
			'Scrape Options > Formats > entry 1 > Check Prompt Injection',
		],
		[['scrapeOptions', 'actions', 0, 'all'], 'Scrape Options > Actions > entry 1 > All Matches'],
		[['scrapeOptions', 'actions', 0, 'format'], 'Scrape Options > Actions > entry 1 > Paper'],
		[['scrapeOptions', 'headers', 'X-Try'], 'Scrape Options > Headers > X-Try'],
		[['retries', 'maxTries'], 'Retries > Max Tries'],
		[[], ''],
		[['unknown', 'deeper'], 'unknown > deeper'],
		[['query', 'deeper'], 'Query > deeper'],
		[['constructor'], 'constructor'],
	])('%j is %s', (path, name) => {
		expect(displayName(query.fields, path)).toBe(name);
	});

	it.each<[Array<string | number>, string]>([
		[['schema'], 'Schema'],
		[['schemaExample'], 'Example'],
		[['requestJson'], 'Request (JSON)'],
		[['urls', 2], 'URLs > entry 3'],
		[['strictConstrainToURLs'], 'Only These URLs'],
		[['exchange', 'approve', 'approvalId'], 'Exchange > Approve > Approval ID'],
		[['webhook', 'headers', 'X-Token'], 'Webhook > Headers > X-Token'],
		[['additionalFields'], 'additionalFields'],
	])('%j of an agent is %s', (path, name) => {
		expect(displayName(agentRequestFields, path)).toBe(name);
	});
});
