import { aboutResponse, noticesIn, splitData } from '../../../nodes/runtime/results';

const json = (body: Parameters<typeof splitData>[0]) =>
	splitData(body).map((result) => result.json);

describe('one result per entry', () => {
	it('of every array in data, also of ones not known today, each with source, position and response', () => {
		const body = {
			success: true,
			id: 'job-1',
			creditsUsed: 2,
			warning: null,
			data: {
				web: [{ url: 'a', position: 4 }, { url: 'b' }],
				research: [{ paperId: 'p1', title: 'P' }],
				tools: [{ id: 'x/y', creditsCost: 1 }],
				tomorrow: [{ any: 'thing' }],
			},
		};
		const response = { id: 'job-1', creditsUsed: 2, warning: null };
		expect(json(body)).toEqual([
			{ source: 'web', position: 4, url: 'a', response },
			{ source: 'web', position: 2, url: 'b', response },
			{ source: 'research', position: 1, paperId: 'p1', title: 'P', response },
			{ source: 'tools', position: 1, id: 'x/y', creditsCost: 1, response },
			{ source: 'tomorrow', position: 1, any: 'thing', response },
		]);
	});

	it('takes entries that are no records', () => {
		expect(json({ success: true, data: { links: ['https://a.example', null, 5] } })).toEqual([
			{ source: 'links', position: 1, value: 'https://a.example', response: {} },
			{ source: 'links', position: 2, value: null, response: {} },
			{ source: 'links', position: 3, value: 5, response: {} },
		]);
	});

	it.each([
		[{}],
		[{ data: null }],
		[{ data: {} }],
		[{ data: { web: null } }],
		[{ data: 'x' }],
		[{ data: { web: [] } }],
	])('makes none of %j', (body) => {
		expect(splitData(body)).toEqual([]);
	});
});

describe('what an answer says beside its data', () => {
	it('is everything but data and success', () => {
		expect(
			aboutResponse({
				success: true,
				data: {},
				id: 'x',
				scrapeIds: { web: [] },
				agent_hints: ['a'],
			}),
		).toEqual({
			id: 'x',
			scrapeIds: { web: [] },
			agent_hints: ['a'],
		});
	});

	it.each<[Parameters<typeof noticesIn>[0], string[]]>([
		[{}, []],
		[{ warning: null }, []],
		[{ warning: 'a' }, ['a']],
		[{ warnings: ['b', 'c'] }, ['b', 'c']],
		[{ warning: 'a', warnings: ['b', '', null, 5] }, ['a', 'b']],
		[{ warning: '', warnings: 'not a list' }, []],
	])('holds the notices of %j', (body, notices) => {
		expect(noticesIn(body)).toEqual(notices);
	});
});
