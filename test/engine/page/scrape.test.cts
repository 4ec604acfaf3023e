import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../drivenTime.cjs';
import { useTestBed } from '../testBed.cjs';

const values = (...entries: INodeParameters[]): INodeParameters => ({ values: entries });
const tides = 'https://tidewatch.example/guides/spring-tides';
const grinder = 'https://emberroast.example/shop/hand-grinder';

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
				'question',
				'highlights',
			],
			jsonPrompt: 'The title',
			jsonSchemaExample: '{"title": ""}',
			question: 'How much coffee does it hold?',
			highlightsQuery: 'burrs',
		});

		const [{ json }] = run.output();
		const names = ['branding', 'changeTracking', 'highlights', 'html', 'images'];
		names.push('answer', 'json', 'links', 'markdown', 'metadata', 'product', 'rawHtml');
		names.push('screenshot', 'statusCode', 'summary', 'title', 'url');
		expect(Object.keys(json).sort()).toEqual(names.sort());
		expect(json.json).toMatchObject({ title: expect.stringContaining('grinder') });
		expect(json.product).toMatchObject({ brand: 'Ansel Works' });
		expect(json.changeTracking).toMatchObject({ changeStatus: 'new' });
	});

	it('is an item only if it changed, if that is chosen', async () => {
		const account = testBed.account();
		const scrape = async () =>
			await testBed.run(
				'page',
				'scrape',
				{
					url: tides,
					formats: ['markdown', 'changeTracking'],
					additionalFields: { maxAge: 0 },
					options: { onlyChanged: true },
				},
				{ account },
			);

		const statuses = [];
		for (const markdown of [undefined, undefined, '# Other tides']) {
			if (markdown !== undefined) testBed.service.site.update(tides, { markdown });
			const items = (await scrape()).output();
			statuses.push(items.map(({ json }) => json.changeTracking));
		}
		expect(statuses).toMatchObject([[{ changeStatus: 'new' }], [], [{ changeStatus: 'changed' }]]);
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
			additionalFields: { requestJson: '{"domainTools": true, "toolDetail": "compact"}' },
		});

		const { tools } = run.output()[0].json;
		const offered = testBed.service.context.tools.find(undefined, [tides], 100, 'compact');
		expect(offered.length).toBeGreaterThan(0);
		expect(tools).toHaveLength(offered.length);
	});

	it('keeps the service’s warnings, and shows them above the output', async () => {
		const run = await testBed.run('page', 'scrape', {
			url: tides,
			additionalFields: { requestJson: '{"onlyCleanContent": true, "zeroDataRetention": true}' },
		});

		const [{ json }] = run.output();
		expect(json.warning).toMatch(/onlyCleanContent/);
		expect(run.hints()).toMatchObject([{ message: json.warning, type: 'warning' }]);
	});

	it('says when a PDF was read in part', async () => {
		const url = 'https://tidewatch.example/reports/annual-report.pdf';
		const parsers = { maxPages: 1 };

		const run = await testBed.run('page', 'scrape', { url, additionalFields: { parsers } });

		const { numPages, totalPages } = Object(run.output()[0].json.metadata);
		expect(totalPages).toBeGreaterThan(numPages);
		expect(run.hints()).toMatchObject([
			{ message: expect.stringContaining(`Parsed in part: ${url} (1 of ${totalPages} pages)`) },
		]);
	});
});

describe('actions', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);

	it('wait and scroll, and leave what they made', async () => {
		const actions = values(
			{ type: 'wait', milliseconds: 1500 },
			{ type: 'scroll' },
			{ type: 'executeJavascript', script: 'document.title' },
			{ type: 'scrape' },
		);
		const url = 'https://tidewatch.example/stations/live';

		const run = await time.drive(testBed.run('page', 'scrape', { url, actions }));

		const [{ json }] = run.output();
		expect(json.markdown).toContain('Levels now');
		expect(json.markdown).toContain('Notes of the keeper');
		expect(json.actions).toMatchObject({
			javascriptReturns: [{ type: 'string', value: expect.stringContaining('Live readings') }],
			scrapes: [{ html: expect.stringContaining('Levels now') }],
		});
	});
});

/** Pages that answer with an error. */
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
});
