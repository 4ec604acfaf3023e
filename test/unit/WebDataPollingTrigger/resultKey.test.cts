import * as fc from 'fast-check';
import { comparedUrl, resultKey } from '../../../nodes/WebDataPollingTrigger/searchWatch';
import { propertySeed } from '../../seededRandom.cjs';

describe('The canonical form of a URL', () => {
	it.each<[string, string, string]>([
		['the scheme', 'http://a.example/x', 'https://a.example/x'],
		['www', 'https://www.a.example/x', 'https://a.example/x'],
		['the case of the host', 'https://A.Example/x', 'https://a.example/x'],
		['a closing slash', 'https://a.example/x/', 'https://a.example/x'],
		['a place in the page', 'https://a.example/x#part-2', 'https://a.example/x'],
		['the order of parameters', 'https://a.example/x?b=2&a=1', 'https://a.example/x?a=1&b=2'],
		[
			'where the visitor came from',
			'https://a.example/x?utm_source=mail&UTM_Campaign=3&gclid=a&srsltid=b&_gl=d&mc_eid=c&id=7',
			'https://a.example/x?id=7',
		],
		['space around what is no address', ' not an address ', 'not an address'],
	])('omits %s', (_name, one, other) => {
		expect(comparedUrl(one)).toBe(comparedUrl(other));
	});

	it('omits the ignored parameters', () => {
		const [one, other] = ['https://a.example/x?sid=1&id=7', 'https://a.example/x?sid=2&id=7'];

		expect(comparedUrl(one, ['s*'])).toBe('a.example/x?id=7');
		expect(comparedUrl(one, ['s*'])).toBe(comparedUrl(other, ['s*']));
		expect(comparedUrl(one)).not.toBe(comparedUrl(other));
	});

	it.each<[string, string, string]>([
		['the path', 'https://a.example/x', 'https://a.example/y'],
		['the host', 'https://a.example/x', 'https://b.example/x'],
		['another port', 'https://a.example:8443/x', 'https://a.example/x'],
		['a parameter', 'https://a.example/x?page=1', 'https://a.example/x?page=2'],
		['the order of one parameter', 'https://a.example/?a=1&a=2', 'https://a.example/?a=2&a=1'],
		['a sign in a value', 'https://a.example/?a=1%26b=2', 'https://a.example/?a=1&b=2'],
		['a route in the fragment', 'https://a.example/#/x', 'https://a.example/#/y'],
		['an old route in the fragment', 'https://a.example/#!/x', 'https://a.example/#!/y'],
	])('keeps %s', (_name, one, other) => {
		expect(comparedUrl(one)).not.toBe(comparedUrl(other));
	});

	it('is its own canonical form', () => {
		fc.assert(
			fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
				const once = comparedUrl(url);
				expect(comparedUrl(`https://${once}`)).toBe(once);
			}),
			{ seed: propertySeed },
		);
	});
});

describe('The key of a result', () => {
	const pictured = { url: 'https://a.example/x', imageUrl: 'https://a.example/1.png' };

	it.each<[string, object, string]>([
		['a paper', { paperId: '7', url: 'https://a.example', source: 'research' }, 'paper 7'],
		['a page', { url: 'https://www.a.example/x/', source: 'web' }, 'a.example/x'],
		['news with a picture', { ...pictured, source: 'news' }, 'a.example/x'],
		['an image', { ...pictured, source: 'images' }, 'a.example/1.png'],
		['an image without file', { url: 'https://a.example/x', source: 'images' }, 'a.example/x'],
		['a tool', { provider: 'p', capability: 'c', source: 'tools' }, 'tool p/c'],
	])('is right for %s', (_name, result, key) => {
		expect(resultKey({ ...result })).toBe(key);
	});

	it('is all its fields if it has no other', () => {
		const result = (position: number, id: string) => ({
			text: 'a',
			source: 'answers',
			position,
			score: position / 10,
			request: { id },
		});
		expect(resultKey(result(1, 'one'))).toBe(resultKey(result(2, 'two')));
		expect(resultKey({ ...result(1, 'one'), text: 'b' })).not.toBe(resultKey(result(1, 'one')));
	});
});
