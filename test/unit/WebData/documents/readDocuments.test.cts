import type { IDataObject } from 'n8n-workflow';
import {
	nextPageLimit,
	readDocuments,
	type Span,
} from '../../../../nodes/WebData/documents/documentJob';
import { recordedCall } from '../../calls.cjs';
import { crawlKind } from '../../../../nodes/WebData/documents/crawl';

const next = (skip: number) => `https://elsewhere.example/v2/crawl/1?skip=${skip}`;
const page = (names: string[], rest: IDataObject = {}): IDataObject => ({
	success: true,
	status: 'completed',
	total: 9,
	data: names.map((name) => ({ name })),
	...rest,
});

/** Reads pages that are answered in turn: the names of the documents, and what was asked. */
async function read(bodies: unknown[], span: Span = {}) {
	const call = recordedCall(...bodies);
	const reading = await readDocuments(crawlKind, '1', span, call);
	return {
		...reading,
		names: reading.documents.map(({ name }) => name),
		asked: call.sent.map(({ path, query }) => [path, query]),
	};
}

describe('reading the documents of a job', () => {
	it('ends where no next page is named', async () => {
		const { names, state, missing, asked } = await read([
			page(['a', 'b'], { next: next(2) }),
			page(['c'], { next: next(3) }),
			page(['d'], { creditsUsed: 4 }),
		]);

		expect(names).toEqual(['a', 'b', 'c', 'd']);
		expect(missing).toBeUndefined();
		expect(state).toEqual({ status: 'completed', total: 9, creditsUsed: 4 });
		expect(asked).toEqual([
			['/crawl/1', { limit: 10 }],
			['/crawl/1?skip=2', { limit: 1000 }],
			['/crawl/1?skip=3', { limit: 1000 }],
		]);
	});

	it('ends a partial result where the service lists many more than the job has', async () => {
		const names = (from: number) => Array.from({ length: 100 }, (_, index) => `d${from + index}`);
		const endless = Array.from({ length: 20 }, (_, place) =>
			page(names(place * 100), { next: next(place * 100 + 100) }),
		);

		const partial = await read(endless);
		expect(partial.names).toHaveLength(200);
		expect(partial.missing).toMatch(/The list of documents has no end.*'Skip' 200/);
	});

	it.each(['cancelled', 'failed'])('ends so for a %s job of a newer server', async (status) => {
		const { names, asked } = await read([
			page(['a', 'b'], { status, next: next(2) }),
			page(['c'], { status }),
		]);

		expect(names).toEqual(['a', 'b', 'c']);
		expect(asked).toHaveLength(2);
	});

	it('asks for pages that are as long as the documents on the one before let them be', async () => {
		const of = (length: number) => ({ data: [{ markdown: 'x'.repeat(length) }] });
		const { asked } = await read([
			page([], { ...of(400_000), next: next(1) }),
			// The service repeats the limit of the request.
			page([], { ...of(40_000), next: `${next(2)}&limit=5` }),
			page([], { next: next(2) }),
			page(['a']),
		]);

		expect(asked).toEqual([
			['/crawl/1', { limit: 10 }],
			['/crawl/1?skip=1', { limit: 5 }],
			['/crawl/1?skip=2', { limit: 50 }],
			// An empty page says nothing about the length of the documents.
			['/crawl/1?skip=2', { limit: 50 }],
		]);
	});

	it.each<[Span, IDataObject]>([
		[{}, { limit: 10 }],
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

		const { names, asked } = await read(bodies, { limit: 3 });

		expect(names).toEqual(['a', 'b', 'c']);
		expect(asked).toEqual([
			['/crawl/1', { limit: 3 }],
			['/crawl/1?skip=2', { limit: 1 }],
		]);
	});

	describe('an empty page', () => {
		it.each(['scraping', 'initializing', 'cancelled', 'failed', 'CANCELLED'])(
			'is the end of a job that is %s, which has a next page for ever',
			async (status) => {
				const { names, missing } = await read([
					page(['a'], { status, next: next(1) }),
					page([], { status, next: next(1) }),
				]);

				expect([names, missing]).toEqual([['a'], undefined]);
			},
		);

		const [first, empty] = [['a'], []].map((names) => page(names, { next: next(1) }));

		it('is passed over when the job has finished', async () => {
			const { names } = await read([first, empty, empty, empty, page(['b'])]);

			expect(names).toEqual(['a', 'b']);
		});

		it('may not follow on others for ever', async () => {
			const empties = Array.from({ length: 200 }, () => empty);
			expect((await read([first, ...empties])).missing).toMatch('The list of documents has no end');
		});
	});

	it.each(['https://api.example/v1/crawl/1?skip=1', '', 7, {}])(
		'ends a partial result where the next page is %j',
		async (odd) => {
			expect((await read([page(['a'], { next: odd })], { skip: 4 })).missing).toMatch(
				/not a URL of the API.*'Skip' 5/,
			);
		},
	);

	it('leaves out what is no document', async () => {
		const odd = page([], { data: ['x', null, { name: 'a' }] });

		expect((await read([odd])).names).toEqual(['a']);
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
		expect((await read([{ success: false, status }])).names).toEqual([]);
	});

	describe('a page that cannot be read', () => {
		const broken = new Error('Forbidden (HTTP 403)');

		it('ends a partial result that says where to read on', async () => {
			const bodies = [page(['a', 'b'], { next: next(2) }), broken];
			const { names, missing, state } = await read(bodies);

			expect(names).toEqual(['a', 'b']);
			expect(missing).toBe("Forbidden (HTTP 403). 'Get' with 'Skip' 2 continues from there");
			expect(state).toMatchObject({ status: 'completed', total: 9 });
		});

		it('is an error when it is the first', async () => {
			await expect(read([broken])).rejects.toBe(broken);
		});
	});
});

const pageOf = (count: number, length: number) =>
	Array.from({ length: count }, () => ({ markdown: 'x'.repeat(length) }));

describe('the limit of the next page of documents', () => {
	it.each([
		// As many as make about two million characters.
		[10, 200_000, 10],
		[4, 20_000, 100],
		[1, 500_000, 4],
		// At least one, at most what the service allows.
		[3, 2_000_001, 1],
		[10, 500, 1000],
		[10, 0, 1000],
	])('is after %i documents of %i characters %i', (count, length, limit) => {
		expect(nextPageLimit(pageOf(count, length))).toBe(limit);
	});

	it('counts texts wherever they are', () => {
		const text = 'x'.repeat(100_000);
		const document = {
			links: [text, text],
			metadata: { title: text, languages: [text], none: null },
		};

		expect(nextPageLimit([document])).toBe(4);
	});
});
