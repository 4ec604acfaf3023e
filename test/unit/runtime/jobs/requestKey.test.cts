import { canonicalJson, requestKey } from '../../../../nodes/runtime/jobs/requestKey';
import { asRequest } from '../../requests.cjs';

const keyOf = (body: object, account = 'one', path = '/crawl') =>
	requestKey(account, asRequest({ method: 'POST', path, body }));

describe('the key of a request', () => {
	const body = { url: 'https://a.example/', limit: 3, scrapeOptions: { formats: ['a', 'b'] } };
	const key = keyOf(body);

	it.each<[string, object]>([
		['in another order', { scrapeOptions: { formats: ['a', 'b'] }, limit: 3, url: body.url }],
		['with what is left out', { ...body, delay: undefined }],
		['with a webhook', { ...body, webhook: { url: 'https://n8n.example/' } }],
		['of another asker', { ...body, origin: 'n8n', integration: '_n8n' }],
	])('is the same %s', (_, other) => expect(keyOf(other)).toBe(key));

	it.each<[string, object]>([
		['a list in another order', { ...body, scrapeOptions: { formats: ['b', 'a'] } }],
		['a number as text', { ...body, limit: '3' }],
		['a member more', { ...body, delay: 0 }],
		['a member that is null', { ...body, delay: null }],
		['a member elsewhere', { ...body, scrapeOptions: { formats: ['a', 'b'], limit: 3 } }],
		['a webhook that is no part of the top', { ...body, scrapeOptions: { webhook: 'a' } }],
	])('is another with %s', (_, other) => expect(keyOf(other)).not.toBe(key));

	it('is another for another account and another endpoint', () => {
		expect(keyOf(body, 'another')).not.toBe(key);
		expect(keyOf(body, 'one', '/agent')).not.toBe(key);
	});

	it('is short, and shows nothing of the request', () => expect(key).toMatch(/^[\w-]{22}$/));
});

describe('JSON in one form', () => {
	it.each<[unknown, string]>([
		[{ b: 1, a: [{ d: null, c: 'x' }] }, '{"a":[{"c":"x","d":null}],"b":1}'],
		[new Date(0), '"1970-01-01T00:00:00.000Z"'],
		[undefined, ''],
		[[undefined], '[null]'],
	])('%p', (value, text) => expect(canonicalJson(value)).toBe(text));
});
