import { read, search } from '../../../../nodes/WebData/resources/paper';
import { perform, requestOf } from '../../calls.cjs';

it.each<[Record<string, unknown>, object]>([
	[
		{ from: '2026-01-01T00:00:00', to: '2026-01-01' },
		{ from: '2026-01-01', to: '2026-01-01' },
	],
	[{ authors: '', from: '', to: '' }, {}],
])('a search for papers with %j asks for %j', (additionalFields, sent) => {
	expect(requestOf(search, { query: 'tides', additionalFields })).toEqual({
		query: 'tides',
		...sent,
	});
});

it('a paper is read with a question, and its passages say which it is', async () => {
	const paper = { paperId: '1', title: 'T' };
	const body = { success: true, paperId: '1', query: 'q', paper };
	const passages = [{ text: 'a', score: 0.5 }];

	const { call, results } = await perform(
		read,
		{ id: '1', query: 'q', k: 2 },
		{ ...body, passages },
	);

	expect(call.sent).toMatchObject([
		{ path: '/search/research/papers/1', query: { query: 'q', k: 2 } },
	]);
	const request = { paperId: '1', query: 'q', paper };
	expect(results).toEqual([{ json: { text: 'a', score: 0.5, position: 1, request } }]);
});
