import { displayName } from '../../../../nodes/runtime/errors/displayName';
import { crawlRequest } from '../../../../nodes/WebData/resources/crawl';
import { operationNamed } from '../../calls.cjs';
import { query } from '../../../../nodes/WebData/resources/search';

describe('the way to a field as the user sees it', () => {
	it.each<[Array<string | number>, string]>([
		[['scrapeOptions', 'formats'], 'Formats'],
		[['scrapeOptions', 'formats', 0, 'url'], 'Formats > entry 1 > url'],
		[['scrapeOptions', 'formats', 'changeTrackingTag'], 'Change Tracking Tag'],
		[['scrapeOptions', 'mobile'], 'Scrape Options > Mobile'],
		[['scrapeOptions', 'minAge'], 'Scrape Options > minAge'],
	])('%j of a crawl is %s', (path, name) => {
		expect(displayName(crawlRequest.fields, path)).toBe(name);
	});

	it.each<[Array<string | number>, string]>([
		[['query'], 'Query'],
		[['tbs'], 'Time Filter'],
		[['includeDomains', 0], 'Include Domains > entry 1'],
		[['sources', '1', 'location'], 'Sources > entry 2 > location'],
		[['scrapeOptions', 'formats', 'jsonSchema', 'items'], 'JSON Schema > items'],
		[['scrapeOptions', 'actions', 0, 'all'], 'Actions > entry 1 > All Matches'],
		[['scrapeOptions', 'headers', 'X-Try'], 'Scrape Options > Headers > X-Try'],
		[['options', 'maxRetryTime'], 'Options > Max Retry Time'],
		[[], ''],
		[['unknown', 'deeper'], 'unknown > deeper'],
		[['query', 'deeper'], 'Query > deeper'],
		[['constructor'], 'constructor'],
	])('%j is %s', (path, name) => {
		expect(displayName(query.fields, path)).toBe(name);
	});

	it.each<[Array<string | number>, string]>([
		[['targets', 1, 'optionsJson'], 'Targets > entry 2 > Options (JSON)'],
		// An entry of a list has nothing around it: its members are not those of the monitor.
		[['targets', 1, 'name'], 'Targets > entry 2 > name'],
	])('%j of a monitor is %s', (path, name) => {
		expect(displayName(operationNamed('monitor: create').fields, path)).toBe(name);
	});

	it.each<[Array<string | number>, string]>([
		[['schemaExample'], 'Example'],
		[['requestJson'], 'Request (JSON)'],
		[['urls', 2], 'URLs > entry 3'],
		[['strictConstrainToURLs'], 'Only These URLs'],
		[['webhook', 'headers', 'X-Token'], 'Webhook > headers > X-Token'],
		[['additionalFields'], 'additionalFields'],
	])('%j of an agent is %s', (path, name) => {
		expect(displayName(operationNamed('agent: run').fields, path)).toBe(name);
	});
});
