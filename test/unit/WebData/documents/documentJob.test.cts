import type { IDataObject } from 'n8n-workflow';
import { crawlKind } from '../../../../nodes/WebData/resources/crawl';
import { documentJob, jobOperations } from '../../../../nodes/WebData/documents/documentJob';
import {
	failedResults,
	nextPageLimit,
	readDocuments,
	readFailedPages,
	summaryOf,
	type FailedPage,
	type Span,
} from '../../../../nodes/WebData/documents/jobPages';
import { perform, recordedCall, settingsFor } from '../../calls.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const url = 'https://a.example/';
const next = (skip: number) => `https://elsewhere.example/v2/crawl/1?skip=${skip}`;
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
const missingList = new Error('Bad Gateway (HTTP 502)');

describe('the end of a job of documents', () => {
	const job = documentJob(crawlKind);
	/** What is known at the end: the start's answer and the last look with its one document. */
	const answer = (rest: IDataObject = {}): IDataObject => ({
		success: true,
		id,
		url: `https://api.example/v2/crawl/${id}`,
		status: 'completed',
		next: next(1),
		data: [{ markdown: 'a' }],
		...rest,
	});
	/** The items of a job whose documents, and then its failed pages, are answered so, and its notices. */
	async function ended(bodies: unknown[], state?: IDataObject, options: IDataObject = {}) {
		const call = { ...recordedCall(...bodies), settings: settingsFor({ options }) };
		const results = await job.finish(answer(state), call);
		return { items: results.map(({ json }) => json), notices: call.notices, sent: call.sent };
	}

	it('is one result per document, each with its job, and the first with its state', async () => {
		const own = page(['a'], { data: [{ markdown: 'a' }, { jobId: 7 }], total: 2 });
		const { items, notices } = await ended([own, noErrors]);
		const request = { status: 'completed', total: 2 };
		expect(items).toEqual([
			{ markdown: 'a', jobId: id, creditsUsed: 2, request },
			{ jobId: id, original: { jobId: 7 } },
		]);
		expect(notices).toEqual([]);
	});

	const someMissing = `2 of 3 pages of the crawl ${id} could not be scraped. 'Get Errors' lists them.`;
	const partial = `The result of the crawl ${id} is partial: it ended as failed`;
	const slow = { url, code: 'SCRAPE_TIMEOUT', error: 'Too slow. Try later.' };
	const denied = { url: 'https://b.example/', code: 'CRAWL_DENIAL', error: 'EXCLUDE_PATTERN' };
	const oneFailed = `1 of 2 pages of the crawl ${id} could not be scraped: ${url} (Too slow). `;

	it.each<[string, IDataObject, unknown, unknown[]]>([
		['some are missing', { total: 3 }, noErrors, [someMissing]],
		['it failed', { status: 'failed' }, noErrors, [partial]],
		['more came than were known', { total: 0 }, noErrors, []],
		['nobody counts', { total: undefined }, noErrors, []],
		[
			'the counts leave out those that failed',
			{},
			{ errors: [slow, denied], robotsBlocked: ['https://c.example/'] },
			[expect.stringContaining(oneFailed)],
		],
		[
			'the list of those that failed cannot be read',
			{},
			missingList,
			[
				`The list of pages that the crawl ${id} could not scrape is missing (Bad Gateway (HTTP 502)); use 'Get Errors'`,
			],
		],
	])('says so when %s', async (_name, rest, errors, expected) => {
		const state = { status: rest.status ?? 'completed' };
		const { items, notices } = await ended([page(['a'], rest), errors], state);
		expect(items).toHaveLength(1);
		expect(notices).toEqual(expected);
		const isMarked = errors !== noErrors && errors !== missingList;
		expect(Object(items[0].request).failedPages).toBe(isMarked ? 1 : undefined);
	});

	it.each<[IDataObject]>([
		[{ errors: [{ url, error: 'No such host' }] }],
		[{ errors: [], robotsBlocked: [url] }],
	])('that completed without its start page is an error: %j', async (errors) => {
		const words = `^1 of 1 page of the crawl ${id} could not be scraped: ${url} \\(`;
		await expect(ended([page([]), errors])).rejects.toMatchObject({
			message: expect.stringMatching(words),
			description: expect.not.stringContaining('24 hours'),
		});
	});

	describe('that counts documents which it does not list yet', () => {
		beforeEach(() => jest.useFakeTimers());
		afterEach(() => jest.useRealTimers());
		const late = { completed: 3, total: 3 };

		it('reads again', async () => {
			const end = ended([page(['a'], late), page(['b', 'c'], late), noErrors]);
			await jest.runAllTimersAsync();
			const { items, sent, notices } = await end;
			expect(items.map(({ markdown }) => markdown)).toEqual(['a', 'b', 'c']);
			expect(sent[1].query).toMatchObject({ skip: 1 });
			expect(notices).toEqual([]);
		});

		it.each<[string[], RegExp]>([
			[['a'], /^2 of 3 documents of the crawl .* are missing.*'Get' with the ID/],
			[[], /^3 of 3 documents of the crawl .* are missing/],
		])('says that they are missing, not that they failed, after %j', async (texts, words) => {
			const nothing = Array.from({ length: 3 }, () => page([], late));
			const end = ended([page(texts, late), ...nothing, noErrors]).then(
				({ notices }) => notices.join(' '),
				(error: Error) => error.message,
			);
			await jest.runAllTimersAsync();
			expect(await end).toMatch(words);
		});
	});

	const full = { code: 'QUEUE_FULL', message: 'No room' };

	it.each([
		[{ status: 'failed', error: 'No luck' }, /^No luck \(crawl 0b4e/],
		[{ status: 'cancelled' }, /^It ended as cancelled \(crawl 0b4e/],
		[{ status: 'failed', error: full }, /^No room \(QUEUE_FULL\) \(crawl 0b4e/],
	])('without a document is an error: %j', async (state, words) => {
		await expect(ended([page([], state)], state)).rejects.toThrow(words);
		const whole = ended([page([], state), noErrors], state, { output: 'raw' });
		await expect(whole).rejects.toThrow(words);
	});

	it.each<[unknown[], unknown]>([
		[[denied], expect.stringContaining(`${denied.url} (EXCLUDE_PATTERN)`)],
		[[], `The crawl ${id} completed without a page, for 2 credits.`],
	])('without a document is nothing where its options ruled out %j', async (errors, notice) => {
		expect(await ended([page([]), { errors }])).toMatchObject({ items: [], notices: [notice] });
		const whole = await ended([page([]), { errors }], {}, { output: 'raw' });
		expect(whole.items).toMatchObject([{ id, status: 'completed', data: [] }]);
	});

	it('of Get names the job in its errors', async () => {
		const [get] = jobOperations(crawlKind);
		const withoutPages = { success: true, status: 'completed' };
		const reading = perform(get, { jobId: id, returnAll: true }, withoutPages);
		await expect(reading).rejects.toThrow(`(crawl ${id})`);
	});
});

describe('reading the documents of a job', () => {
	/** Reads pages that are answered in turn: the texts of the documents, and what was asked. */
	async function read(bodies: unknown[], span: Span = {}) {
		const call = recordedCall(...bodies);
		const reading = await readDocuments(crawlKind, '1', span, call);
		return {
			...reading,
			texts: reading.documents.map(({ markdown }) => markdown),
			asked: call.sent.map(({ path, query }) => [path, query]),
		};
	}

	it('ends where no next page is named', async () => {
		const { texts, state, missing, asked } = await read([
			page(['a', 'b'], { total: 9, next: next(2) }),
			page(['c'], { total: 9, creditsUsed: 4 }),
		]);
		expect(texts).toEqual(['a', 'b', 'c']);
		expect(missing).toBeUndefined();
		expect(state).toEqual({ status: 'completed', total: 9, creditsUsed: 4 });
		expect(asked).toEqual([
			['/crawl/1', { limit: 10 }],
			['/crawl/1?skip=2', { limit: 1000 }],
		]);
	});

	it('asks for pages that are as long as the documents on the one before let them be', async () => {
		const { asked } = await read([
			page(['x'.repeat(400_000)], { next: next(1) }),
			// The service repeats the limit of the request.
			page(['x'.repeat(40_000)], { next: `${next(2)}&limit=5` }),
			// An empty page says nothing about the length of the documents.
			page([], { next: next(2) }),
			page(['a']),
		]);
		expect(asked).toEqual([
			['/crawl/1', { limit: 10 }],
			['/crawl/1?skip=1', { limit: 5 }],
			['/crawl/1?skip=2', { limit: 50 }],
			['/crawl/1?skip=2', { limit: 50 }],
		]);
	});

	it.each([
		// As many as make about two million characters.
		[10, 200_000, 10],
		[4, 20_000, 100],
		[1, 500_000, 4],
		// At least one, at most what the service allows.
		[3, 2_000_001, 1],
		[10, 500, 1000],
		[10, 0, 1000],
	])('asks after %i documents of %i characters for %i', (count, length, limit) => {
		const documents = Array.from({ length: count }, () => ({ markdown: 'x'.repeat(length) }));
		expect(nextPageLimit(documents)).toBe(limit);
	});

	it('counts texts wherever they are', () => {
		const text = 'x'.repeat(100_000);
		const metadata = { title: text, languages: [text], none: null };
		expect(nextPageLimit([{ links: [text, text], metadata }])).toBe(4);
	});

	it.each<[Span, IDataObject]>([
		[{ limit: 5 }, { limit: 5 }],
		[{ limit: 5000 }, { limit: 10 }],
		[{ skip: 0 }, { skip: 0, limit: 10 }],
		[
			{ skip: 3, limit: 2 },
			{ skip: 3, limit: 2 },
		],
	])('of the span %j asks for %j', async (span, query) => {
		expect((await read([page([])], span)).asked).toEqual([['/crawl/1', query]]);
	});

	it('asks for no page more than the limit needs, and gives no document more', async () => {
		const bodies = [page(['a', 'b'], { next: next(2) }), page(['c', 'd'], { next: next(4) })];
		const { texts, asked } = await read(bodies, { limit: 3 });
		expect(texts).toEqual(['a', 'b', 'c']);
		expect(asked.at(-1)).toEqual(['/crawl/1?skip=2', { limit: 1 }]);
	});

	it.each(['scraping', 'initializing', 'cancelled', 'failed', 'CANCELLED'])(
		'ends at an empty page of a job that is %s, which has a next page for ever',
		async (status) => {
			const pages = [['a'], ['b'], []].map((texts) => page(texts, { status, next: next(1) }));
			const { texts, missing } = await read(pages);
			expect([texts, missing]).toEqual([['a', 'b'], undefined]);
		},
	);

	it('passes over empty pages of a finished job, but not for ever', async () => {
		const empty = page([], { next: next(1) });
		const first = page(['a'], { next: next(1) });
		expect((await read([first, empty, empty, empty, page(['b'])])).texts).toEqual(['a', 'b']);
		const { missing } = await read([first, ...Array<IDataObject>(200).fill(empty)]);
		expect(missing).toMatch('The list of documents has no end');
	});

	it('ends a partial result where the service lists many more than the job has', async () => {
		const endless = Array.from({ length: 20 }, (_, place) =>
			page(Array<string>(100).fill('a'), { total: 9, next: next(place * 100 + 100) }),
		);
		const { texts, missing } = await read(endless);
		expect(texts).toHaveLength(200);
		expect(missing).toMatch(/The list of documents has no end.*'Skip' 200/);
	});

	it.each(['https://api.example/v1/crawl/1?skip=1', '', 7, {}])(
		'ends a partial result where the next page is %j',
		async (odd) => {
			const { missing } = await read([page(['a'], { next: odd })], { skip: 4 });
			expect(missing).toMatch(/not a URL of the API.*'Skip' 5/);
		},
	);

	it('leaves out what is no document', async () => {
		const odd = page([], { data: ['x', null, { markdown: 'a' }] });
		expect((await read([odd])).texts).toEqual(['a']);
	});

	it.each([
		['no list', page([], { data: 'none' })],
		['the state of a finished job alone', { success: true, status: 'completed' }],
		['nothing', {}],
	])('is an error where a page holds %s, for a shorter list would look whole', async (_, body) => {
		const message = 'The response lacks a list';
		await expect(read([body])).rejects.toThrow(message);
		expect((await read([page(['a'], { next: next(1) }), body])).missing).toMatch(message);
	});

	it.each(['failed', 'cancelled'])('ends where a job that %s has none', async (status) => {
		expect((await read([{ success: false, status }])).texts).toEqual([]);
	});

	it('says where to read on after a page that cannot be read, unless it is the first', async () => {
		const broken = new Error('Forbidden (HTTP 403)');
		await expect(read([broken])).rejects.toBe(broken);
		const { texts, missing, state } = await read([page(['a', 'b'], { next: next(2) }), broken]);
		expect(texts).toEqual(['a', 'b']);
		expect(missing).toBe("Forbidden (HTTP 403). 'Get' with 'Skip' 2 continues from there");
		expect(state).toMatchObject({ status: 'completed', total: 2 });
	});
});

describe('pages that could not be read', () => {
	const failed = { id: 'e1', url, code: 'SCRAPE_TIMEOUT', error: 'Too slow' };
	const results = async (body: unknown) => {
		const call = recordedCall(body);
		const pages = await readFailedPages(crawlKind, '1', call);
		expect(call.sent).toMatchObject([{ method: 'GET', path: '/crawl/1/errors' }]);
		return failedResults(pages).map(({ json }) => json);
	};

	const both = { errors: [failed], robotsBlocked: ['https://b.example/'] };

	it.each([[both], [{ data: both }]])('are one result each of %j', async (body) => {
		const error = "Disallowed by the site's robots.txt";
		const { id: errorId, code } = failed;
		expect(await results(body)).toEqual([
			{ url, failed: { type: 'error', id: errorId, code, error: failed.error } },
			{ url: 'https://b.example/', failed: { type: 'robots', error } },
		]);
	});

	const denied = 'CRAWL_DENIAL';
	const outside = `This URL's path ("/") does not match any of the regex patterns`;

	it.each<[object, object]>([
		[
			{ code: denied, error: 'Blocked by robots.txt' },
			{ code: denied, type: 'robots' },
		],
		[
			{ code: denied, error: outside },
			{ code: denied, error: outside, type: 'error' },
		],
		[
			{ code: denied, error: 'EXCLUDE_PATTERN' },
			{ code: denied, type: 'error' },
		],
		[{ error: { code: 'DNS', message: 'No such host' } }, { error: 'No such host (DNS)' }],
		[{ error: null }, { error: 'The server returned no reason' }],
	])('are told by their words: %j', async (error, expected) => {
		expect(await results({ errors: [{ url, ...error }] })).toMatchObject([{ failed: expected }]);
	});

	it('are listed once when robots.txt forbids them', async () => {
		const error = { url, code: denied, error: 'Blocked by robots.txt' };
		expect(await results({ errors: [error], robotsBlocked: [url] })).toHaveLength(1);
	});

	it.each([[noErrors], [{ errors: [] }], [{ data: { errors: [] } }]])(
		'are none in %j',
		async (body) => expect(await results(body)).toEqual([]),
	);

	it.each([[{}], [{ errors: null, robotsBlocked: 'none' }], [{ data: [] }]])(
		'are not known from %j',
		async (body) => {
			await expect(results(body)).rejects.toThrow('The response lacks a list of errors');
		},
	);

	it('are named in a notice up to three, each with the first sentence of its reason', () => {
		const told = (error: string): FailedPage => ({ url, failed: 'error', error, details: {} });
		const slow = told('Too slow. Possible causes: many.');
		expect(summaryOf([slow])).toBe(`${url} (Too slow)`);
		expect(summaryOf([told(`${'x'.repeat(400)}. More`)])).toBe(`${url} (${'x'.repeat(150)}…)`);
		expect(summaryOf([slow, slow, slow])).not.toContain('…');
		expect(summaryOf([slow, slow, slow, slow])).toMatch(/; …$/);
	});
});
