import { load } from 'cheerio';
import parsePdf from 'pdf-parse/lib/pdf-parse.js';
import { inflateSync } from 'node:zlib';
import { z } from 'zod';

import { exampleFiles, readExample } from '../n8n/exampleFiles.cjs';
import { examplePagesFolder, loadHosts, parseFrontMatter } from './hosts.cjs';
import { loadSite, UnknownHostError, type Site, type SitePage } from './site.cjs';

const now = new Date('2026-03-10T12:00:00Z');
const day = 86_400_000;

async function text(site: Site, url: string): Promise<string> {
	return (await site.render(url)).body.toString();
}

async function linksOf(site: Site, page: SitePage): Promise<string[]> {
	const $ = load(await text(site, page.url));
	const addresses = [
		...$('a[href]').map((_, element) => $(element).attr('href')),
		...$('img[src], video[src]').map((_, element) => $(element).attr('src')),
	];
	return addresses.filter((to) => !to.startsWith('data:')).map((to) => new URL(to, page.url).href);
}

/** Clicks needed from a host's start page, by page address. */
async function depths(site: Site, host: string): Promise<Map<string, number>> {
	const found = new Map([[`https://${host}/`, 0]]);
	for (const [url, depth] of found) {
		const page = site.find(url);
		if (!page || page.kind === 'pdf') continue;
		for (const link of await linksOf(site, page)) {
			const target = site.find(link);
			if (target?.host === host && !found.has(target.url)) found.set(target.url, depth + 1);
		}
	}
	return found;
}

describe('the small web', () => {
	const hosts = loadHosts();
	const site = loadSite(now);
	const htmlPages = site.pages.filter(({ kind }) => kind !== 'pdf');
	const pdfPages = site.pages.filter(({ kind }) => kind === 'pdf');

	it('has enough of everything to search and scrape', () => {
		expect(site.pages.length).toBeGreaterThanOrEqual(60);
		expect(new Set(site.pages.map(({ host }) => host)).size).toBeGreaterThanOrEqual(7);
		expect(pdfPages.length).toBeGreaterThanOrEqual(6);
		expect(site.pages.filter(({ kind }) => kind === 'news').length).toBeGreaterThanOrEqual(12);
		expect(site.pages.flatMap(({ images }) => images).length).toBeGreaterThanOrEqual(20);
		expect(site.pages.filter(({ explicit }) => explicit)).toHaveLength(1);
		expect(site.pages.filter(({ delayMs }) => delayMs).length).toBeGreaterThanOrEqual(1);
		for (const category of ['research', 'developer']) {
			expect(site.pages.filter((page) => page.category === category).length).toBeGreaterThan(5);
		}
		for (const language of ['de', 'fr']) {
			expect(site.pages.filter((page) => page.language === language).length).toBeGreaterThan(2);
		}
	});

	it('has no page that is only a stub, and no title twice', () => {
		const words = ({ markdown }: SitePage) => markdown.split(/\s+/).length;
		expect(site.pages.filter((page) => words(page) < 80).map(({ url }) => url)).toEqual([]);
		expect(new Set(site.pages.map(({ title }) => title)).size).toBe(site.pages.length);
	});

	it('renders every HTML page with its title and the text of its Markdown', async () => {
		for (const page of htmlPages) {
			const { status, headers, body } = await site.render(page.url);
			expect([page.url, status]).toEqual([page.url, 200]);
			expect(headers['content-type']).toBe('text/html; charset=utf-8');
			const $ = load(body);
			expect($('main h1').text()).toBe(page.title);
			expect($('meta[name=description]').attr('content')).toBe(page.description);
			expect($('link[rel=canonical]').attr('href')).toBe(page.url);
			expect($('html').attr('lang')).toBe(page.language);
			for (const heading of page.markdown.replace(/```[\s\S]*?```/g, '').matchAll(/^## (.+)$/gm)) {
				expect($('main').text()).toContain(heading[1]?.replace(/[*`]/g, '').split("'")[0]);
			}
		}
	});

	it('renders PDFs whose text and properties hold the title', async () => {
		const pageCounts: number[] = [];
		for (const page of pdfPages) {
			const { status, headers, body } = await site.render(page.url);
			expect([page.url, status]).toEqual([page.url, 200]);
			expect(headers['content-type']).toBe('application/pdf');
			// A copy: the library reads the memory around a small Buffer, which is shared with others.
			const pdf = await parsePdf(new Uint8Array(body));
			expect(pdf.text.replace(/\s+/g, ' ')).toContain(page.title);
			expect(pdf.info).toMatchObject({ Title: page.title });
			pageCounts.push(pdf.numpages);
		}
		expect(pageCounts.filter((count) => count > 1).length).toBeGreaterThanOrEqual(3);
	});

	it('links only to pages, redirects, media and declared errors', async () => {
		const dead: string[] = [];
		for (const page of htmlPages) {
			for (const link of await linksOf(site, page)) {
				const { hostname, pathname } = new URL(link);
				const declared = hosts.get(hostname)?.errors[pathname];
				const { status } = await site.render(link);
				const isFine = declared ? status === declared : status === 200 || status === 301;
				if (!isFine) dead.push(`${page.url} -> ${link} (${status})`);
			}
		}
		expect(dead).toEqual([]);
	});

	it('follows every redirect to a page', async () => {
		const starts = [...hosts.values()].flatMap(({ name, redirects }) =>
			Object.keys(redirects).map((path) => `https://${name}${path}`),
		);
		for (const start of starts) {
			let url = start;
			let answer = await site.render(url);
			for (let hops = 0; answer.status === 301 && hops < 5; hops++) {
				url = answer.headers.location ?? '';
				answer = await site.render(url);
			}
			expect([start, answer.status]).toEqual([start, 200]);
		}
		expect((await site.render('https://tidewatch.example/tides')).headers.location).toBe(
			'https://tidewatch.example/guide/spring-tides',
		);
	});

	it('answers declared errors, and 404 for what it does not have', async () => {
		const status = async (url: string) => (await site.render(url)).status;
		expect(await status('https://tidewatch.example/live/raw')).toBe(500);
		expect(await status('https://tidewatch.example/control-room/')).toBe(403);
		expect(await status('https://tidewatch.example/no/such/page')).toBe(404);
		expect(await status('https://tidewatch.example/media/not-shown-100x100.png')).toBe(404);
		expect(await text(site, 'https://tidewatch.example/nowhere')).toContain('404 Not Found');
		await expect(site.render('https://elsewhere.example/')).rejects.toThrow(UnknownHostError);
	});

	it('finds a page whatever scheme, trailing slash, query or fragment the address has', () => {
		const page = site.find('https://tidewatch.example/guides/spring-tides');
		expect(page?.title).toBe('Why spring tides are higher');
		for (const address of [
			'https://tidewatch.example/guides/spring-tides/',
			'https://tidewatch.example/guides/spring-tides#reading',
			'http://TideWatch.example/guides/spring-tides?from=mail',
		]) {
			expect(site.find(address)).toBe(page);
		}
		expect(site.find('https://tidewatch.example')?.path).toBe('/');
		expect(site.find('https://elsewhere.example/')).toBeUndefined();
	});

	it('counts ages back from now, with material for every time filter', () => {
		const ages = site.pages.map(({ published }) => now.getTime() - Date.parse(published));
		const limits = [0, day / 24, day, 7 * day, 30 * day, 365 * day, Infinity];
		for (const [index, from] of limits.slice(0, -1).entries()) {
			const to = limits[index + 1] ?? Infinity;
			expect(ages.filter((age) => age > from && age < to).length).toBeGreaterThanOrEqual(2);
		}
		const later = loadSite(new Date(now.getTime() + day));
		const shift = (page: SitePage, index: number) =>
			Date.parse(later.pages[index]?.published ?? '') - Date.parse(page.published);
		expect(new Set(site.pages.map(shift))).toEqual(new Set([day]));
	});

	it('lists in the sitemap neither forbidden nor unlisted pages', async () => {
		for (const [name, { disallow }] of hosts) {
			const robots = await text(site, `https://${name}/robots.txt`);
			for (const folder of disallow) expect(robots).toContain(`Disallow: ${folder}\n`);
			const $ = load(await text(site, `https://${name}/sitemap.xml`), { xml: true });
			const listed = [...$('loc').map((_, element) => $(element).text())];
			expect(listed.length).toBeGreaterThan(3);
			expect(listed.filter((url) => !site.find(url))).toEqual([]);
			for (const folder of disallow) {
				expect(listed.filter((url) => new URL(url).pathname.startsWith(folder))).toEqual([]);
			}
		}
		const sitemap = await text(site, 'https://tidewatch.example/sitemap.xml');
		expect(sitemap).toContain('/stations/port-ansel<');
		expect(sitemap).not.toContain('gauge-history');
	});

	it('reaches every page by sitemap or links, some only by links at depth 2 and more', async () => {
		const unreachable: string[] = [];
		for (const [name, { disallow }] of hosts) {
			const sitemap = await text(site, `https://${name}/sitemap.xml`);
			const reached = await depths(site, name);
			for (const { url, path } of site.pages.filter(({ host }) => host === name)) {
				const forbidden = disallow.some((folder) => path.startsWith(folder));
				if (!forbidden && !reached.has(url) && !sitemap.includes(`<loc>${url}</loc>`)) {
					unreachable.push(url);
				}
			}
		}
		expect(unreachable).toEqual([]);
		const folder = 'https://tidewatch.example/stations/port-ansel';
		const reached = await depths(site, 'tidewatch.example');
		expect(reached.get(`${folder}/gauge-history`)).toBe(3);
		expect(reached.get(`${folder}/datum-shift-1998`)).toBe(4);
	});

	it('serves images of the size that pages and list declare', async () => {
		for (const { url, width, height, pageUrl } of site.pages.flatMap(({ images }) => images)) {
			const { headers, body } = await site.render(url);
			expect(headers['content-type']).toBe('image/png');
			expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([width, height]);
			const $ = load(await text(site, pageUrl));
			const image = $(`img[src="${new URL(url).pathname}"]`);
			expect([image.attr('width'), image.attr('height')]).toEqual([`${width}`, `${height}`]);
		}
		const { body } = await site.render('https://tidewatch.example/favicon.png');
		const data = body.indexOf('IDAT') + 4;
		const pixels = inflateSync(body.subarray(data, data + body.readUInt32BE(data - 8)));
		expect(pixels).toHaveLength(32 * (1 + 32));
	});

	it('has one page with a large image inside', async () => {
		const url = 'https://agentnotes.example/notes/anatomy-of-a-run';
		const [, data = ''] = /src="data:image\/png;base64,([^"]+)"/.exec(await text(site, url)) ?? [];
		expect(Buffer.from(data, 'base64').toString('latin1', 1, 4)).toBe('PNG');
		expect(data.length).toBeGreaterThan(50_000);
	});

	it('describes products, menus and videos in JSON-LD', async () => {
		const types = new Map<string, number>();
		for (const page of htmlPages) {
			const $ = load(await text(site, page.url));
			for (const element of $('script[type="application/ld+json"]')) {
				const data: unknown = JSON.parse($(element).text());
				const type = z.object({ '@type': z.string() }).parse(data)['@type'];
				types.set(type, (types.get(type) ?? 0) + 1);
			}
		}
		expect(types.get('Product')).toBeGreaterThanOrEqual(3);
		expect(types.get('CafeOrCoffeeShop')).toBe(1);
		expect(types.get('VideoObject')).toBeGreaterThanOrEqual(1);
		const { body } = await site.render('https://emberroast.example/media/pouring-at-94.mp4');
		expect(body.toString('latin1', 4, 8)).toBe('ftyp');
		expect(body.readUInt32BE(0) + body.readUInt32BE(body.readUInt32BE(0))).toBe(body.length);
	});

	it('hides the parts that need an action, and each action has its target', async () => {
		const kinds = new Set<string>();
		for (const page of htmlPages) {
			const html = await text(site, page.url);
			for (const [, attribute = '', id = ''] of html.matchAll(/data-([\w-]+)="#([\w-]+)"/g)) {
				kinds.add(attribute);
				expect(html.split(`id="${id}"`)).toHaveLength(2);
			}
			for (const [, attribute = ''] of html.matchAll(/<template[^>]* data-([\w-]+)=/g)) {
				kinds.add(attribute);
			}
		}
		expect([...kinds].sort()).toEqual([
			'after-ms',
			'filters',
			'on-enter',
			'on-scroll',
			'removes',
			'reveals',
		]);
		const cape = 'https://tidewatch.example/stations/cape-morrow';
		const $ = load(await text(site, cape));
		expect(site.find(cape)?.markdown).not.toContain('3.44 m/s');
		expect($('template#october').html()).toContain('id="september"');
		$('template').remove();
		expect($('main').text()).not.toContain('October readings');
		expect($('#october-button').attr('data-reveals')).toBe('#october');
	});
});

describe('the pages of the examples', () => {
	const site = loadSite(now, undefined, [examplePagesFolder]);

	/** The URLs in a node's parameters, but those that a person replaces. */
	const urlsIn = (parameters: object) =>
		[...JSON.stringify(parameters).matchAll(/https?:[^\\"\s]+/g)]
			.map(([url]) => url)
			.filter((url) => URL.canParse(url) && !url.includes('webhook-of-your-chat'));

	it.each(exampleFiles)('are what %s names', async (file) => {
		const { nodes } = readExample(file);
		const urls = nodes
			.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote')
			.flatMap(({ parameters }) => urlsIn(parameters));
		for (const url of urls) expect([url, (await site.render(url)).status]).toEqual([url, 200]);
	});

	it('link to each other only', async () => {
		const usual = loadSite(now);
		const own = site.pages.filter(({ url }) => usual.find(url) === undefined);
		const links = (await Promise.all(own.map(async (page) => await linksOf(site, page)))).flat();
		const answers = await Promise.all(
			links.map(async (url) => [url, (await site.render(url)).status]),
		);
		expect(own.length).toBeGreaterThan(10);
		expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
	});

	it('are not there for others', async () => {
		const url = 'https://www.iana.org/domains';
		await expect(loadSite(now).render(url)).rejects.toThrow(UnknownHostError);
	});
});

describe('changing pages', () => {
	const url = 'https://emberroast.example/shop/harbour-blend';

	it('shows in find and render what update changed, on this site only', async () => {
		const site = loadSite(now);
		const other = loadSite(now);
		expect(await text(site, url)).toContain('Sixty percent Brazil');
		site.update(`${url}/`, {
			title: 'Harbour Blend, new harvest',
			markdown: 'Half Brazil, half Peru.\n\n![New bag](/media/new-bag-300x400.png)',
			published: now.toISOString(),
		});
		const html = await text(site, url);
		expect(html).toContain('<h1>Harbour Blend, new harvest</h1>');
		expect(html).toContain('Half Brazil, half Peru.');
		expect(html).not.toContain('Sixty percent Brazil');
		expect(site.find(url)).toMatchObject({
			published: now.toISOString(),
			images: [{ title: 'New bag', width: 300, height: 400, pageUrl: url }],
		});
		const bag = await site.render('https://emberroast.example/media/new-bag-300x400.png');
		expect(bag.status).toBe(200);
		expect(await text(other, url)).toContain('Sixty percent Brazil');
	});

	it('adds and removes pages, which index, links and sitemap follow, and restores them all', async () => {
		const site = loadSite(now);
		const added = 'https://emberroast.example/shop/decaf-sample';
		const sitemap = () => text(site, 'https://emberroast.example/sitemap.xml');
		const before = site.pages.map((page) => page.url);
		site.add({ url: added, title: 'Sample', markdown: 'Ten grams.', published: now.toISOString() });
		site.remove(url);
		site.update('https://emberroast.example/about', { title: 'Who we are' });
		expect(await text(site, added)).toContain('Ten grams.');
		expect((await site.render(url)).status).toBe(404);
		expect([site.find(url), site.find(added)?.host]).toEqual([undefined, 'emberroast.example']);
		expect(await sitemap()).toContain(added);
		expect(await sitemap()).not.toContain(`${url}<`);
		site.restore();
		expect(site.pages.map((page) => page.url)).toEqual(before);
		expect(await text(site, url)).toContain('Sixty percent Brazil');
		expect(await sitemap()).not.toContain(added);
		expect(site.find('https://emberroast.example/about')?.title).not.toBe('Who we are');
	});

	it('refuses to add what is there or has no host, and to remove what is not', () => {
		const site = loadSite(now);
		const page = { title: 'Tea', markdown: 'Tea.', published: now.toISOString() };
		expect(() => site.add({ ...page, url })).toThrow(`There is such a page: ${url}`);
		expect(() => site.add({ ...page, url: 'https://tea.example/' })).toThrow('No such host');
		expect(() => site.remove('https://emberroast.example/tea')).toThrow('No such page');
	});

	it('refuses to change a page that does not exist', () => {
		expect(() => loadSite(now).update('https://emberroast.example/tea', { title: 'Tea' })).toThrow(
			'No such page: https://emberroast.example/tea',
		);
	});
});

describe('front matter', () => {
	it('is refused with the name of the file and the field', () => {
		const schema = z.object({ title: z.string() }).strict();
		expect(() => parseFrontMatter('pages/a.md', { title: 7 }, schema)).toThrow(
			/^pages\/a\.md: title: Expected string/,
		);
		expect(() => parseFrontMatter('pages/a.md', { title: 'A', colour: 1 }, schema)).toThrow(
			/^pages\/a\.md: .*'colour'/,
		);
	});
});
