import { bucketOf } from '../../../../nodes/runtime/limits/buckets';

const id = '0198a1b2-0000-7000-8000-000000000000';

/** Which endpoints share a counter of the service: docs/api-notes.md, Rate limits. */
describe('the bucket of', () => {
	it.each([
		['POST /scrape', 'scrape'],
		['POST /parse', 'scrape'],
		['POST /parse/upload-url', 'scrape'],
		['POST /batch/scrape', 'scrape'],
		['POST /search', 'search'],
		['POST /map', 'map'],
		['POST /crawl', 'crawl'],
		['POST /crawl/params-preview', 'crawl'],
		['POST /monitor', 'crawl'],
		[`PATCH /monitor/${id}`, 'crawl'],
		[`POST /monitor/${id}/run`, 'crawl'],
		['GET /monitor?limit=5', 'crawlStatus'],
		[`GET /monitor/${id}/checks/${id}`, 'crawlStatus'],
		[`DELETE /monitor/${id}`, 'crawlStatus'],
		[`GET /crawl/${id}`, 'crawlStatus'],
		['GET /crawl/active', 'crawlStatus'],
		[`GET /batch/scrape/${id}?skip=10`, 'crawlStatus'],
		[`GET /batch/scrape/${id}/errors`, 'crawlStatus'],
		[`GET /scrape/${id}`, 'crawlStatus'],
		['POST /agent', 'agent'],
		[`GET /agent/${id}`, 'agentStatus'],
		[`GET /agent/${id}/trace`, 'agentStatus'],
		[`DELETE /agent/${id}`, 'agentStatus'],
		['POST /interact', 'browser'],
		['GET /interact', 'browserExecute'],
		[`POST /interact/${id}/execute`, 'browserExecute'],
		[`POST /scrape/${id}/interact`, 'browserExecute'],
		[`DELETE /scrape/${id}/interact`, 'browserExecute'],
		[`GET /interact/${id}/replay/0`, 'browserReplay'],
		['GET /search/research/papers', 'research'],
		['GET /search/developer', 'developer'],
		['GET /team/credit-usage', 'account'],
		[`POST /search/${id}/feedback`, 'account'],
		['POST /feedback', 'account'],
		['GET /anything-new', 'other'],
	])('%s is %s', (endpoint, bucket) => {
		expect(bucketOf(endpoint)).toBe(bucket);
	});
});
