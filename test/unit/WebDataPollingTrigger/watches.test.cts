import * as fc from 'fast-check';
import { comparePage } from '../../../nodes/WebDataPollingTrigger/pageChange';
import { properties } from '../../../nodes/WebDataPollingTrigger/properties';
import { resultKey } from '../../../nodes/WebDataPollingTrigger/searchWatch';
import { comparedUrl } from '../../../nodes/WebData/fields/url';
import { propertySeed } from '../../seededRandom.cjs';

it('n8n lists what can be watched as the actions of the node', () => {
	// The labels by which n8n chooses the field whose options it lists.
	const labels = ['event', 'events', 'trigger on'];
	const listed = properties.find(({ displayName }) => labels.includes(displayName.toLowerCase()));

	expect(properties[0]).toBe(listed);
	expect(listed?.options?.map((option) => 'action' in option && option.action)).toEqual([
		'On monitor checks',
		'On changed pages or prices',
		'On new papers',
		'On new search results',
		'On new pages of a website',
	]);
});

it('a watched page of which the server returned nothing has failed', () => {
	const before = { is: 'up', mark: 'm', content: { markdown: 'Bread' } };
	const reason = 'The server returned nothing for this URL';

	expect(
		comparePage(before, undefined, { compare: 'text', ignoreLines: [], minChange: 0 }),
	).toEqual({
		next: { ...before, is: 'failed' },
		isExisting: false,
		item: { change: 'failed', reason, current: null, previous: before.content },
	});
});

describe('the canonical form of a URL', () => {
	const x = 'https://a.example/x';
	const origin = 'utm_source=mail&UTM_Campaign=3&gclid=a&srsltid=b&_gl=d&mc_eid=c';

	it.each<[string, string, string]>([
		['the scheme', 'http://a.example/x', x],
		['www', 'https://www.a.example/x', x],
		['the case of the host', 'https://A.Example/x', x],
		['a closing slash', `${x}/`, x],
		['a place in the page', `${x}#part-2`, x],
		['the start of an app', 'https://a.example/#/', 'https://a.example'],
		['the order of parameters', `${x}?b=2&a=1`, `${x}?a=1&b=2`],
		['the case of encoded characters', `${x}/%c3%a4?q=%e4`, `${x}/%C3%A4?q=%E4`],
		['where the visitor came from', `${x}?${origin}&id=7`, `${x}?id=7`],
		['space around what is no address', ' not an address ', 'not an address'],
	])('omits %s', (_name, one, other) => {
		expect(comparedUrl(one)).toBe(comparedUrl(other));
	});

	it('omits the ignored parameters', () => {
		expect(comparedUrl(`${x}?sid=1&id=7`, ['s*'])).toBe('a.example/x?id=7');
		expect(comparedUrl(`${x}?sid=1`)).not.toBe(comparedUrl(`${x}?sid=2`));
	});

	it.each<[string, string, string]>([
		['the path', x, 'https://a.example/y'],
		['the host', x, 'https://b.example/x'],
		['another port', x, 'https://a.example:8443/x'],
		['a parameter', `${x}?page=1`, `${x}?page=2`],
		['the order of one parameter', `${x}?a=1&a=2`, `${x}?a=2&a=1`],
		['a sign in a value', `${x}?a=1%26b=2`, `${x}?a=1&b=2`],
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

describe('the key of a result', () => {
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

	it('is all its fields but place, score and request if it has no other', () => {
		const answer = (text: string, position: number, id: string) =>
			resultKey({ text, source: 'answers', position, score: position / 10, request: { id } });
		expect(answer('a', 1, 'one')).toBe(answer('a', 2, 'two'));
		expect(answer('b', 1, 'one')).not.toBe(answer('a', 1, 'one'));
	});
});
