import { kindOf, search } from '../../../../../nodes/WebData/resources/developer/search';
import { perform, requestOf } from '../../../calls.cjs';
import { refusalOf } from '../../../schemaAssertions.cjs';

const sent = (additionalFields: Record<string, unknown>) =>
	requestOf(search, { query: 'retry', additionalFields });

const refusal = (additionalFields: Record<string, unknown>) =>
	refusalOf(search, { query: 'retry', additionalFields });

describe('a search of developer sources', () => {
	it.each<[Record<string, unknown>, object?]>([
		[{}],
		[{ types: [] }, {}],
		[{ types: ['doc', 'pull_request'] }],
		[{ repos: 'n8n-io/n8n, axios/axios ' }, { repos: ['n8n-io/n8n', 'axios/axios'] }],
		[{ repos: ['a/b'], types: ['issue', 'doc'] }],
		[{ sources: ['x'], types: ['doc'] }],
		[{ topic: 'a, b' }, { topic: ['a', 'b'] }],
	])('with %j asks for %j', (...given) => {
		const [additionalFields, members = additionalFields] = given;
		expect(sent(additionalFields)).toEqual({ query: 'retry', ...members });
	});

	it.each<[Record<string, unknown>, string]>([
		[
			{ types: ['wiki'] },
			`'Types > entry 1' must be one of doc, issue, pull_request, readme, not wiki`,
		],
		[{ repos: 'n8n' }, `'Repositories > entry 1' must be owner/name, such as n8n-io/n8n, not n8n`],
		[
			{ repos: 'https://github.com/a/b' },
			`'Repositories > entry 1' must be owner/name, such as n8n-io/n8n, not https://github.com/a/b`,
		],
		[
			{ repos: 'a/b', types: ['doc'] },
			`'Repositories' requires a type other than Documentation in 'Types'`,
		],
		[{ sources: 'x', types: ['issue'] }, `'Sources' requires Documentation in 'Types'`],
		[
			{ sources: ['x'.repeat(513)] },
			`'Sources > entry 1' must be at most 512 characters long, not 513`,
		],
		[{ fork: 'maybe' }, `'Fork' must be true or false, not maybe`],
		[{ min_stars: 5, max_stars: 4 }, `'Max Stars' must not be less than 'Min Stars'`],
		[{ skills: 'all' }, `'Skills' must be one of only, not all`],
	])('refuses %j', (additionalFields, words) => {
		expect(refusal(additionalFields)).toBe(words);
	});

	it('makes an item of each result, with its kind, which the id may tell', async () => {
		const results = [{ id: 'issue:a/b#7' }, { id: 'x', type: 'doc' }, { id: 'gov:1' }];
		const answer = { success: true, results };
		const { results: items } = await perform(search, { query: 'retry' }, answer);
		expect(items.map(({ json }) => [json.id, json.kind, json.position])).toEqual([
			['issue:a/b#7', 'issue', 1],
			['x', 'doc', 2],
			['gov:1', undefined, 3],
		]);
	});

	it.each<[unknown, string | undefined]>([
		['issue:a/b#7', 'issue'],
		['pull_request:a/b#7', 'pull_request'],
		['readme:a/b', 'readme'],
		['doc:https://a.example', 'doc'],
		['issues', undefined],
		['', undefined],
		[undefined, undefined],
		[7, undefined],
	])('reads the kind of %j as %s', (id, kind) => {
		expect(kindOf(id)).toBe(kind);
	});
});
