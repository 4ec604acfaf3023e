import { questionOf } from '../../../../nodes/WebData/documents/document';

describe('the question that a request asks', () => {
	it.each<[string, unknown, string | undefined]>([
		['of a search', { query: 'berth prices', objective: 'Compare them' }, 'berth prices'],
		['without operators', { query: 'berth -hotel site:a.example "by night"' }, 'berth "by night"'],
		['of an agent', { prompt: 'Find the prices' }, 'Find the prices'],
		['of similar papers', { id: 'x', intent: 'newer' }, 'newer'],
		['of a map', { url: 'x', search: 'prices' }, 'prices'],
		[
			'of a format',
			{ url: 'x', formats: [{ type: 'markdown' }, { type: 'question', question: 'Since when?' }] },
			'Since when?',
		],
		[
			"of a format of a search's pages",
			{ query: ' ', scrapeOptions: { formats: [{ type: 'highlights', query: 'prices' }] } },
			'prices',
		],
		['of a request without one', { url: 'x', formats: [{ type: 'markdown' }] }, undefined],
		['of a list of calls', [{ query: 5 }], undefined],
		['of nothing', undefined, undefined],
	])('%s', (_name, request, question) => {
		expect(questionOf(request)).toBe(question);
	});
});
