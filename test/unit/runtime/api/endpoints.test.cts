import { missingAdvice, needsDatabase } from '../../../../nodes/runtime/api/endpoints';
import { serviceError } from '../../../../nodes/runtime/api/errors';
import type { RetrySafety } from '../../../../nodes/runtime/api/retry';
import { errorSource } from '../../schemaAssertions.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

describe('an endpoint that a server lacks', () => {
	it.each([
		['GET /search/research/papers', /^Only the hosted service has it\. Use 'Query'.*Research/],
		['POST /search/developer', /^Only the hosted service has it\..*'Include Domains'/],
		['POST /search/gov', /^Only the hosted service has it\./],
		['POST /parse', /servers of April 2026 and later\. For a file on the web/],
		['POST /parse/upload-url', /servers of August 2026 and later\. Set 'Upload'/],
		['GET /parse/formats', /servers of October 2026 and later\./],
		[`POST /scrape/${id}/interact`, /April 2026.*'Actions'/],
		['POST /interact', /August 2026.*'Actions'/],
		[`GET /interact/${id}/replay`, /August 2026/],
		['DELETE /interact/profiles/shop', /October 2026/],
		['POST /agent', /April 2026.*format JSON/],
		[`GET /agent/${id}`, /April 2026/],
		['GET /agent', /October 2026.*'Start'/],
		[`GET /agent/threads/${id}`, /October 2026/],
		[`GET /agent/${id}/trace`, /August 2026/],
		[`GET /batch/scrape/${id}/errors`, /April 2026/],
		['POST /monitor', /May 2026.*Schedule Trigger/],
		[`POST /search/${id}/feedback`, /May 2026/],
		['POST /feedback', /August 2026/],
		['GET /team/credit-usage/historical', /April 2026.*'Get Credit Usage'/],
		['GET /team/queue-status', /^The hosted service has it, and so have servers of April 2026/],
		['GET /team/activity', /April 2026/],
		['GET /team/credit-usage', /^Only the hosted/],
	])('is told with the age of the servers that have it: %s', (endpoint, words) => {
		expect(missingAdvice(endpoint)).toMatch(words);
	});

	it.each([
		'POST /search',
		'POST /scrape',
		'POST /batch/scrape',
		`GET /batch/scrape/${id}`,
		'POST /crawl',
		`GET /crawl/${id}/errors`,
		'GET /crawl/active',
		'POST /crawl/params-preview',
		'POST /map',
	])('is none of those that every server has: %s', (endpoint) => {
		expect(missingAdvice(endpoint)).toBeUndefined();
		expect(needsDatabase(endpoint)).toBe(false);
	});

	const descriptionOf = (
		endpoint: string,
		status: number,
		body: unknown,
		retrySafety: RetrySafety = 'safe',
	) => {
		const attempts = { tries: 1, elapsed: 0, retrySafety };
		const answer = { status, headers: {}, body };
		return serviceError({ response: answer }, attempts, errorSource({ endpoint })).description;
	};
	const page = (path: string) => `<title>Error</title><pre>Cannot POST ${path}</pre>`;
	const logged = { success: false, code: 'UNKNOWN_ERROR', error: 'Check your logs. ID: 1' };
	const noDatabase = { success: false, feedbackErrorCode: 'DB_DISABLED', error: 'no' };
	const unknownJob = { success: false, error: 'Job not found.' };
	const noBrowser = { success: false, error: 'Browser feature is not configured' };
	const isMissing = /^This server does not have this feature.*August 2026/;

	it.each<[string, string, number, unknown, RegExp]>([
		['a page', 'POST /monitor', 404, page('/v2/monitor'), /^The hosted.*May 2026.*Schedule.*'Base/],
		['a page, of any other', 'POST /map', 404, page('/v2/map'), /newer version.*'Base URL'/],
		['501', 'GET /agent', 501, { success: false, error: 'no' }, /does not have.*October 2026/],
		['503 without a database', 'POST /feedback', 503, noDatabase, isMissing],
		['503 without a database', 'POST /feedback', 503, noDatabase, /Remove/],
		['503 without a browser', 'POST /interact', 503, noBrowser, isMissing],
		['500 without a database', 'POST /monitor', 500, logged, /without a database.*May 2026.*logs/],
		[
			'500 of a list',
			'GET /team/activity',
			500,
			{ error: 'failed' },
			/without a database.*'Get Active'/,
		],
		[
			'a scrape that is not found',
			'GET /scrape/1',
			404,
			unknownJob,
			/24 hours.*without a database.*'Scrape'/,
		],
		['500 of what needs none', 'POST /map', 500, logged, /^The service failed and tells no reason/],
	])('is known by %s', (_, endpoint, status, body, words) => {
		expect(descriptionOf(endpoint, status, body)).toMatch(words);
	});

	it('is told of a start that may run all the same, where nothing else is advised', () => {
		const told = (body: unknown) => descriptionOf('POST /monitor', 500, body, 'mayStartTwice');
		expect(told(logged)).toMatch(/^A self-hosted server without a database.*It may have been/);
		expect(told({ success: false, error: 'failed' })).toMatch(/^It may have been carried out/);
	});

	it.each([
		[503, { success: false, error: 'Service Unavailable' }],
		[500, { success: false, error: 'failed' }],
		[404, { success: false, error: 'Monitor not found' }],
	])('is not concluded from %i %j', (status, body) => {
		expect(descriptionOf('POST /monitor', status, body)).not.toMatch(/does not have|May 2026/);
	});
});
