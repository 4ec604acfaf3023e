import { objectSchema, stringSchema } from '../../../../nodes/runtime/form/schema';
import { composeQuery, withQueryOperators } from '../../../../nodes/WebData/fields/queryOperators';
import { accepted, refusals } from '../../schemaAssertions.cjs';

const schema = withQueryOperators(
	objectSchema({ query: stringSchema({ max: 500 }), other: stringSchema().optional() }),
);

/** The request that the schema makes of a query and the editor's operators. */
const composed = (query: unknown, queryOperators: unknown) =>
	accepted(schema, { query, queryOperators });

describe('the query and its operators', () => {
	it.each<[Record<string, unknown>, string]>([
		[{ exactPhrase: 'rate limit exceeded' }, 'tides "rate limit exceeded"'],
		[{ exactPhrase: '"rate limit"' }, 'tides "rate limit"'],
		[{ exclude: 'jobs, pricing' }, 'tides -jobs -pricing'],
		[{ exclude: ['jobs', 'price list'] }, 'tides -jobs -"price list"'],
		[{ exclude: 'job offers' }, 'tides -"job offers"'],
		[{ exclude: 'site:example.com, filetype:pdf' }, 'tides -site:example.com -filetype:pdf'],
		[{ site: 'docs.example.com' }, 'tides site:docs.example.com'],
		[{ filetype: 'pdf' }, 'tides filetype:pdf'],
		[{ inurl: 'blog' }, 'tides inurl:blog'],
		[{ inurl: 2026 }, 'tides inurl:2026'],
		[{ allinurl: 'docs install' }, 'tides allinurl:docs install'],
		[{ intitle: 'changelog' }, 'tides intitle:changelog'],
		[{ allintitle: 'annual report' }, 'tides allintitle:annual report'],
		[{ related: 'example.com' }, 'tides related:example.com'],
		[{ imagesize: '1920x1080' }, 'tides imagesize:1920x1080'],
		[{ larger: '800x600' }, 'tides larger:800x600'],
		[{ site: ' example.com ', exclude: ' , ' }, 'tides site:example.com'],
		[{ site: '', filetype: 'pdf', exclude: null }, 'tides filetype:pdf'],
	])('%j', (operators, query) => {
		expect(composed('tides', operators)).toEqual({ query });
	});

	it('puts the operators that take the rest of the line last', () => {
		const given = { allintitle: 'annual report', larger: '1x1', site: 'a.example', exclude: ['x'] };
		expect(composeQuery('tides', given)).toBe(
			'tides -x site:a.example larger:1x1 allintitle:annual report',
		);
	});

	it.each([[undefined], [null], [{}], [{ site: '', exclude: '' }]])(
		'leaves the query as it is with %j',
		(operators) => {
			expect(composed(' tides  and moon ', operators)).toEqual({ query: ' tides  and moon ' });
			expect(composed(5, operators)).toEqual({ query: '5' });
		},
	);

	it.each([[''], [undefined], [null]])('works without words of its own: %j', (query) => {
		expect(composed(query, { site: 'example.com' })).toEqual({ query: 'site:example.com' });
	});

	it('leaves the rest of the request alone', () => {
		expect(accepted(schema, { query: 'a', queryOperators: { site: 'b' }, other: 'c' })).toEqual({
			query: 'a site:b',
			other: 'c',
		});
	});
});

describe('operators that are refused', () => {
	it.each<[unknown, string[]]>([
		[{ site: { a: 1 } }, ['queryOperators site must be text, not object']],
		[{ intitle: ['a', 'b'] }, ['queryOperators intitle must be text, not a list']],
		[{ exclude: [['a']] }, ['queryOperators exclude 0 must be text, not a list']],
		[{ exclude: { a: 1 } }, ['queryOperators exclude must be a list']],
		[{ site: '  ' }, ['queryOperators site must not be blank']],
		['site:example.com', ['queryOperators must be an object']],
	])('%j', (operators, words) => {
		expect(refusals(schema, { query: 'tides', queryOperators: operators })).toEqual(words);
	});

	it('an operator that nobody knows', () => {
		const [issue] =
			schema.safeParse({ query: 'tides', queryOperators: { sight: 'x' } }).error?.issues ?? [];
		expect(issue).toMatchObject({
			code: 'unrecognized_keys',
			keys: ['sight'],
			path: ['queryOperators'],
		});
	});

	it('leaves a query that is no text to its own schema', () => {
		expect(refusals(schema, { query: ['a'], queryOperators: { site: 'b' } })).toEqual([
			'query must be text, not a list',
		]);
	});
});
