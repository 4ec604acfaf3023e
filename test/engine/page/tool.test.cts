import type { INodeParameters } from 'n8n-workflow';
import { insideFence, toldIn } from '../fence.cjs';
import { useTestBed } from '../testBed.cjs';

/** Reading pages as a tool of an AI agent: the model reads the items' JSON and nothing else. */
describe('a page for a model', () => {
	const testBed = useTestBed();
	const node = () => ({ type: testBed.engine.typeName('webDataTool') });
	const tides = 'https://tidewatch.example/guides/spring-tides';

	it('is JSON, cut to what the model has room for', async () => {
		const run = await testBed.run(
			'page',
			'scrape',
			{ url: tides, outputOptions: { keepFields: 'markdown' } },
			{ node: node() },
		);

		const [json, ...more] = insideFence(run.output());
		expect(more).toEqual([]);
		expect(Object.keys(json)).toEqual(['markdown']);
		expect(json.markdown).toMatch(/^# Why spring tides are higher/);
	});

	it('is cut to the longest result that the user allows; as an ordinary node it comes whole', async () => {
		const url = 'https://tidewatch.example/long';
		const markdown = 'High water, low water. '.repeat(500).trim();
		testBed.service.site.add({ url, title: 'Long', markdown, published: '2026-11-01' });
		const scrape = async (more: object) =>
			(
				await testBed.run(
					'page',
					'scrape',
					{ url, outputOptions: { maxToolResultLength: 2000 } },
					more,
				)
			)
				.output()
				.map(({ json }) => json);

		const [whole, ...others] = await scrape({});
		expect(others).toEqual([]);
		expect(whole.markdown).toBe(`# Long\n\n${markdown}`);

		const cut = await scrape({ node: node() });
		expect(JSON.stringify(cut).length).toBeLessThanOrEqual(2000);
		expect(toldIn(cut)).toEqual({
			before: [{ notes: [expect.stringMatching(/^The result was truncated to 2000 characters/)] }],
			inside: [
				expect.objectContaining({ markdown: expect.stringMatching(/^# Long.*characters\]$/s) }),
			],
		});
	});

	it('is cut to what answers the passage query of a model, at no cost', async () => {
		const url = 'https://tidewatch.example/long';
		const filler = 'High water, low water. '.repeat(500);
		const fact = 'The harbour pilot of Westerhever is called Ingeborg Petersen.';
		const markdown = [filler, fact, filler].join('\n\n');
		testBed.service.site.add({ url, title: 'Long', markdown, published: '2026-11-01' });
		const account = testBed.account();
		const outputOptions = { maxToolResultLength: 3000, keepFields: 'markdown' };
		const scrape = async (passageQuery: string) => {
			const set = { url, passageQuery, outputOptions };
			const run = await testBed.run('page', 'scrape', set, { node: node(), account });
			return JSON.stringify(run.output().map(({ json }) => json));
		};

		const found = await scrape('Who pilots ships into Westerhever?');

		expect(found).toContain(fact);
		expect(found.length).toBeLessThanOrEqual(3000);
		expect(await scrape('')).not.toContain(fact);
		const [request, ...more] = testBed.service.log.of('POST', '/v2/scrape');
		expect(more).toEqual([]);
		expect(request.body).not.toHaveProperty('passageQuery');
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it.each([
		[
			'an unknown host',
			{ url: 'https://nowhere-at-all.example' },
			/SCRAPE_DNS_RESOLUTION_ERROR/,
			/spelling/,
		],
	])('is told what happened and what to do: %s', async (_name, parameters, error, advice) => {
		const run = await testBed.run('page', 'scrape', parameters, { node: node() });

		expect(run.status).toBe('success');
		expect(run.output()[0].json).toEqual({
			error: expect.stringMatching(error),
			advice: expect.stringMatching(advice),
		});
	});

	it('is told as it came where the user wants that', async () => {
		const run = await testBed.run(
			'page',
			'scrape',
			{ url: tides, outputOptions: { markUntrusted: false } },
			{ node: node() },
		);

		expect(run.output().map(({ json }) => json.url)).toEqual([tides]);
	});

	it('stands between fences in an ordinary node where the user wants that', async () => {
		const scrape = { url: tides, formats: ['markdown', 'html'] };
		const items = async (outputOptions: INodeParameters) =>
			(await testBed.run('page', 'scrape', { ...scrape, outputOptions })).output();
		const [{ json: plain }] = await items({});
		const [{ json }] = await items({ markUntrusted: true });

		const text = String(json.markdown);
		const [, mark] = /^begin ([0-9a-f]{12}): /.exec(text) ?? [];
		expect(text).toMatch(new RegExp(`\\n\\nend ${mark}$`));
		expect(text).toContain(`\n\n${String(plain.markdown)}\n\n`);
		expect(json.html).toContain(`end ${mark}`);
		expect(json.title).toBe(plain.title);
	});

	it('is told with what was removed of it, in an ordinary node as a hint', async () => {
		const markdown = 'Put <template> here.\u200b ![](https://t.example/pixel.gif)';
		testBed.service.site.update(tides, { markdown });
		const note =
			/^'Mark as Untrusted' removed 1 invisible character, 1 tracking image \(\d+ characters\)\.$/;

		const told = await testBed.run('page', 'scrape', { url: tides }, { node: node() });
		const ordinary = await testBed.run('page', 'scrape', {
			url: tides,
			outputOptions: { markUntrusted: true },
		});

		expect(told.output()[0].json).toEqual({ notes: [expect.stringMatching(note)] });
		expect(insideFence(told.output())[0].markdown).toContain('Put <template> here. ![]()');
		expect(ordinary.hints()).toEqual([
			expect.objectContaining({ message: expect.stringMatching(note) }),
		]);
	});
});
