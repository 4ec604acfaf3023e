import { sources } from '../../../../nodes/WebData/fields/sources';
import { accepted, refusals } from '../../schemaAssertions.cjs';

describe('sources', () => {
	it.each<[string, unknown, unknown]>([
		['one as an entry of a group', { values: [{ type: 'web', options: {} }] }, ['web']],
		[
			'all four',
			{ values: ['web', 'images', 'news', 'alexandria'].map((type) => ({ type })) },
			['web', 'images', 'news', 'alexandria'],
		],
		['words, as the editor stores them', ['web', 'news'], ['web', 'news']],
		['none', [], undefined],
		['text', 'web, news', ['web', 'news']],
		['objects', [{ type: 'news' }], ['news']],
		[
			'values of its own, and then objects all through',
			['news', { type: 'web', tbs: 'qdr:w', location: 'Berlin,Germany' }],
			[{ type: 'news' }, { type: 'web', tbs: 'qdr:w', location: 'Berlin,Germany' }],
		],
		[
			'country, language and filter, which JSON alone gives',
			[{ type: 'web', country: 'DE', lang: 'de', filter: '0' }],
			[{ type: 'web', country: 'DE', lang: 'de', filter: '0' }],
		],
		[
			"the editor's time filter",
			{
				values: [
					{ type: 'web', options: { tbs: { range: 'qdr:d', sortByDate: true }, location: '' } },
				],
			},
			[{ type: 'web', tbs: 'sbd:1,qdr:d' }],
		],
		[
			'blank values of its own',
			{ values: [{ type: 'web', options: { tbs: {}, location: '' } }] },
			['web'],
		],
		[
			'a time filter that asks for nothing',
			{ values: [{ type: 'web', options: { tbs: { sortByDate: false } } }] },
			['web'],
		],
	])('%s', (_, given, sent) => {
		expect(accepted(sources.valueSchema, given)).toEqual(sent);
	});

	it('refuse what a source does not take', () => {
		for (const type of ['images', 'news', 'alexandria']) {
			expect(sources.valueSchema.safeParse([{ type, tbs: 'qdr:w' }]).success).toBe(false);
			for (const member of ['location', 'country', 'lang', 'filter']) {
				expect(sources.valueSchema.safeParse([{ type, [member]: 'DE' }]).success).toBe(false);
			}
		}
		expect(sources.valueSchema.safeParse([{ type: 'web', safe: true }]).success).toBe(false);
		expect(refusals(sources.valueSchema, ['video'])).toEqual([
			'0 type must be one of images, news, alexandria, web, not video',
		]);
		expect(refusals(sources.valueSchema, [{ type: 'web', tbs: 'soon' }])).toEqual([
			expect.stringMatching(/^0 tbs has 'soon'/),
		]);
	});
});
