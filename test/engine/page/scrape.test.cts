import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../drivenTime.cjs';
import { useTestBed } from '../testBed.cjs';

const values = (...entries: INodeParameters[]): INodeParameters => ({ values: entries });
const tides = 'https://tidewatch.example/guides/spring-tides';
const grinder = 'https://emberroast.example/shop/hand-grinder';
const sound = 'https://tidewatch.example/stations/cape-morrow';

/** What comes out of a scrape. */
describe('a scraped page', () => {
	const testBed = useTestBed();

	it('is one item: its content, its metadata, and markdown when no format is chosen', async () => {
		const account = testBed.account();

		const run = await testBed.run('page', 'scrape', { url: tides }, { account });

		const [item, ...more] = run.output();
		expect(more).toEqual([]);
		expect(Object.keys(item.json)).toEqual(['url', 'title', 'statusCode', 'markdown', 'metadata']);
		expect(item.json).toMatchObject({
			url: tides,
			title: 'Why spring tides are higher | Tidewatch Observatory',
			statusCode: 200,
		});
		expect(item.json.markdown).toMatch(/^# Why spring tides are higher/);
		expect(item.json.metadata).toMatchObject({ sourceURL: tides, creditsUsed: 1 });
		expect(item.pairedItem).toEqual({ item: 0 });
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it('has a member for every format', async () => {
		const run = await testBed.run('page', 'scrape', {
			url: grinder,
			formats: [
				'markdown',
				'summary',
				'html',
				'rawHtml',
				'links',
				'images',
				'branding',
				'product',
				'screenshot',
				'json',
				'changeTracking',
				'attributes',
				'question',
				'highlights',
			],
			jsonPrompt: 'The title',
			jsonSchemaExample: '{"title": ""}',
			attributesSelectors: values({ selector: 'img', attribute: 'src' }),
			question: 'How much coffee does it hold?',
			highlightsQuery: 'burrs',
		});

		const [{ json }] = run.output();
		const names = ['attributes', 'branding', 'changeTracking', 'highlights', 'html', 'images'];
		names.push('answer', 'json', 'links', 'markdown', 'metadata', 'product', 'rawHtml');
		names.push('screenshot', 'statusCode', 'summary', 'title', 'url');
		expect(Object.keys(json).sort()).toEqual(names.sort());
		expect(json.json).toMatchObject({ title: expect.stringContaining('grinder') });
		expect(json.product).toMatchObject({ brand: 'Ansel Works' });
		expect(json.changeTracking).toMatchObject({ changeStatus: 'new' });
	});

	it.each<[string, string, string, RegExp]>([
		['menu', 'https://emberroast.example/cafe/menu', 'menu', /isMenu/],
		['audio', 'https://emberroast.example/brewing/temperature', 'audio', /^"http.*mp3/],
		['video', 'https://emberroast.example/brewing/temperature', 'video', /^"http.*mp4/],
		[
			'rawBase64',
			'https://portoffice.example/documents/harbour-fees.pdf',
			'rawBase64',
			/^"JVBERi0/,
		],
	])('has what %s makes of a page that has it', async (type, url, name, content) => {
		const run = await testBed.run('page', 'scrape', { url, formats: [type] });

		expect(JSON.stringify(run.output()[0].json[name])).toMatch(content);
	});

	it('has the catalogue’s tools for its domain when asked', async () => {
		const run = await testBed.run('page', 'scrape', {
			url: tides,
			additionalFields: { domainTools: true, toolDetail: 'compact' },
		});

		const { tools } = run.output()[0].json;
		const offered = testBed.service.context.tools.byDomain([tides], 100);
		expect(offered.length).toBeGreaterThan(0);
		expect(tools).toHaveLength(offered.length);
	});

	it('keeps the service’s warnings, and shows them above the output', async () => {
		const run = await testBed.run('page', 'scrape', {
			url: tides,
			scrapeOptions: { onlyCleanContent: true },
			additionalFields: { zeroDataRetention: true },
		});

		const [{ json }] = run.output();
		expect(json.warning).toMatch(/onlyCleanContent/);
		expect(run.hints()).toMatchObject([
			{ message: expect.stringMatching(/^'Only Clean Content' has no effect/) },
			{ message: json.warning, type: 'warning' },
		]);
	});

	it('that instructs models is refused when it is looked through, at no cost', async () => {
		const run = await testBed.run('page', 'scrape', {
			url: 'https://agentnotes.example/notes/prompt-injection-in-the-wild',
			scrapeOptions: { checkPromptInjection: true },
		});

		expect(run.error?.message).toMatch(/SCRAPE_PROMPT_INJECTION_DETECTED/);
		expect(run.error?.description).toMatch(/'Check Prompt Injection' off if you trust it/);
		expect(testBed.service.log.entries.map(({ credits }) => credits)).toEqual([0]);
	});

	it('says when a PDF was read in part', async () => {
		const url = 'https://tidewatch.example/reports/annual-report.pdf';
		const parsers = [{ type: 'pdf', maxPages: 1 }];

		const run = await testBed.run('page', 'scrape', { url, scrapeOptions: { parsers } });

		const { numPages, totalPages } = Object(run.output()[0].json.metadata);
		expect(totalPages).toBeGreaterThan(numPages);
		expect(run.hints()).toMatchObject([
			{ message: expect.stringContaining(`Read in part: ${url} (1 of ${totalPages} pages)`) },
		]);
	});

	it('keeps what the answer says beside the document', async () => {
		const warnings = ['This endpoint will change'];
		const body = { success: true, scrape_id: 'x', warnings, data: { markdown: 'Tides' } };
		testBed.service.faults.add({ kind: 'status', status: 200, body });

		const run = await testBed.run('page', 'scrape', { url: tides });

		expect(run.output()[0].json).toEqual({
			markdown: 'Tides',
			request: { scrape_id: 'x', warnings },
		});
		expect(run.hints()).toMatchObject([{ message: warnings[0] }]);
	});
});

/** Pages that show their parts only after the right actions in the right order. */
describe('actions', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const scrape = async (url: string, ...actions: INodeParameters[]) =>
		await time.drive(testBed.run('page', 'scrape', { url, actions: values(...actions) }));
	const click = (selector: string): INodeParameters => ({ type: 'click', selector });

	it('reveal what is under two buttons, one within the other', async () => {
		const none = await scrape(sound, { type: 'scrape' });
		const one = await scrape(sound, click('#october-button'));
		const both = await scrape(sound, click('#october-button'), click('#september-button'));

		const found = [none, one, both].map((run) => String(run.output()[0].json.markdown));
		expect(found.map((text) => text.includes('October readings'))).toEqual([false, true, true]);
		expect(found.map((text) => text.includes('September readings'))).toEqual([false, false, true]);
	});

	it('fail in the wrong order, with advice', async () => {
		const account = testBed.account();
		const actions = values(click('#september-button'), click('#october-button'));

		const run = await testBed.run(
			'page',
			'scrape',
			{ url: sound, actions, retries: { maxTries: 1 } },
			{ account },
		);

		expect(run.error?.message).toMatch(/#september-button.*HTTP 500, SCRAPE_ACTION_ERROR/);
		expect(run.error?.description).toMatch(/'Actions'/);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(0);
	});

	it('wait and scroll, and leave what they made', async () => {
		const run = await scrape(
			'https://tidewatch.example/stations/live',
			{ type: 'wait', milliseconds: 1500 },
			{ type: 'scroll' },
			{ type: 'executeJavascript', script: 'document.title' },
			{ type: 'scrape' },
		);

		const [{ json }] = run.output();
		expect(json.markdown).toContain('Levels now');
		expect(json.markdown).toContain('Notes of the keeper');
		expect(json.actions).toMatchObject({
			javascriptReturns: [{ type: 'string', value: expect.stringContaining('Live readings') }],
			scrapes: [{ html: expect.stringContaining('Levels now') }],
		});
	});
});

/** Pages that answer with an error, and pages that cannot be reached. */
describe('a page that is not there', () => {
	const testBed = useTestBed();
	const pages: Array<[number, string]> = [
		[404, 'https://tidewatch.example/nothing'],
		[403, 'https://tidewatch.example/control-room'],
		[500, 'https://tidewatch.example/live/raw'],
	];

	it.each(pages)('comes out with its status %i, and is paid for', async (statusCode, url) => {
		const account = testBed.account();

		const run = await testBed.run('page', 'scrape', { url }, { account });

		expect(run.status).toBe('success');
		expect(run.output()[0].json).toMatchObject({ url, statusCode, metadata: { sourceURL: url } });
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it.each(pages)('is an error when the user wants that (%i)', async (statusCode, url) => {
		const run = await testBed.run('page', 'scrape', {
			url,
			outputOptions: { onPageError: 'error' },
		});

		expect(run.error?.message).toBe(`${url} answered with an error (HTTP ${statusCode}) [item 0]`);
		expect(run.error?.description).toMatch(/charged.*'On Page Error'/);
		expect(testBed.service.log.entries).toHaveLength(1);
	});

	it.each(['item', 'error'])(
		'is an error when its host does not exist, whatever the option says (%s)',
		async (onPageError) => {
			const account = testBed.account();
			const url = 'https://nowhere-at-all.example/page';

			const run = await testBed.run(
				'page',
				'scrape',
				{ url, outputOptions: { onPageError } },
				{ account },
			);

			expect(run.error?.message).toMatch(/^(?!.*HTTP).*SCRAPE_DNS_RESOLUTION_ERROR/);
			expect(run.error?.description).toMatch(/host.*spelling/);
			expect(testBed.service.ledger.spent(account.team.id)).toBe(0);
			expect(testBed.service.log.entries).toHaveLength(1);
		},
	);
});
