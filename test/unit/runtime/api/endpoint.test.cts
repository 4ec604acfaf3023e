import { missingAdvice, type Endpoint } from '../../../../nodes/runtime/api/endpoint';
import { textOf } from '../../../../nodes/runtime/api/sentence';
import { serviceError } from '../../../../nodes/runtime/api/errors';
import type { RetrySafety } from '../../../../nodes/runtime/api/retry';
import { getTeamActivity } from '../../../../nodes/runtime/api/teamEndpoints';
import { monitorEndpoints } from '../../../../nodes/WebData/resources/monitor';
import { mapSite } from '../../../../nodes/WebData/fields/sharedEndpoints';
import { errorSource } from '../../schemaAssertions.cjs';

describe('an endpoint that a server lacks', () => {
	it.each<[string, Parameters<typeof missingAdvice>[0], string | undefined]>([
		[
			'an age',
			{ since: 'May 2026' },
			'Supported by the hosted service, and servers of May 2026 or later.',
		],
		[
			'the hosted service alone',
			{ since: 'hosted', instead: 'Use b.' },
			'Only the hosted service supports it. Use b.',
		],
		['no age', { instead: 'Use c.' }, 'Supported by the hosted service. Use c.'],
		['nothing', {}, undefined],
		['no endpoint', undefined, undefined],
	])('is told with the servers that have it: %s', (_, availability, words) => {
		const advice = missingAdvice(availability);
		expect(advice && textOf(advice)).toBe(words);
	});

	const since = 'August 2026';
	const feedback: Endpoint = {
		method: 'POST',
		path: '/feedback',
		bucket: 'account',
		retrySafety: 'free',
		since,
		instead: 'Remove this step.',
	};
	const scrape: Endpoint = {
		method: 'GET',
		path: '/scrape/{id}',
		bucket: 'crawlStatus',
		instead: `Use 'Scrape' with the URL.`,
		keepsNone: 'scrapes',
	};

	const descriptionOf = (
		endpoint: Endpoint,
		status: number,
		body: unknown,
		retrySafety: RetrySafety = 'free',
	) => {
		const attempts = { attemptCount: 1, elapsed: 0, retrySafety };
		const answer = { status, headers: {}, body };
		return serviceError({ response: answer }, attempts, errorSource({ endpoint })).description;
	};
	const page = (path: string) => `<title>Error</title><pre>Cannot POST ${path}</pre>`;
	const logged = { success: false, code: 'UNKNOWN_ERROR', error: 'Check your logs. ID: 1' };
	const noDatabase = { success: false, feedbackErrorCode: 'DB_DISABLED', error: 'no' };
	const unknownJob = { success: false, error: 'Job not found.' };
	const noBrowser = { success: false, error: 'Browser feature is not configured' };
	const isMissing = /^This server does not have this feature.*August 2026/;

	it.each<[string, Endpoint, number, unknown, RegExp]>([
		[
			'a page',
			monitorEndpoints.create,
			404,
			page('/v2/monitor'),
			/^Supported by the hosted.*May 2026.*Schedule.*'Base/,
		],
		['a page, of any other', mapSite, 404, page('/v2/map'), /newer version.*'Base URL'/],
		['503 without a database', feedback, 503, noDatabase, isMissing],
		['503 without a database', feedback, 503, noDatabase, /Remove/],
		['503 without a browser', { ...feedback, path: '/interact' }, 503, noBrowser, isMissing],
		[
			'500 without a database',
			monitorEndpoints.create,
			500,
			logged,
			/without a database.*May 2026.*logs/,
		],
		[
			'500 of a list',
			getTeamActivity,
			500,
			{ error: 'failed' },
			/without a database.*'Get Active'/,
		],
		[
			'a scrape that is not found',
			scrape,
			404,
			unknownJob,
			/24 hours.*without a database.*'Scrape'/,
		],
		[
			'500 of what needs none',
			mapSite,
			500,
			logged,
			/^The server failed and returned only an error ID/,
		],
	])('is known by %s', (_, endpoint, status, body, words) => {
		expect(descriptionOf(endpoint, status, body)).toMatch(words);
	});

	it('is told of a start that may run all the same, where nothing else is advised', () => {
		const told = (body: unknown) =>
			descriptionOf(monitorEndpoints.create, 500, body, 'mayStartTwice');
		expect(told(logged)).toMatch(/^A self-hosted server without a database.*It may have been/);
		expect(told({ success: false, error: 'failed' })).toMatch(/^It may have been processed/);
	});

	it.each([
		[503, { success: false, error: 'Service Unavailable' }],
		[500, { success: false, error: 'failed' }],
		[404, { success: false, error: 'Monitor not found' }],
	])('is not concluded from %i %j', (status, body) => {
		expect(descriptionOf(monitorEndpoints.create, status, body)).not.toMatch(
			/does not have|May 2026/,
		);
	});
});
