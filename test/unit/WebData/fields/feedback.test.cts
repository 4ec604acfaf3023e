import type { Operation } from '../../../../nodes/runtime/operation/operation';
import { feedback as onFile } from '../../../../nodes/WebData/resources/file/feedback';
import { feedback as onMap } from '../../../../nodes/WebData/resources/map/feedback';
import { feedback as onPage } from '../../../../nodes/WebData/resources/page/feedback';
import { feedback as onSearch } from '../../../../nodes/WebData/resources/search/feedback';
import { perform, requestOf } from '../../calls.cjs';
import { refusalOf } from '../../schemaAssertions.cjs';

const jobId = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

type Parameters = Record<string, unknown>;

const refusal = (operation: Operation, parameters: Parameters) =>
	refusalOf(operation, { jobId, ...parameters });

const sources = { values: [{ url: 'https://a.example/x', reason: '' }] };
const topics = { values: [{ topic: 'Tides', description: 'of the Baltic' }] };

describe('feedback on a search', () => {
	it.each<[Parameters, object]>([
		[
			{ rating: 'good', valuableSources: sources, missingContent: {}, querySuggestions: '' },
			{ rating: 'good', valuableSources: [{ url: 'https://a.example/x' }] },
		],
		[
			{ rating: 'partial', missingContent: topics },
			{ rating: 'partial', missingContent: [{ topic: 'Tides', description: 'of the Baltic' }] },
		],
		[
			{ rating: 'bad', querySuggestions: 'shorter' },
			{ rating: 'bad', querySuggestions: 'shorter' },
		],
		[
			{
				rating: 'bad',
				additionalFields: { requestJson: '{"missingContent": [{"topic": "Tides"}]}' },
			},
			{ rating: 'bad', missingContent: [{ topic: 'Tides' }] },
		],
	])('%j sends %j', async (parameters, body) => {
		const { call, results } = await perform(
			onSearch,
			{ jobId, ...parameters },
			{ success: true, feedbackId: 'f', creditsRefunded: 1, warning: 'Cap is near' },
		);
		expect(call.sent).toEqual([
			{ method: 'POST', path: `/search/${jobId}/feedback`, body, retrySafety: 'free' },
		]);
		expect(results).toEqual([
			{ json: { feedbackId: 'f', creditsRefunded: 1, warning: 'Cap is near', jobId } },
		]);
		expect(call.notices).toEqual(['Cap is near']);
	});

	it.each<[string, Parameters]>([
		[
			`'Rating' requires 'Valuable Sources' if good`,
			{ rating: 'good', missingContent: topics, querySuggestions: 'x' },
		],
		[
			`'Rating' requires 'Valuable Sources' or 'Missing Content' if partial`,
			{ rating: 'partial', querySuggestions: 'x' },
		],
		[
			`'Rating' requires 'Missing Content' or 'Query Suggestions' if bad`,
			{ rating: 'bad', valuableSources: sources },
		],
		[`'Rating' requires 'Valuable Sources' if good`, { rating: 'good', valuableSources: [] }],
		[expect.stringContaining(`'Rating' is required`), {}],
		[
			`'Valuable Sources > entry 1 > URL' is required`,
			{ rating: 'good', valuableSources: { values: [{ url: '', reason: 'x' }] } },
		],
		[
			`'Valuable Sources > entry 1 > URL' must be at most 2,048 characters long`,
			{ rating: 'good', valuableSources: [{ url: `https://a.example/${'x'.repeat(2_048)}` }] },
		],
		[
			`'Valuable Sources' must be a list of at most 50 entries, not 51`,
			{ rating: 'good', valuableSources: Array(51).fill({ url: 'https://a.example' }) },
		],
		[
			`'Missing Content' must be a list of at most 20 entries, not 21`,
			{ rating: 'bad', missingContent: Array(21).fill({ topic: 'x' }) },
		],
		[expect.stringContaining(`'Job ID'`), { rating: 'good', valuableSources: sources, jobId: 'x' }],
	])('refuses: %s', (words, parameters) => {
		const message = refusal(onSearch, parameters);
		expect(message).toEqual(words);
	});
});

describe('addresses of feedback have their scheme, without which the service refuses them', () => {
	const valuableSources = { values: [{ url: 'a.example/x' }] };
	const completed = [{ url: 'http://a.example/x' }];

	it.each([onSearch, onPage, onMap, onFile])('%#', (operation) => {
		expect(requestOf(operation, { jobId, rating: 'good', valuableSources })).toEqual(
			expect.objectContaining({ valuableSources: completed }),
		);
	});
});

describe('feedback on another job', () => {
	it.each<[string, Parameters]>([
		[expect.stringContaining('The request requires more than a rating'), {}],
		[expect.stringContaining('The request requires more than a rating'), { tags: 'a' }],
		[expect.stringContaining('The request requires more than a rating'), { metadata: '{"a": 1}' }],
		[
			expect.stringContaining(`'Issues > entry 1' must be a code of lowercase`),
			{ issues: 'No Table' },
		],
		[`'Tags > entry 1' must be at most 80 characters long, not 81`, { tags: 'x'.repeat(81) }],
		[`'Page Numbers > entry 1' must be a whole number of at least 1, not 0`, { pageNumbers: '0' }],
		[
			`'Metadata' must be at most 8 KB`,
			{ url: 'https://a.example', metadata: { text: 'é'.repeat(4_096) } },
		],
	])('refuses: %s', (words, additionalFields) => {
		expect(refusal(onPage, { rating: 'bad', additionalFields })).toEqual(words);
	});

	it.each<[Parameters, string]>([
		[
			{ missingContent: { values: Array(51).fill({ topic: 'x' }) } },
			`'Missing Content' must be a list of at most 50 entries, not 51`,
		],
		[
			{ missingContent: { values: [{ topic: '', description: '' }] } },
			`'Missing Content > entry 1 > Topic' is required`,
		],
		[
			{ valuableSources: { values: [{ url: '', reason: '' }] } },
			`'Valuable Sources > entry 1 > URL' is required`,
		],
	])('refuses the list %j', (lists, words) => {
		expect(refusal(onPage, { rating: 'bad', ...lists })).toEqual(words);
	});
});
