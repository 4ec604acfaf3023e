import { addressKey, linkTarget } from './crawl/address.cjs';
import { promptOptions } from './crawl/prompt.cjs';
import { readRobots } from './crawl/robots.cjs';
import { placeOf, type ScopeOptions } from './crawl/scope.cjs';

describe('robots.txt', () => {
	const text = `# rules
User-agent: SlowBot
User-agent: ArchiveBot
Disallow: /archive # all of it
Allow: /archive/open

User-agent: *
Disallow: /
Allow: /public

Sitemap: https://a.example/one.xml
Sitemap: https://a.example/two.xml
`;
	test.each([
		['ArchiveBot/1.0', '/archive/closed', false],
		['ArchiveBot/1.0', '/archive/open/1', true],
		['slowbot', '/archive', false],
		['SlowBot', '/elsewhere', true],
		['OtherBot', '/elsewhere', false],
		['OtherBot', '/public/page', true],
	])('%s and %s: %s', (agent, path, allowed) => {
		expect(readRobots(text, agent).allows(path)).toBe(allowed);
	});

	test('names sitemaps; an empty file allows everything', () => {
		const sitemaps = ['https://a.example/one.xml', 'https://a.example/two.xml'];
		expect(readRobots(text, 'SlowBot').sitemaps).toEqual(sitemaps);
		expect(readRobots('', 'SlowBot').allows('/anything')).toBe(true);
		expect(readRobots('User-agent: *\nDisallow:\n', 'SlowBot').allows('/anything')).toBe(true);
	});
});

describe('addresses', () => {
	const similar = { ignoreQueryParameters: false, deduplicateSimilarURLs: true };
	const exact = { ...similar, deduplicateSimilarURLs: false };

	test.each([
		'http://a.example/x',
		'https://www.a.example/x/',
		'https://a.example/x/index.html#top',
	])('%s is similar to https://a.example/x, not equal', (url) => {
		const page = 'https://a.example/x';
		expect(addressKey(url, similar)).toBe(addressKey(page, similar));
		expect(addressKey(url, exact)).not.toBe(addressKey(page, exact));
	});

	test('links: fragments go, files and other schemes are none', () => {
		const base = 'https://a.example/folder/page';
		expect(linkTarget('../b?c=1#d', base)).toBe('https://a.example/b?c=1');
		expect(linkTarget('paper.pdf', base)).toBe('https://a.example/folder/paper.pdf');
		for (const href of ['photo.PNG', 'mailto:a@b.example', 'javascript:void 0', 'http://']) {
			expect([href, linkTarget(href, base)]).toEqual([href, undefined]);
		}
	});
});

describe('places', () => {
	const open: ScopeOptions = {
		includePaths: [],
		excludePaths: [],
		regexOnFullURL: false,
		crawlEntireDomain: false,
		allowSubdomains: false,
		allowExternalLinks: false,
	};
	const start = 'https://docs.a.example/guide';
	test.each([
		['https://docs.a.example/guide/1', {}, 'inside'],
		['https://www.docs.a.example/guide', {}, 'inside'],
		['https://docs.a.example/guidebook', {}, 'outside'],
		['https://docs.a.example/guidebook', { crawlEntireDomain: true }, 'inside'],
		['https://a.example/', { allowSubdomains: true }, 'inside'],
		['https://a.example/', { crawlEntireDomain: true }, 'outside'],
		['https://b.example/page', {}, 'outside'],
		['https://b.example/page', { allowSubdomains: true }, 'outside'],
		['https://b.example/page', { allowExternalLinks: true }, 'external'],
		['https://b.example/', { allowExternalLinks: true }, 'external homepage'],
		['https://docs.a.example/guide/1', { excludePaths: ['/\\d$'] }, 'outside'],
		['https://docs.a.example/guide/1', { includePaths: ['^/other'] }, 'outside'],
	] as const)('%s with %j is %s', (url, options, place) => {
		expect(placeOf(url, start, { ...open, ...options })).toBe(place);
	});
});

test.each([
	['Everything', {}],
	['Only the /docs/api section', { includePaths: ['^/docs/api(/.*)?$'] }],
	['Follow external links and subdomains', { allowExternalLinks: true, allowSubdomains: true }],
	['Ignore query parameters', { ignoreQueryParameters: true }],
	['The first 5 pages, depth 1', { limit: 5, maxDiscoveryDepth: 1 }],
])('the prompt "%s"', (prompt, options) => {
	expect(promptOptions(prompt)).toEqual(options);
});
