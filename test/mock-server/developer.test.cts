import { Firecrawl } from '@mendable/firecrawl-js';

import { request, type Answered } from './request.cjs';
import { startService, type Service } from './service.cjs';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.close());
beforeEach(() => service.reset());

interface Found {
	results: Array<{
		id: string;
		type: string;
		url: string;
		title: string;
		passages: Array<{ text: string; citation_url: string }>;
		license?: { state: string; spdx_id: string | null };
	}>;
	coverage: Record<string, string>;
	reranked: boolean;
	repos?: unknown[];
	sources?: unknown[];
}
const post = (body: object, key?: string | null): Promise<Answered<Found>> =>
	request<Found>(service, 'POST', '/v2/search/developer', { query: 'the', k: 100, ...body }, key);
const get = (query: string): Promise<Answered<Found>> =>
	request<Found>(service, 'GET', `/v2/search/developer?${query}`);
const ids = async (body: object): Promise<string[]> => {
	const { status, body: answer, text } = await post(body);
	if (status !== 200) throw new Error(text);
	return answer.results.map(({ id }) => id);
};
const repoOf = (id: string) => {
	const repository = service.context.developer.repository(
		id.replace(/^\w+:/, '').replace(/#\d+$/, ''),
	);
	if (!repository) throw new Error(`No repository of ${id}`);
	return repository;
};

test('the index holds forty records of all four kinds, in repositories that it knows', async () => {
	const { records } = service.context.developer;
	expect(records.length).toBeGreaterThanOrEqual(40);
	expect(new Set(records.map(({ type }) => type))).toEqual(
		new Set(['doc', 'issue', 'pull_request', 'readme']),
	);
	expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
	for (const { id, type } of records) if (type !== 'doc') expect(repoOf(id)).toBeDefined();
	expect((await ids({})).length).toBe(records.length);
});

describe('search', () => {
	test('finds what the words are about; ten by default', async () => {
		const { body } = await request<Found>(service, 'POST', '/v2/search/developer', {
			query: 'Retry-After date parsed as GMT',
		});
		expect(
			body.results
				.map(({ id }) => id)
				.slice(0, 2)
				.sort(),
		).toEqual(['issue:harborline/fetchpool#204', 'pull_request:harborline/fetchpool#207']);
		expect(
			(await request<Found>(service, 'POST', '/v2/search/developer', { query: 'the' })).body
				.results,
		).toHaveLength(10);
		expect(await ids({ query: 'retry', k: 3 })).toHaveLength(3);
	});

	test('passages: one by default, the most fitting first', async () => {
		const query = 'what cap and how many tries against a retry storm';
		const one = (await post({ query, k: 1 })).body.results[0];
		expect([one.id, one.passages]).toEqual([
			'issue:harborline/fetchpool#219',
			[{ text: expect.stringContaining('cap of thirty seconds') as string, citation_url: one.url }],
		]);
		expect((await post({ query, k: 1, passages: 5 })).body.results[0].passages).toHaveLength(2);
	});

	test('a result discloses its licence', async () => {
		const of = async (repo: string) => (await post({ repos: [repo] })).body.results[0].license;
		expect(await of('relayworks/relay')).toEqual({ state: 'licensed', spdx_id: 'Apache-2.0' });
		expect(await of('quayside/schema-fill')).toEqual({ state: 'known_absent', spdx_id: null });
	});
});

describe('filters', () => {
	test.each([['doc'], ['issue'], ['pull_request'], ['readme']])(
		'types: %s, and the others are skipped',
		async (type) => {
			const { body } = await post({ types: [type] });
			expect(body.results.length).toBeGreaterThan(0);
			expect(new Set(body.results.map((each) => each.type))).toEqual(new Set([type]));
			for (const { id } of body.results) expect(id.startsWith(`${type}:`)).toBe(true);
			expect(Object.entries(body.coverage).filter(([, state]) => state === 'ok')).toEqual([
				[type, 'ok'],
			]);
		},
	);

	test.each<[string, object, (repo: ReturnType<typeof repoOf>) => boolean]>([
		['repos', { repos: ['Relayworks/Relay'] }, ({ repo }) => repo === 'relayworks/relay'],
		['language', { language: 'typescript' }, ({ language }) => language === 'TypeScript'],
		['license', { license: 'mit' }, ({ license }) => license === 'MIT'],
		[
			'topic, all of them',
			{ topic: ['llm', 'scraping'] },
			({ topics }) => topics.includes('llm') && topics.includes('scraping'),
		],
		['one topic as text', { topic: 'tides' }, ({ topics }) => topics.includes('tides')],
		['min_stars', { min_stars: 5000 }, ({ stars }) => stars >= 5000],
		['max_stars', { max_stars: 150 }, ({ stars }) => stars <= 150],
		['archived', { archived: true }, ({ archived }) => archived],
		['not archived', { archived: false }, ({ archived }) => !archived],
		['fork', { fork: true }, ({ fork }) => fork],
	])(
		'%s: the repositories that fit, all of their records, and no documentation',
		async (_name, filter, fits) => {
			const { body } = await post(filter);
			const expected = service.context.developer.records.filter(
				({ id, type }) => type !== 'doc' && fits(repoOf(id)),
			);
			expect(expected.length).toBeGreaterThan(0);
			expect(body.results.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
			expect(body.coverage.doc).toBe('skipped');
		},
	);

	test('sources alone find documentation; beside repos either may match', async () => {
		const sources = ['docs.fetchpool.example'];
		const docs = await ids({ sources });
		expect(docs.length).toBeGreaterThan(1);
		for (const id of docs) expect(id).toMatch(/^doc:docs\.fetchpool\.example\//);
		const both = await ids({ sources, repos: ['tidewatch/tidetable'] });
		expect(both).toEqual(expect.arrayContaining(docs));
		expect(both.length).toBeGreaterThan(docs.length);
		expect(both.filter((id) => !docs.includes(id) && !id.includes('tidewatch/tidetable'))).toEqual(
			[],
		);
	});

	test('skills: packaged agent skills only', async () => {
		expect((await ids({ skills: 'only' })).sort()).toEqual([
			'doc:docs.fetchpool.example/skills/polite-client',
			'doc:docs.relayworks.example/guides/agent-tools',
		]);
	});

	test('repos and sources come back with what is indexed of them', async () => {
		const { body } = await post({
			repos: ['lagoon-lab/gatesim', 'no/where'],
			sources: ['docs.relayworks.example', 'docs.none'],
		});
		expect(body.repos).toEqual([
			{
				repo: 'lagoon-lab/gatesim',
				indexed: true,
				types: { issue: false, pullRequest: false, readme: true },
			},
			{
				repo: 'no/where',
				indexed: false,
				types: { issue: false, pullRequest: false, readme: false },
			},
		]);
		expect(body.sources).toEqual([
			{ source: 'docs.relayworks.example', indexed: true },
			{ source: 'docs.none', indexed: false },
		]);
		const plain = (await post({})).body;
		expect([plain.repos, plain.sources]).toEqual([undefined, undefined]);
	});

	test('GET takes the same, lists repeated or joined', async () => {
		const same = await ids({
			query: 'retry',
			types: ['issue', 'pull_request'],
			repos: ['harborline/fetchpool', 'relayworks/relay'],
			min_stars: 10_000,
			archived: false,
		});
		expect(same.length).toBeGreaterThan(0);
		const joined = await get(
			'query=retry&k=100&types=issue,pull_request&repos=harborline/fetchpool,relayworks/relay&min_stars=10000&archived=false',
		);
		const repeated = await get(
			'query=retry&k=100&types=issue&types=pull_request&repos=harborline%2Ffetchpool&repos=relayworks/relay&min_stars=10000&archived=false',
		);
		expect(joined.body.results.map(({ id }) => id)).toEqual(same);
		expect(repeated.body.results).toEqual(joined.body.results);
	});
});

test('a kind that is out of order is said in coverage', async () => {
	const control = (body: object) => request(service, 'POST', '/_control/developer', body);
	await control({ type: 'issue', state: 'unavailable' });
	await control({ type: 'readme', state: 'degraded' });
	const { body } = await post({});
	expect(body.coverage).toEqual({
		doc: 'ok',
		issue: 'unavailable',
		pull_request: 'ok',
		readme: 'degraded',
	});
	expect(body.reranked).toBe(false);
	expect(new Set(body.results.map(({ type }) => type))).toEqual(
		new Set(['doc', 'pull_request', 'readme']),
	);
	await control({ type: 'issue', state: 'ok' });
	expect((await post({})).body.coverage.issue).toBe('ok');
});

describe('refused with 400', () => {
	test.each<[string, object]>([
		['no query', { query: undefined }],
		['a blank query', { query: ' ' }],
		['k 0', { k: 0 }],
		['k 101', { k: 101 }],
		['k as text', { k: '5' }],
		['passages 6', { passages: 6 }],
		['an unknown type', { types: ['commit'] }],
		['a list as text', { types: 'issue' }],
		['a repository without owner', { repos: ['relay'] }],
		['21 repositories', { repos: Array.from({ length: 21 }, (_, n) => `a/b${n}`) }],
		['21 sources', { sources: Array.from({ length: 21 }, (_, n) => `s${n}`) }],
		['a long source', { sources: ['x'.repeat(513)] }],
		['nine topics', { topic: Array.from({ length: 9 }, (_, n) => `t${n}`) }],
		['stars below zero', { min_stars: -1 }],
		['min above max', { min_stars: 2, max_stars: 1 }],
		['camel case', { minStars: 1 }],
		['archived as text', { archived: 'true' }],
		['skills otherwise', { skills: 'all' }],
		['repos with doc alone', { repos: ['a/b'], types: ['doc'] }],
		['sources without doc', { sources: ['s'], types: ['issue'] }],
	])('POST %s', async (_name, change) => {
		const { status, body } = await post(change);
		expect([status, body.error]).toEqual([400, 'Invalid query parameters']);
		expect(body.details?.length).toBeGreaterThan(0);
	});

	test.each([
		'k=5',
		'query=a&k=x',
		'query=a&minStars=1',
		'query=a&archived=1',
		'query=a&types=issue,commit',
		'query=a&repos=a/b&types=doc',
		'query=a&query=b',
	])('GET %s', async (query) => {
		const { status, body } = await get(query);
		expect([status, body.error]).toEqual([400, 'Invalid query parameters']);
	});
});

test('the price, and who may ask', async () => {
	await post({ k: 11 });
	await post({ query: 'zzzzqqqq' });
	expect(service.ledger.entries.map(({ credits }) => credits)).toEqual([4, 0]);
	expect((await post({}, service.keys.empty)).status).toBe(402);
	expect((await post({}, service.keys.scrapeOnly)).status).toBe(403);
	expect((await post({}, null)).status).toBe(401);
});

test('the official SDK', async () => {
	const sdk = new Firecrawl({ apiKey: service.keys.full, apiUrl: service.url });
	const { results, repos } = await sdk.developerSearch('retry', {
		k: 5,
		passages: 2,
		types: ['issue', 'pull_request'],
		repos: ['harborline/fetchpool'],
		language: 'TypeScript',
		topic: ['http'],
		license: 'MIT',
		minStars: 10,
		maxStars: 100_000,
		archived: false,
		fork: false,
	});
	expect(results.length).toBeGreaterThan(2);
	expect(repos).toMatchObject([{ repo: 'harborline/fetchpool', indexed: true }]);
	await expect(
		sdk.developerSearch('x', { types: ['issue'], sources: ['s'] }),
	).rejects.toMatchObject({ status: 400 });
});
