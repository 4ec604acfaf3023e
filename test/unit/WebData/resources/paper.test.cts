import { get, getSimilar, read, search } from '../../../../nodes/WebData/resources/paper';
import { perform, requestOf } from '../../calls.cjs';
import { refusalOf as refusal } from '../../schemaAssertions.cjs';

describe('a search for papers', () => {
	it.each<[Record<string, unknown>, object]>([
		[{}, { query: 'tides' }],
		[{ k: 500 }, { query: 'tides', k: 500 }],
		[
			{ additionalFields: { authors: 'Curie, Meitner', categories: ['cs.CL'] } },
			{ query: 'tides', authors: ['Curie', 'Meitner'], categories: ['cs.CL'] },
		],
		[
			{ additionalFields: { from: '2026-01-01T00:00:00', to: '2026-01-01' } },
			{ query: 'tides', from: '2026-01-01', to: '2026-01-01' },
		],
		[{ additionalFields: { authors: '', from: '', to: '' } }, { query: 'tides' }],
	])('%j asks for %j', (parameters, query) => {
		expect(requestOf(search, { query: 'tides', ...parameters })).toEqual(query);
	});

	it.each<[Record<string, unknown>, string]>([
		[{ query: '' }, `'Query' is required`],
		[{ additionalFields: { from: 'soon' } }, `'From' must be a date such as 2026-11-21`],
		[
			{ additionalFields: { from: '2026-02-01', to: '2026-01-31' } },
			`'To' must not be before 'From'`,
		],
	])('refuses %j', (parameters, words) => {
		expect(refusal(search, { query: 'tides', ...parameters })).toBe(words);
	});
});

describe('one paper', () => {
	it('is read with a question, and never with a number alone', async () => {
		expect(refusal(read, { id: '1', k: 4 })).toBe(`'Question' is required`);
		const paper = { paperId: '1', title: 'T' };
		const { call, results } = await perform(
			read,
			{ id: '1', query: 'q', k: 2 },
			{ success: true, paperId: '1', query: 'q', paper, passages: [{ text: 'a', score: 0.5 }] },
		);
		expect(call.sent).toMatchObject([
			{ path: '/search/research/papers/1', query: { query: 'q', k: 2 } },
		]);
		const request = { paperId: '1', query: 'q', paper };
		expect(results).toEqual([{ json: { text: 'a', score: 0.5, position: 1, request } }]);
	});

	it.each([get, read, getSimilar])('needs its id', (operation) => {
		expect(refusal(operation, { id: '', query: 'q', intent: 'i' })).toBe(`'Paper ID' is required`);
		expect(refusal(operation, { id: '..', query: 'q', intent: 'i' })).toContain(`'Paper ID'`);
		expect(refusal(operation, { id: 'x'.repeat(501), query: 'q', intent: 'i' })).toContain(
			`'Paper ID' must be at most 500 characters`,
		);
	});
});

describe('papers similar to one', () => {
	it.each<[Record<string, unknown>, string]>([
		[{ intent: '' }, `'Intent' is required`],
		[
			{ additionalFields: { mode: 'like' } },
			`'Mode' must be one of references, citers, similar, not like`,
		],
		[{ additionalFields: { rerank: 'maybe' } }, `'Rerank' must be true or false, not maybe`],
		[{ additionalFields: { anchor: ['a', ''] } }, `'Anchors > entry 2' is required`],
	])('refuse %j', (parameters, words) => {
		expect(refusal(getSimilar, { id: '1', intent: 'newer', ...parameters })).toBe(words);
	});
});
