import { form } from '../../../../nodes/runtime/form/form';
import {
	crawlOptionGroup,
	crawlOptionRules,
	patternNotice,
} from '../../../../nodes/WebData/fields/crawlOptions';
import { accepted, refusals } from '../../schemaAssertions.cjs';

const fullUrlAdvice = `Enable 'Regex on Full URL'.`;
const crawled = form(crawlOptionGroup, crawlOptionRules).schema;

describe('crawl options', () => {
	it.each<[Record<string, unknown>, Record<string, unknown>?]>([
		[{ maxDiscoveryDepth: 0 }],
		[{ delay: '60' }, { delay: 60 }],
		[{ sitemap: 'only' }],
		[{ prompt: 'x'.repeat(10_000) }],
		[{ allowSubdomains: 'false' }, { allowSubdomains: false }],
		[{ includePaths: '/a,/b\n/c' }, { includePaths: ['/a,/b', '/c'] }],
		[{ excludePaths: ['^/x$', '(?i)y'] }],
		[{ excludePaths: [] }],
		[{ includePaths: '', prompt: '' }, {}],
	])('%j', (given, sent = given) => {
		expect(accepted(crawled, given)).toEqual(sent);
	});

	it.each<[Record<string, unknown>, string]>([
		[{ maxDiscoveryDepth: 1.5 }, 'maxDiscoveryDepth must be a whole number of at least 0, not 1.5'],
		[{ delay: 0 }, 'delay must be more than 0 seconds'],
		[{ delay: 60.5 }, 'delay must be a number from 0 to 60 seconds, not 60.5'],
		[{ excludePaths: 7 }, 'excludePaths must be a list'],
		[
			{ includePaths: ['a'.repeat(2_001)] },
			'includePaths 0 must be at most 2,000 characters long, not 2,001',
		],
	])('refuse %j', (given, words) => {
		expect(refusals(crawled, given)).toEqual([words]);
	});
});

describe('a pattern for paths', () => {
	it.each([
		'.*add-to-cart=.*',
		'.*\\?sort.*',
		'https://a.example/x/.*',
		'^https?://a.example',
		'www.a.example/x',
	])('that is meant for more of a URL is noticed: %s', (pattern) => {
		for (const name of ['excludePaths', 'includePaths']) {
			const patterns = { [name]: ['/x', pattern] };
			expect(patternNotice(patterns, fullUrlAdvice)).toContain(pattern);
			expect(patternNotice(patterns, fullUrlAdvice)).toContain(`'Regex on Full URL'`);
			expect(patternNotice({ ...patterns, regexOnFullURL: true }, fullUrlAdvice)).toBeUndefined();
		}
	});

	it.each(['/blog/.*', '^/a?/b$', '/(?=x)y', '/http-status/.*', '.*\\.pdf'])(
		'that a path can match is not: %s',
		(pattern) => {
			expect(patternNotice({ excludePaths: [pattern] }, fullUrlAdvice)).toBeUndefined();
		},
	);
});
