import {
	failedResults,
	summarize,
	readFailedPages,
	type FailedPage,
} from '../../../../nodes/WebData/documents/documentJob';
import { recordedCall } from '../../calls.cjs';
import { crawlKind } from '../../../../nodes/WebData/documents/crawl';

const failed = { id: 'e1', url: 'https://a.example/', code: 'SCRAPE_TIMEOUT', error: 'Too slow' };

describe('pages that could not be read', () => {
	const results = async (body: unknown) => {
		const pages = await readFailedPages(crawlKind, '1', recordedCall(body));
		return failedResults(pages, 'j1').map(({ json }) => json);
	};

	it.each([
		['at the top', { errors: [failed], robotsBlocked: ['https://b.example/'] }],
		['in data', { data: { errors: [failed], robotsBlocked: ['https://b.example/'] } }],
	])('are one result each: %s', async (_name, body) => {
		const call = recordedCall(body);

		await readFailedPages(crawlKind, '1', call);

		expect(call.sent).toMatchObject([
			{ method: 'GET', path: '/crawl/1/errors', retrySafety: 'free' },
		]);
		const error = "Disallowed by the site's robots.txt";
		expect(await results(body)).toEqual([
			{
				url: failed.url,
				jobId: 'j1',
				failed: { type: 'error', id: 'e1', code: failed.code, error: failed.error },
			},
			{
				url: 'https://b.example/',
				jobId: 'j1',
				failed: { type: 'robots', error },
			},
		]);
	});

	it.each([
		["This URL is blocked by the website's robots.txt file, which …", 'robots'],
		[`This URL's path ("/") does not match any of the regex patterns`, 'error'],
		['EXCLUDE_PATTERN', 'error'],
	])('that the service denies are told by its words: %s', async (error, told) => {
		const denied = { url: 'https://a.example/', code: 'CRAWL_DENIAL', error };

		expect(await results({ errors: [denied] })).toMatchObject([
			{ url: denied.url, failed: { code: denied.code, error, type: told } },
		]);
	});

	it('are listed once when robots.txt forbids them', async () => {
		const url = 'https://a.example/';
		const denied = { url, code: 'CRAWL_DENIAL', error: 'Blocked by robots.txt' };

		expect(await results({ errors: [denied], robotsBlocked: [url] })).toHaveLength(1);
	});

	it('keep their words when the error is an object', async () => {
		const error = { code: 'DNS', message: 'No such host' };

		expect(await results({ errors: [{ url: 'https://a.example/', error }] })).toMatchObject([
			{ failed: { error: 'No such host (DNS)' } },
		]);
	});

	it.each([[{ errors: [], robotsBlocked: [] }], [{ errors: [] }], [{ data: { errors: [] } }]])(
		'are none in %j',
		async (body) => {
			expect(await results(body)).toEqual([]);
		},
	);

	it.each([[{}], [{ errors: null, robotsBlocked: 'none' }], [{ data: [] }]])(
		'are not known from %j',
		async (body) => {
			await expect(results(body)).rejects.toThrow('The response lacks a list of errors');
		},
	);
});

describe('failed pages in a notice', () => {
	const page = (url: string, how: FailedPage['failed'] = 'error'): FailedPage => ({
		url,
		failed: how,
		error: `${url} is gone`,
		details: { url },
	});
	it('are named up to three, each with the first sentence of its reason', () => {
		const long = { ...page('https://l.example/'), error: `${'x'.repeat(400)}. More` };
		const told = { ...page('https://t.example/'), error: 'Too slow. Possible causes: many.' };

		expect(summarize([told])).toBe('https://t.example/ (Too slow)');
		expect(summarize([long])).toBe(`https://l.example/ (${'x'.repeat(150)}…)`);
		expect(summarize([told, told, told])).not.toContain('…');
		expect(summarize([told, told, told, told])).toMatch(/; …$/);
	});
});
