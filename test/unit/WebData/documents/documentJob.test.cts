import type { IDataObject } from 'n8n-workflow';
import { documentJob, jobOperations } from '../../../../nodes/WebData/documents/documentJob';
import { perform, recordedCall, settingsFor } from '../../calls.cjs';
import { batchKind } from '../../../../nodes/WebData/documents/batch';
import { crawlKind } from '../../../../nodes/WebData/documents/crawl';

const job = documentJob(crawlKind);
const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

/** What is known at the end: the start's answer and the last look with its one document. */
const answer = (rest: IDataObject = {}): IDataObject => ({
	success: true,
	id,
	url: `https://api.example/v2/crawl/${id}`,
	status: 'completed',
	next: `https://api.example/v2/crawl/${id}?skip=1&limit=1`,
	data: [{ markdown: 'a' }],
	...rest,
});
const page = (texts: string[], rest: IDataObject = {}): IDataObject => ({
	success: true,
	status: 'completed',
	total: texts.length,
	creditsUsed: 2,
	data: texts.map((markdown) => ({ markdown })),
	...rest,
});

/** What the service lists where no page failed. */
const noErrors = { errors: [], robotsBlocked: [] };

describe('the end of a job of documents', () => {
	it('is one result per document, each with the job and its state', async () => {
		const call = recordedCall(page(['a', 'b']), noErrors);

		const results = await job.finish(answer(), call);

		const request = { status: 'completed', total: 2, creditsUsed: 2 };
		expect(results).toEqual([
			{ json: { markdown: 'a', jobId: id, request } },
			{ json: { markdown: 'b', jobId: id, request } },
		]);
		expect(call.notices).toEqual([]);
	});

	it('keeps what a document itself has under such names', async () => {
		const own = page([], { total: 1, data: [{ jobId: 7, request: 'x' }] });

		const [{ json }] = await job.finish(answer(), recordedCall(own));

		expect(json).toMatchObject({ jobId: id, original: { jobId: 7, request: 'x' } });
	});

	it('is one result with all documents as the whole response', async () => {
		const call = recordedCall(page(['a', 'b']), noErrors);

		const results = await job.finish(answer(), {
			...call,
			settings: settingsFor({ options: { output: 'raw' } }),
		});

		const url = `https://api.example/v2/crawl/${id}`;
		expect(results).toEqual([{ json: { ...page(['a', 'b']), id, url } }]);
	});

	const someMissing = `2 of 3 pages of the crawl ${id} could not be scraped. 'Get Errors' lists them.`;
	const partial = `The result of the crawl ${id} is partial: it ended as failed`;

	it.each<[string, IDataObject, string[]]>([
		['some are missing', { total: 3 }, [someMissing]],
		['it failed', { status: 'failed', total: 1 }, [partial]],
		['more came than were known', { total: 0 }, []],
		['nobody counts', { total: undefined }, []],
	])('says so when %s', async (_name, rest, notices) => {
		const call = recordedCall(page(['a'], rest), noErrors);

		await job.finish(answer({ status: rest.status ?? 'completed' }), call);

		expect(call.notices).toEqual(notices);
	});

	it('names the pages that failed though the counts leave them out, and marks what came', async () => {
		const errors = [
			{ url: 'https://a.example/', code: 'SCRAPE_TIMEOUT', error: 'Too slow. Try later.' },
			{ url: 'https://b.example/', code: 'CRAWL_DENIAL', error: 'EXCLUDE_PATTERN' },
		];
		const call = recordedCall(page(['a']), { errors, robotsBlocked: ['https://c.example/'] });

		const results = await job.finish(answer(), call);

		const notice = `1 of 2 pages of the crawl ${id} could not be scraped: https://a.example/ (Too slow). `;
		expect(call.notices).toEqual([expect.stringContaining(notice)]);
		expect(results).toMatchObject([{ json: { markdown: 'a', request: { failedPages: 1 } } }]);
	});

	it('keeps its pages when the list of those that failed cannot be read, and says so', async () => {
		const call = recordedCall(page(['a']), new Error('Bad Gateway (HTTP 502)'));

		expect(await job.finish(answer(), call)).toHaveLength(1);
		expect(call.notices).toEqual([
			`The list of pages that the crawl ${id} could not scrape is missing (Bad Gateway (HTTP 502)); use 'Get Errors'`,
		]);
	});

	it.each<[string, IDataObject]>([
		['failed', { errors: [{ url: 'https://a.example/', error: 'No such host' }] }],
		['is forbidden', { errors: [], robotsBlocked: ['https://a.example/'] }],
	])('that completed without a page is an error when its start page %s', async (_name, errors) => {
		const words = `^1 of 1 page of the crawl ${id} could not be scraped: https://a.example/ \\(`;
		await expect(job.finish(answer(), recordedCall(page([]), errors))).rejects.toMatchObject({
			message: expect.stringMatching(words),
			description: expect.not.stringContaining('24 hours'),
		});
	});

	it('adds what failed to a batch, and counts nothing then', async () => {
		const errors = { errors: [{ url: 'https://a.example/', error: 'Gone' }], robotsBlocked: [] };
		const call = recordedCall(page(['a'], { total: 2 }), errors);

		const results = await documentJob(batchKind).finish(answer({ invalidURLs: ['x'] }), call);

		expect(results.map(({ json }) => json.failed)).toEqual([
			undefined,
			expect.objectContaining({ type: 'invalid' }),
			expect.objectContaining({ type: 'error', error: 'Gone' }),
		]);
		expect(results.filter(({ json }) => 'error' in json)).toEqual([]);
		expect(call.notices).toEqual([]);
	});

	it('reads again the documents that the server counts and does not list yet', async () => {
		jest.useFakeTimers();
		const early = page(['a'], { completed: 3, total: 3 });
		const call = recordedCall(early, page(['b', 'c'], { completed: 3, total: 3 }), noErrors);

		const end = job.finish(answer(), call);
		await jest.runAllTimersAsync();
		jest.useRealTimers();

		expect((await end).map(({ json }) => json.markdown)).toEqual(['a', 'b', 'c']);
		expect(call.sent[1].query).toMatchObject({ skip: 1 });
		expect(call.notices).toEqual([]);
	});

	it.each<[string[], RegExp]>([
		[['a'], /^2 of 3 documents of the crawl .* are missing.*'Get' with the ID/],
		[[], /^3 of 3 documents of the crawl .* are missing/],
	])('says that they are missing, not that they failed, after %j', async (texts, words) => {
		jest.useFakeTimers();
		const late = { completed: 3, total: 3 };
		const nothing = Array.from({ length: 3 }, () => page([], late));
		const call = recordedCall(page(texts, late), ...nothing, noErrors);

		const end = job.finish(answer(), call).then(
			() => call.notices.join(' '),
			(error: Error) => error.message,
		);
		await jest.runAllTimersAsync();
		jest.useRealTimers();

		expect(await end).toMatch(words);
	});

	const full = { code: 'QUEUE_FULL', message: 'No room' };

	it.each([
		[{ status: 'failed', error: 'No luck' }, /^No luck \(crawl 0b4e/],
		[{ status: 'cancelled' }, /^It ended as cancelled \(crawl 0b4e/],
		[{ status: 'failed', error: full }, /^No room \(QUEUE_FULL\) \(crawl 0b4e/],
	])('without a document is an error: %j', async (state, words) => {
		const end = job.finish(answer(state), recordedCall(page([], state)));
		await expect(end).rejects.toThrow(words);
	});

	it('without a document is nothing when it completed and only its own options ruled pages out', async () => {
		const errors = [{ url: 'https://a.example/', code: 'CRAWL_DENIAL', error: 'EXCLUDE_PATTERN' }];
		const call = recordedCall(page([]), { errors });

		expect(await job.finish(answer(), call)).toEqual([]);
		expect(call.notices).toEqual([expect.stringContaining('https://a.example/ (EXCLUDE_PATTERN)')]);
		const nothing = recordedCall(page([]), noErrors);
		expect(await job.finish(answer(), nothing)).toEqual([]);
		expect(nothing.notices).toEqual([`The crawl ${id} completed without a page, for 2 credits.`]);
	});
});

describe('a job of documents that has not ended', () => {
	it('is its ID and what its start said', () => {
		expect(
			job.started(answer({ status: undefined, data: [], invalidURLs: ['x'] }), settingsFor({})),
		).toEqual({
			json: { jobId: id, request: { status: undefined, invalidURLs: ['x'] } },
		});
	});
});

it('Get of a job names it in its errors', async () => {
	const [get] = jobOperations(crawlKind);
	const withoutPages = { success: true, status: 'completed' };
	await expect(perform(get, { jobId: id, returnAll: true }, withoutPages)).rejects.toThrow(
		`(crawl ${id})`,
	);
});
