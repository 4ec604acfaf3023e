import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../drivenTime.cjs';
import { toldBy } from '../fence.cjs';
import type { EngineRun } from '../harness.cjs';
import { useTestBed } from '../testBed.cjs';

const walls = 'https://walls.example';
const grinder = 'https://emberroast.example/shop/hand-grinder';
const testBed = useTestBed();
const time = useDrivenTime(() => testBed.service);
const hintsOf = (run: EngineRun) => run.hints().map(({ message }) => message);
const scrape = async (set: INodeParameters) => await testBed.run('page', 'scrape', set);

describe('A wall instead of a page', () => {
	it.each([
		[
			'bot check',
			'/bot-check',
			/^1 of 1 page is a bot check, not the page: .*bot-check\. It was charged\. Try 'Proxy'/,
		],
		['login', '/login', /is a login, .*Try a 'Profile'/],
		['consent', '/consent', /is a cookie wall, .*Try 'Actions'/],
		['JavaScript', '/shell', /is a shell without content, .*Try a higher 'Wait For'/],
	])('is marked as %s, beside the status, with what to try', async (blocked, path, words) => {
		const run = await scrape({ url: walls + path });

		const [{ json }] = run.output();
		expect(Object.keys(json).slice(0, 4)).toEqual(['url', 'title', 'statusCode', 'blocked']);
		expect(json).toMatchObject({ blocked, markdown: expect.any(String) });
		expect(hintsOf(run)).toEqual([expect.stringMatching(words)]);
	});

	it('stays as it is in raw output, with the notice', async () => {
		const run = await scrape({ url: `${walls}/login`, options: { output: 'raw' } });

		expect(run.output()[0].json.data).not.toHaveProperty('blocked');
		expect(hintsOf(run)).toEqual([expect.stringContaining('is a login')]);
	});

	it('is told once for all items of an execution', async () => {
		const paths = ['/bot-check', '/login', '/bot-check'];
		const run = await testBed.run(
			'page',
			'scrape',
			{ url: '={{ $json.url }}' },
			{ input: [...paths.map((path) => ({ url: walls + path })), { url: grinder }] },
		);

		expect(run.output().map(({ json }) => json.blocked)).toEqual([
			'bot check',
			'login',
			'bot check',
			undefined,
		]);
		expect(hintsOf(run).filter((hint) => /bot checks/.test(hint))).toEqual([
			expect.stringMatching(/^2 of [34] pages are bot checks/),
		]);
	});

	it('is told to a model outside of the delimiters, and a call is not answered by the one before', async () => {
		const call = async () =>
			await testBed.run(
				'page',
				'scrape',
				{ url: `${walls}/bot-check` },
				{ account, node: { type: testBed.engine.typeName('webDataTool') } },
			);
		const account = testBed.account();
		const run = await time.drive(call());
		await time.drive(call());

		expect(JSON.stringify(toldBy(run).before)).toContain('the same call again will not help');
		expect(JSON.stringify(toldBy(run).before)).not.toContain(walls);
		expect(testBed.service.log.of('POST', '/v2/scrape')).toHaveLength(2);
	});

	it('is marked in a batch and a crawl', async () => {
		const batch = await time.drive(
			testBed.run('batch', 'run', { urls: `${walls}/login, ${grinder}` }),
		);
		const crawl = await time.drive(testBed.run('crawl', 'run', { url: `${walls}/shell` }));

		expect(batch.output().map(({ json }) => json.blocked)).toEqual(['login', undefined]);
		expect(crawl.output().map(({ json }) => json.blocked)).toEqual(['JavaScript']);
	});
});

describe('Extracted values', () => {
	const example = '{"weight": "", "warranty": ""}';
	const json = { url: grinder, jsonSchemaType: 'example', jsonSchemaExample: example };

	it('that the page lacks are named, though JSON alone was asked for', async () => {
		const run = await scrape({ ...json, formats: ['json'] });

		const [item] = run.output();
		const [{ body }] = testBed.service.log.of('POST', '/v2/scrape');
		expect(body).toMatchObject({ formats: [{ type: 'json' }, { type: 'markdown' }] });
		expect(item.json).toMatchObject({ weight: '610 g', notOnPage: ['warranty'] });
		expect(item.json).not.toHaveProperty('markdown');
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(/^1 value of 1 page is not on its page \(notOnPage\)/),
		]);
	});

	it('are all that is asked for and output with Raw', async () => {
		const run = await scrape({ ...json, formats: ['json'], options: { output: 'raw' } });

		const [{ body }] = testBed.service.log.of('POST', '/v2/scrape');
		expect(body).toMatchObject({ formats: [expect.objectContaining({ type: 'json' })] });
		expect(run.output()[0].json.data).not.toHaveProperty('notOnPage');
	});

	it('of a list are named at their entry', async () => {
		const run = await scrape({
			...json,
			formats: ['json'],
			jsonSchemaExample: '[{"title": "", "warranty": ""}]',
		});

		expect(run.output().length).toBeGreaterThan(1);
		for (const item of run.output()) expect(item.json.notOnPage).toEqual(['warranty']);
	});
});
