import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { pagePath } from './pagePath.cjs';
import { samples } from '../unit/convert/samples.cjs';
import { projectRoot } from '../root.cjs';
import { surroundings } from './surroundings.cjs';

const pageUrl = pathToFileURL(pagePath()).href;
const pictures = join(projectRoot, '.build/n8n/screenshots');

/** What Ctrl+C on the canvas puts on the clipboard. */
const copied = (name: string) => JSON.stringify(samples[name].workflow, null, 2);

describe('The page of the converter', () => {
	let browser: Browser;
	let page: Page;
	let requests: string[];
	let complaints: string[];

	beforeAll(async () => {
		browser = await chromium.launch({
			executablePath: surroundings().chromium,
			args: ['--no-sandbox'],
		});
	});
	afterAll(async () => await browser.close());

	const open = async (
		colorScheme: 'light' | 'dark' = 'light',
		viewport = { width: 1200, height: 1000 },
	) => {
		const context = await browser.newContext({
			colorScheme,
			viewport,
			permissions: ['clipboard-read', 'clipboard-write'],
		});
		context.setDefaultTimeout(30_000);
		page = await context.newPage();
		requests = [];
		complaints = [];
		page.on('request', (request) => requests.push(request.url()));
		page.on('pageerror', ({ message }) => complaints.push(message));
		page.on('console', (message) => {
			if (message.type() === 'error') complaints.push(message.text());
		});
		await page.goto(pageUrl);
	};
	const paste = async (text: string) => {
		await page.evaluate((given) => navigator.clipboard.writeText(given), text);
		await page.getByLabel('Your workflow').focus();
		await page.keyboard.press('ControlOrMeta+V');
	};
	const result = async (): Promise<{ nodes: Array<{ type: string }> }> =>
		JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));

	afterEach(async () => {
		expect(complaints).toEqual([]);
		// Nothing leaves the page.
		expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([pageUrl]);
		await page.context().close();
	});

	it.each([
		['light', 1200],
		['dark', 380],
	] as const)(
		'shows before and after, in %s, %i wide, without scrolling sideways',
		async (look, width) => {
			await open(look, { width, height: 1000 });
			await paste(copied('official crawl in a loop with a failure branch'));

			await page.getByText('1 node: 1 converted whole').waitFor();
			expect(await page.getByRole('listitem').first().innerText()).toContain('Crawl: Run');
			const widest = await page.evaluate(() => document.documentElement.scrollWidth);
			expect(widest).toBeLessThanOrEqual(width);
			await page.screenshot({
				path: join(pictures, `converter-${look}-${width}.png`),
				fullPage: true,
			});
		},
	);

	it('is used by the keyboard alone', async () => {
		await open();
		await page.evaluate((given) => navigator.clipboard.writeText(given), copied('HTTP v1 search'));
		await page.keyboard.press('Tab');
		await page.keyboard.press('ControlOrMeta+V');
		await page.getByText('1 converted whole').waitFor();
		for (const _ of ['hosts', 'convert', 'copy']) await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');

		await page.getByRole('button', { name: 'Copied' }).waitFor();
		expect(JSON.stringify(await result())).toContain('$json.data.web[0].url');
	});

	it('converts what is pasted over a workflow, and shows no result below another text', async () => {
		await open();
		await paste(copied('HTTP v1 search'));
		await page.getByText('Search: Query').waitFor();
		await page.keyboard.press('ControlOrMeta+A');
		await paste(copied('official crawl in a loop with a failure branch'));
		await page.getByText('Crawl: Run').waitFor();
		expect(await page.getByText('Search: Query').count()).toBe(0);

		await page.keyboard.type('x');

		expect(await page.getByLabel('Result', { exact: true }).isVisible()).toBe(false);
	});

	it('says why a text is no workflow', async () => {
		await open();
		await paste('Hello');

		await page.getByRole('status').filter({ hasText: 'This is no JSON' }).waitFor();
		expect(await page.getByRole('listitem').count()).toBe(0);
	});

	it('shows texts of a workflow as texts', async () => {
		await open();
		const { workflow } = samples['official token usage'];
		const hostile = '<img src=x onerror="document.title=1">';
		const nodes = workflow.nodes.map((node) =>
			node.name === 'Tokens' ? { ...node, name: hostile } : node,
		);
		await paste(JSON.stringify({ ...workflow, nodes }));

		await page.getByText(`${hostile}: not converted`).waitFor();
		expect(await page.locator('img').count()).toBe(0);
	});
});

describe('The file of the page', () => {
	it('refers to no other file', () => {
		const text = readFileSync(pagePath(), 'utf8');

		expect(text).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)="(?!data:)/);
	});
});
