import { retrySafetyOf } from '../../../../nodes/runtime/http/client';
import { crawlStart } from '../../../../nodes/WebData/documents/crawl';
import { crawl, crawlRequest, usableOptions } from '../../../../nodes/WebData/resources/crawl';
import { operationOf, requestOf } from '../../calls.cjs';
import { accepted } from '../../schemaAssertions.cjs';

const url = 'https://a.example/';
const start = (rest: object, isHosted: boolean) =>
	crawlStart(accepted(crawlRequest.schema, { url, ...rest }), isHosted);

describe("a crawl's start", () => {
	it.each([
		[{}, 100],
		[{ limit: '' }, 100],
		[{ limit: 3 }, 3],
		[{ limit: '3' }, 3],
	])('of %j always has a limit', (rest, limit) => {
		expect(start(rest, true).body).toEqual({ url, limit });
	});

	const keyOf = (headers?: Record<string, string>) => headers?.['x-idempotency-key'];

	it('has a key of its own making for the hosted service, and another for each repeat that needs one', () => {
		const { headers, freshHeaders, retrySafety, body } = start({}, true);

		expect(retrySafety).toBe('idempotencyKey');
		expect(keyOf(headers)).toMatch(/^[0-9a-f-]{36}$/);
		expect(keyOf(freshHeaders?.())).not.toBe(keyOf(headers));
		expect(keyOf(start({}, true).headers)).not.toBe(keyOf(headers));
		expect(body).not.toHaveProperty('idempotencyKey');
	});

	it('has no key for another server, which then knows no repeat', () => {
		const request = start({}, false);
		const { headers, freshHeaders } = request;

		expect([headers, freshHeaders]).toEqual([undefined, undefined]);
		expect(retrySafetyOf(request)).toBe('mayStartTwice');
	});
});

describe("a preview's request", () => {
	it.each([
		['a.example/docs', 'http://a.example/docs'],
		[' a.example:8080/docs ', 'http://a.example:8080/docs'],
		['https://a.example/docs', 'https://a.example/docs'],
	])('has the scheme of %s, without which the service refuses it', (given, sent) => {
		const request = requestOf(operationOf(crawl, 'previewParams'), { url: given, prompt: 'blog' });
		expect(request).toEqual({ url: sent, prompt: 'blog' });
	});
});

describe('previewed options of a crawl', () => {
	const off = { maxDiscoveryDepth: 0, allowSubdomains: false };

	it.each<[string, object, object]>([
		['what a crawl takes', { limit: 5, sitemap: 'skip' }, { limit: 5, sitemap: 'skip' }],
		['no depth of version 1', { maxDepth: 3, maxDiscoveryDepth: 2 }, { maxDiscoveryDepth: 2 }],
		['nothing unknown', { tomorrow: true }, {}],
		['nothing unset', { prompt: '', includePaths: null, limit: undefined }, {}],
		['zeros and switches that are off', off, off],
		['no delay of nothing', { delay: 0 }, {}],
		['no delay that is no number', { delay: 'soon' }, {}],
		['a delay that can be seconds', { delay: 60 }, { delay: 60 }],
		['a delay of milliseconds in seconds', { delay: 1500 }, { delay: 1.5 }],
		['a longer delay than a crawl takes as the longest', { delay: 90_000 }, { delay: 60 }],
	])('have %s', (_name, given, usable) => {
		const options = usableOptions({ url, ...given });

		expect(options).toEqual({ url, ...usable });
		expect(accepted(crawlRequest.schema, options)).toEqual(options);
	});
});
