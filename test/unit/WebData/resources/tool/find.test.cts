import { find } from '../../../../../nodes/WebData/resources/tool/find';
import { perform, requestOf } from '../../../calls.cjs';
import { refusalOf } from '../../../schemaAssertions.cjs';

type Parameters = Record<string, unknown>;

const call = (options: object) => ({ provider: 'firecrawl', capability: 'find-tools', options });
const request = (asked: object) => ({
	method: 'POST',
	path: '/scrape',
	body: { alexandria: [asked] },
	serviceTimeout: 50_000,
	retrySafety: 'free',
});
const entry = (name: string) => ({
	id: `tidewatch/${name}`,
	name,
	execute: { provider: 'tidewatch', capability: name },
});
const page = (names: string[], rest: object) => ({
	success: true,
	scrape_id: 'x1',
	data: {
		alexandria: [
			{ ...call({}), creditsCost: 0, data: { level: 'tools', items: names.map(entry), ...rest } },
		],
	},
});

describe('a look into the catalogue', () => {
	const also = (additionalFields: Parameters) => ({ additionalFields });
	const many = (length: number, entry = 'a.example') => Array.from({ length }, () => entry);

	it.each<[Parameters, object]>([
		[
			{ level: 'tools', limit: 50, query: '' },
			{ level: 'tools', limit: 50 },
		],
		[
			{ level: 'groups', returnAll: true, limit: 5, query: 'tides' },
			{ query: 'tides', level: 'groups', limit: 100 },
		],
		[{ limit: 1000 }, { limit: 100 }],
		[{ limit: 9, ...also({ urls: '', providers: '', expand: [] }) }, { limit: 9 }],
	])('%j asks for %j', async (parameters, options) => {
		const { call: made } = await perform(find, parameters, page([], { next: null, total: 0 }));
		expect(made.sent).toEqual([request(call(options))]);
	});

	it.each<[string, Parameters]>([
		[`'Level' must be one of categories, groups, providers, tools, not all`, { level: 'all' }],
		[`'Providers' must be a list of at most 50 entries, not 51`, also({ providers: many(51) })],
		[`The request must be at most 256 KB`, also({ groups: many(50, 'x'.repeat(6_000)) })],
		[`'URLs' must be a list of at most 100 entries, not 101`, also({ urls: many(101) })],
		[
			`'Details > entry 1' must be one of examples, options, response, not price`,
			also({ expand: ['price'] }),
		],
	])('refuses: %s', (words, parameters) => {
		expect(refusalOf(find, parameters)).toBe(words);
	});
});

describe('the pages of the catalogue', () => {
	const names = ({ results }: Awaited<ReturnType<typeof perform>>) =>
		results.map(({ json }) => json.name);

	it('are followed by the calls that the answers name', async () => {
		const after = (offset: number) =>
			call({ cursor: `after ${offset}`, level: 'tools', limit: 1, offset });
		const read = await perform(
			find,
			{ returnAll: true },
			page(['a'], { next: after(9), total: 3 }),
			page(['b'], { next: after(10), total: 3 }),
			page([], { next: null, total: 3 }),
		);
		expect(read.call.sent.slice(1)).toEqual([request(after(9)), request(after(10))]);
		expect(read.results.map(({ json }) => json.position)).toEqual([1, 2]);
	});

	it('are followed by offset where the answer names none', async () => {
		const pages = [page(['a', 'b'], { total: 3 }), page(['c'], { total: 3 })];
		const read = await perform(find, { returnAll: true, query: 'q' }, ...pages);
		expect(read.call.sent[1]).toEqual(request(call({ query: 'q', limit: 100, offset: 2 })));
		expect(names(read)).toEqual(['a', 'b', 'c']);
	});

	it('end with an empty one', async () => {
		const rest = { next: call({ offset: 2 }), total: 9 };
		const read = await perform(find, { returnAll: true }, page(['a'], rest), page([], rest));
		expect(names(read)).toEqual(['a']);
	});

	it.each([
		{ provider: 'firecrawl', capability: 'terms/accept', options: { confirmed: true } },
		{ provider: 'tidewatch', capability: 'find-tools' },
		'https://elsewhere.example/next',
	])('are never %j', async (next) => {
		const work = perform(find, { returnAll: true }, page(['a'], { next, total: 9 }));
		await expect(work).rejects.toThrow('returned an invalid next page [item 0]');
	});

	it('are an error when the call fails inside the answer', async () => {
		const error = { code: 'bad_options', message: 'Unknown level' };
		const work = perform(find, { limit: 1 }, { success: true, data: { alexandria: [{ error }] } });
		await expect(work).rejects.toThrow(
			'The catalogue cannot be fetched: Unknown level (bad_options) [item 0]',
		);
	});
});

it('is asked for without Return All, which is no part of it', () => {
	expect(requestOf(find, { returnAll: true, limit: 3, query: 'q' })).toEqual({ query: 'q' });
});
