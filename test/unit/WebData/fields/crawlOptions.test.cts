import { form } from '../../../../nodes/runtime/form/form';
import { crawlOptionGroup, crawlOptions } from '../../../../nodes/WebData/fields/crawlOptions';
import { accepted, refusals } from '../../schemaAssertions.cjs';

const monitored = crawlOptions.valueSchema;
const crawled = form(crawlOptionGroup).schema;

describe('crawl options', () => {
	it.each<[Record<string, unknown>, Record<string, unknown>?]>([
		[{ limit: 1 }],
		[{ limit: '20' }, { limit: 20 }],
		[{ maxDiscoveryDepth: 0 }],
		[{ maxConcurrency: 1 }],
		[{ delay: 0.5 }],
		[{ delay: '60' }, { delay: 60 }],
		[{ sitemap: 'only' }],
		[{ prompt: 'x'.repeat(10_000) }],
		[{ allowSubdomains: 'false' }, { allowSubdomains: false }],
		[{ includePaths: '/a,/b\n/c' }, { includePaths: ['/a,/b', '/c'] }],
		[{ excludePaths: ['^/x$'] }],
		[{ excludePaths: [] }],
		[{ includePaths: '', robotsUserAgent: '' }, {}],
	])('%j', (given, sent = given) => {
		expect(accepted(monitored, given)).toEqual(sent);
	});

	it.each<[Record<string, unknown>, string]>([
		[{ maxDiscoveryDepth: 1.5 }, 'maxDiscoveryDepth must be a whole number of at least 0, not 1.5'],
		[{ delay: 0 }, 'delay must be more than 0 seconds'],
		[{ delay: 60.5 }, 'delay must be a number from 0 to 60 seconds, not 60.5'],
		[{ includePaths: '[' }, 'includePaths 0 must be a regular expression, not ['],
		[{ excludePaths: ['a', '(?<'] }, 'excludePaths 1 must be a regular expression, not (?<'],
		[{ excludePaths: 7 }, 'excludePaths must be a list'],
	])('refuse %j', (given, words) => {
		expect(refusals(monitored, given)).toEqual([words]);
	});

	it.each<[string]>([
		['/(?=a)'],
		['/(?!a)'],
		['/(?<=a)b'],
		['/(?<!a)b'],
		['(/a)\\1'],
		['(?<x>a)\\k<x>'],
	])('refuse the pattern %s, which the service cannot run', (pattern) => {
		for (const name of ['includePaths', 'excludePaths']) {
			expect(refusals(crawled, { [name]: ['/x', pattern] })).toEqual([
				`${name} 1 must not have lookahead, lookbehind or backreferences, which the server does not support, not ${pattern}`,
			]);
		}
	});

	it.each(['*.pdf', '**/blog', '/blog/**', '*/draft'])(
		'refuse %j as the glob that it is',
		(pattern) => {
			expect(refusals(monitored, { includePaths: [pattern] })).toEqual([
				`includePaths 0 must be a regular expression such as .*\\.pdf, not the glob ${pattern}`,
			]);
		},
	);

	it.each([
		['/[(?=]a'],
		['/\\(?=a'],
		['(?:a)'],
		['(?<year>\\d{4})'],
		['\\\\1'],
		['[\\1]'],
		['a'.repeat(2_000)],
	])('take the pattern %s', (pattern) => {
		expect(accepted(monitored, { includePaths: [pattern] })).toEqual({
			includePaths: [pattern],
		});
	});

	it('take no pattern of more than 2,000 characters', () => {
		expect(refusals(monitored, { includePaths: ['a'.repeat(2_001)] })).toEqual([
			'includePaths 0 must be at most 2,000 characters long, not 2,001',
		]);
	});

	it("take flags at a pattern's beginning in a monitor, where alone the service does", () => {
		for (const pattern of ['(?i)abc', '(?im-s)abc']) {
			expect(accepted(monitored, { includePaths: [pattern] })).toEqual({
				includePaths: [pattern],
			});
			expect(refusals(crawled, { includePaths: [pattern] })).toEqual([
				`includePaths 0 must be a regular expression, not ${pattern}`,
			]);
		}
		expect(refusals(monitored, { includePaths: ['(?i)['] })).toEqual([
			'includePaths 0 must be a regular expression, not (?i)[',
		]);
	});

	it('know no others', () => {
		expect(monitored.safeParse({ maxDepth: 2 }).success).toBe(false);
	});
});
