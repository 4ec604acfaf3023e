import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { INodeExecutionData } from 'n8n-workflow';
import { exampleFiles, readExample } from './exampleFiles.cjs';
import { useN8n } from './n8n.cjs';
import { ReadyExamples } from './readyExamples.cjs';
import { until } from './until.cjs';

const lines = (file: Buffer) => file.toString().replace('\uFEFF', '').trim().split('\n');
const json = (items: INodeExecutionData[]) => items.map((item) => item.json);

const pdf = 'https://www.rfc-editor.org/rfc/pdfrfc/rfc2606.txt.pdf';
const kettle = 'https://example.com/shop/kettle';
const domains = 'https://www.iana.org/domains';
const [root, arpa] = ['root', 'arpa'].map((name) => `${domains}/${name}`);
const members = 'https://example.com/members';
const wall = 'https://walls.example/bot-check';
const nowhere = 'https://no-such-host.invalid/';

/** Every example as `npm run dev` has it: the files as they are, with credentials. */
describe('the example workflows', () => {
	const real = useN8n('examples');
	let examples: ReadyExamples;
	beforeAll(async () => {
		examples = await ReadyExamples.store(real.n8n);
	});
	afterAll(async () => await examples?.close());
	afterEach(() => real.n8n.service.site.restore());

	const idOf = (file: string) => examples.ids.get(file) ?? '';

	/** Runs an example from its first node, or another trigger, to its end. */
	const finish = async (
		file: string,
		trigger = readExample(file).nodes[0].name,
		items?: INodeExecutionData[],
	) => {
		const { api } = real.n8n;
		const started = await api.run(idOf(file), trigger, items);
		return (await api.resumed(started)).succeeded();
	};

	/** The same, without errors. */
	const run = async (...how: Parameters<typeof finish>) => {
		const execution = await finish(...how);
		expect(execution.problems()).toEqual([]);
		return execution;
	};

	/** Sends a message to the chat of an example, whose model calls each of its tools once. Resolves with its answer. */
	const ask = async (file: string, agent: string, chatInput: string) => {
		const sent = { sessionId: 'a', action: 'sendMessage', chatInput };
		const execution = await run(file, 'When chat message received', [{ json: sent }]);
		return String(json(execution.output(agent))[0].output);
	};

	/** What an example says of a page that it cannot use, and goes on. */
	const reasons = async (file: string) =>
		json((await finish(file)).output('Say why not')).map(({ message }) => message);

	/** Has the service refuse the next request to a path, which the example must say. */
	const saysWhatIsRefused = async (file: string, path: string) => {
		const body = { error: 'Invalid URL' };
		real.n8n.service.faults.add({ kind: 'status', path, status: 400, body });
		expect(await reasons(file)).toEqual([expect.stringMatching(/Invalid URL/)]);
	};

	/** Puts a bot check in the place of a page, at its own URL. */
	const wallIn = (url: string) => {
		const { site } = real.n8n.service;
		const [{ title, markdown }] = site.pages.filter((page) => page.url === wall);
		site.update(url, { title, markdown, bare: true });
	};

	/** The messages that an example would send, of a node of it. */
	const messages = async (file: string, field: string, node = 'Write the message') =>
		json((await run(file)).output(node)).map((item) => String(item[field]));

	const outcomes: Record<string, (file: string) => Promise<void>> = {
		'search-and-read.json': async (file) => {
			const pages = json((await run(file)).output('Search and read'));

			expect(pages).toHaveLength(5);
			for (const { title, markdown } of pages) expect(markdown).toContain(title);
		},

		'watch-a-topic.json': async (file) => {
			const [digest, ...more] = await messages(file, 'concatenated_entry', 'One digest');

			expect(more).toEqual([]);
			expect(digest).toMatch(/^• .+\n.+\nhttps:/);
		},

		'watch-a-page.json': async (file) => {
			const [message] = await messages(file, 'message');

			expect(message).toMatch(/^https:\/\/example\.com\/pricing has changed\n/);
			expect(message.split('\n')).toContain('+| Medium | 35 USD | 5 |');
		},

		'watch-a-price.json': async (file) => {
			expect(await messages(file, 'message')).toEqual([
				expect.stringMatching(/\n([\d.]+) → \1 [A-Z]{3}\nhttps:\/\/example\.com\/shop\/kettle$/),
			]);
		},

		'watch-my-pages.json': async (file) => {
			expect(await messages(file, 'message', 'Write the change')).toContainEqual(
				expect.stringMatching(/^Changed: https:\/\/example\.com/),
			);
		},

		'watch-credits.json': async (file) => {
			const { ledger } = real.n8n.service;
			const { id, credits } = examples.account.team;
			const left = credits - ledger.spent(id);
			const charge = { teamId: id, requestId: 'a', endpoint: '/v2/crawl', credits: left - 100 };
			ledger.charge(charge);
			const said = await messages(file, 'message');
			ledger.charge({ ...charge, credits: -charge.credits });

			expect(said).toEqual([expect.stringMatching(/are low: 100 of \d+ remain/)]);
		},

		'companies-to-table.json': async (file) => {
			const execution = await run(file);

			const [head, ...rows] = lines(await real.n8n.api.file(execution.output('Table')[0]));
			expect(head).toBe('company,website,description,email,price,currency');
			expect(rows).toHaveLength(execution.output('One item per company').length);
			expect(rows[0]).toMatch(/^n8n,https:\/\/n8n\.io,\S/);
		},

		'paper-digest.json': async (file) => {
			const execution = await run(file);

			const digest = String(await real.n8n.api.file(execution.output('Digest file')[0]));
			const titles = json(execution.output('Find papers')).map(
				({ title, paperId }) => `## ${String(title)} (${String(paperId)})`,
			);
			const parts = digest.split('\n\n');
			expect(parts.filter((line) => line.startsWith('## '))).toEqual(titles);
			expect(parts.filter((line) => !line.startsWith('## '))).toEqual(
				json(execution.output('Read each paper')).map(({ text }) => `> ${String(text)}`),
			);
		},

		'crawl-to-markdown-files.json': async (file) => {
			const execution = await run(file);

			const pages = json(execution.output('Crawl'));
			const files = execution.output('Markdown files');
			expect(files.length).toBeGreaterThan(1);
			for (const [place, item] of files.entries()) {
				expect(String(await real.n8n.api.file(item))).toBe(pages[place].markdown);
			}
			const names = files.map(({ binary }) => binary?.data.fileName);
			expect(new Set(names).size).toBe(pages.length);
			expect(names).toContain('www-iana-org-domains.md');
			const zip = (await real.n8n.api.file(execution.output('One zip')[0])).toString('latin1');
			for (const name of names) expect(zip).toContain(name);
			const document = String(await real.n8n.api.file(execution.output('One document')[0]));
			for (const { markdown } of pages) expect(document).toContain(markdown);

			const { site } = real.n8n.service;
			wallIn(root);
			site.update(arpa, { status: 404 });
			const partly = await finish(file);
			expect(json(partly.output('Say why not')).map(({ message }) => message)).toEqual(
				expect.arrayContaining([`${root}: bot check`, `${arpa}: HTTP 404`]),
			);
			expect(partly.output('Markdown files')).toHaveLength(pages.length - 2);
			await saysWhatIsRefused(file, '/v2/crawl');
		},

		'llms-txt.json': async (file) => {
			const execution = await run(file);

			const pages = json(execution.output('Read all pages'));
			const textOf = async (node: string) =>
				String(await real.n8n.api.file(execution.output(node)[0]));
			const [heading, , , , ...entries] = lines(Buffer.from(await textOf('llms.txt')));
			expect(heading).toBe('# www.iana.org');
			expect(entries).toEqual(
				pages.map(({ title, url }) =>
					expect.stringContaining(`- [${String(title)}](${String(url)})`),
				),
			);
			const full = await textOf('llms-full.txt');
			for (const { markdown } of pages) expect(full).toContain(markdown);
			expect(pages.length).toBeGreaterThan(1);

			const { site } = real.n8n.service;
			site.update(root, { redirect: wall });
			site.update(arpa, { status: 404 });
			expect(await reasons(file)).toEqual(
				expect.arrayContaining([`${wall}: bot check`, `${arpa}: HTTP 404`]),
			);
			await saysWhatIsRefused(file, '/v2/map');
		},

		'invoices-to-rows.json': async (file) => {
			const { api, server } = real.n8n;
			const id = idOf(file);
			await api.activate(id);
			const form = new FormData();
			for (const path of examples.invoices) {
				const pdf = new Blob([new Uint8Array(readFileSync(path))], { type: 'application/pdf' });
				form.append('field-0', pdf, basename(path));
			}
			const { webhookId } = readExample(file).nodes[0];
			await until('the form to take files', async () => {
				const address = `${server.url}/form/${webhookId}`;
				const answer = await fetch(address, { method: 'POST', body: form });
				await answer.body?.cancel();
				return answer.ok || undefined;
			});

			const [execution] = await api.executionsOf(id, 1);
			const [head, ...rows] = lines(await api.file(execution.succeeded().output('Table')[0]));
			expect(head).toBe('file,invoiceNumber,invoiceDate,supplier,currency,total');
			// n8n's form hands over the files in the order in which it has stored them.
			expect(rows.sort().reverse()).toEqual([
				'invoice-2041.pdf,ER-2041,2026-02-27,Ember Roast,GBP,287.88',
				'invoice-0093.pdf,RW-2026-0093,2026-03-13,Relayworks Inc.,USD,441',
			]);
			await api.deactivate(id);
		},

		'ai-agent-with-web-tools.json': async (file) => {
			const answer = await ask(file, 'AI Agent', 'spring tides');

			// A search, and a page that it found.
			expect(answer.match(/"fence":"begin/g)).toHaveLength(2);
		},

		'research-with-passages.json': async (file) => {
			const answer = await ask(file, 'Researcher', 'spring tides');

			// Passages, and more of the page of one.
			expect(answer).toContain('"number":1,');
			expect(answer.match(/"fence":"begin/g)).toHaveLength(2);
		},

		'only-new-pages.json': async (file) => {
			const first = await run(file);
			const pages = first.output('New pages');
			expect(pages.length).toBeGreaterThan(1);
			expect(first.output('Scrape the new pages')).toHaveLength(pages.length);

			expect(await ask(file, 'Documentation expert', 'crawl')).toContain('pageContent');
		},

		'cite-a-pdf.json': async (file) => {
			const execution = await run(file);

			expect(json(execution.output('One item per page'))).toEqual(
				[1, 2, 3].map((pageNumber) => ({
					page: { pageNumber, markdown: expect.any(String) as string },
					title: expect.stringContaining('RFC 2606') as string,
					url: pdf,
				})),
			);
			const answer = await ask(file, 'Reader', 'Which top-level names are reserved?');
			expect(answer).toMatch(/rfc2606\.txt\.pdf#page=\d/);

			const { site } = real.n8n.service;
			site.update(pdf, { redirect: wall });
			expect(await reasons(file)).toEqual([expect.stringMatching(/has no pages: bot check$/)]);
			site.update(pdf, { redirect: undefined, kind: 'page' });
			expect(await reasons(file)).toEqual([`${pdf} has no pages: it is no PDF`]);
			site.update(pdf, { status: 404 });
			expect(await reasons(file)).toEqual([`${pdf} has no pages: HTTP 404`]);
			site.update(pdf, { redirect: nowhere });
			expect(await reasons(file)).toEqual([expect.stringMatching(/^DNS resolution failed/)]);
		},

		'values-without-a-model.json': async (file) => {
			const row = {
				url: kettle,
				name: 'Electric Kettle',
				description: 'A kettle for a litre and a half, with a thermometer.',
			};

			expect(json((await run(file)).output('Row'))).toMatchObject([
				{ ...row, product: { sku: 'K-15', offers: { price: '39.90', priceCurrency: 'EUR' } } },
			]);

			const { site } = real.n8n.service;
			site.update(kettle, { jsonLd: undefined });
			expect(json((await run(file)).output('Row'))).toEqual([{ ...row, product: {} }]);
			site.update(kettle, { status: 404 });
			expect(await reasons(file)).toEqual([`${kettle}: HTTP 404`]);
			site.update(kettle, { redirect: wall });
			expect(await reasons(file)).toEqual([`${wall}: bot check`]);
			site.update(kettle, { redirect: nowhere });
			expect(await reasons(file)).toEqual([expect.stringMatching(/^DNS resolution failed/)]);
		},

		'crawl-a-large-site.json': async (file) => {
			const { site } = real.n8n.service;
			const published = new Date().toISOString();
			for (let page = 1; page <= 230; page += 1) {
				const title = `Page ${page}`;
				site.add({
					url: `https://docs.firecrawl.dev/many/${page}`,
					title,
					markdown: title,
					published,
				});
			}

			const execution = await run(file);

			const all = site.sitemap('https://docs.firecrawl.dev').length;
			const { jobId } = json(execution.output('First portion'))[0];
			expect(json(execution.output('Next portion'))).toEqual([
				{ jobId, skip: all, count: all % 100, noPages: 0 },
			]);
			expect(await real.n8n.api.executionIds(idOf(file), 4)).toHaveLength(4);

			for (const { url, host } of site.pages) if (host === 'docs.firecrawl.dev') wallIn(url);
			const [last] = json((await run(file)).output('Next portion'));
			expect(last).toMatchObject({ count: all % 100, noPages: all % 100 });
			await saysWhatIsRefused(file, '/v2/crawl');
		},

		'behind-a-login.json': async (file) => {
			const { api, server } = real.n8n;
			const { site } = real.n8n.service;
			const reasonsOfToday = async () =>
				json((await run(file, 'Every morning')).output('Say why not'));
			expect(await reasonsOfToday()).toEqual([
				{ message: 'https://example.com/login shows login: execute Sign in once' },
			]);

			const id = await api.run(idOf(file), 'Sign in once');
			const waiting = await api.ended(id);
			const [{ thenSend, signInHere }] = json(waiting.output('Where to sign in'));
			expect(signInHere).toMatch(/interactive=true$/);
			const form = new FormData();
			form.append('field-0', 'Yes');
			const address = new URL(String(thenSend));
			const sent = await fetch(`${server.url}${address.pathname}${address.search}`, {
				method: 'POST',
				body: form,
			});
			await sent.body?.cancel();
			(await api.resumed(id)).succeeded();

			const [{ text }] = json((await run(file, 'Every morning')).output('The page'));
			expect(text).toContain('| 1002  | 2026-11-14 | €12.00 |');

			site.update(members, { status: 404 });
			expect(await reasonsOfToday()).toEqual([{ message: `${members} shows HTTP 404` }]);
			site.update(members, { status: undefined, redirect: wall });
			expect(await reasonsOfToday()).toEqual([{ message: `${wall} shows bot check` }]);
		},

		'list-that-loads-on-scroll.json': async (file) => {
			const { site, log } = real.n8n.service;
			const links = json((await run(file)).output('Each once'));
			expect(links).toContainEqual({ url: 'https://www.iana.org/domains/root' });
			expect(new Set(links.map(({ url }) => url)).size).toBe(links.length);
			expect(log.of('POST', '/v2/scrape').at(-1)?.body).toMatchObject({
				actions: [
					{ type: 'executeJavascript', script: expect.stringContaining('scrollTo') as string },
				],
			});

			site.update(domains, { redirect: 'https://walls.example/shell' });
			expect(await reasons(file)).toEqual([expect.stringMatching(/: no links$/)]);
			site.update(domains, { redirect: undefined, status: 503 });
			expect(await reasons(file)).toEqual([`${domains}: HTTP 503`]);
			site.update(domains, { redirect: nowhere });
			expect(await reasons(file)).toEqual([expect.stringMatching(/^DNS resolution failed/)]);
		},

		'list-to-details.json': async (file) => {
			const { site } = real.n8n.service;
			site.update(root, { redirect: wall });
			site.update(arpa, { status: 404 });

			const execution = await run(file);

			const [head, ...rows] = lines(await real.n8n.api.file(execution.output('Table')[0]));
			expect(head).toMatch(/name.*purpose/);
			expect(rows.length).toBeGreaterThan(1);
			expect(
				json(execution.output('Say why not'))
					.map(({ message }) => message)
					.sort(),
			).toEqual([`${wall}: bot check`, `${arpa}: HTTP 404`].sort());

			site.update(domains, { markdown: 'Nothing yet.' });
			expect(await reasons(file)).toEqual(['The list has no entries']);
			site.update(domains, { redirect: nowhere });
			expect(await reasons(file)).toEqual([expect.stringMatching(/^DNS resolution failed/)]);
		},

		'enrich-rows-with-a-data-tool.json': async (file) => {
			const execution = await run(file);

			expect(json(execution.output('Add the row'))).toMatchObject([
				{ row: { harbour: 'Port Ansel' } },
				{ row: { harbour: 'Cape Morrow' } },
			]);

			const refused = { status: 403, body: { success: false, error: 'Terms not accepted' } };
			real.n8n.service.faults.add({ kind: 'status', path: '/v2/scrape', ...refused });
			const partly = await finish(file);
			expect(json(partly.output('Say why not'))).toEqual([
				{ message: expect.stringMatching(/: Terms not accepted/) as string },
			]);
			expect(json(partly.output('Add the row'))).toHaveLength(1);

			const off = { status: 403, body: { success: false, error: 'Tool catalogue is not enabled' } };
			real.n8n.service.faults.add({ kind: 'status', path: '/v2/search', ...off });
			expect(await reasons(file)).toEqual([expect.stringMatching(/is not enabled/)]);
		},

		'batch-from-list.json': async (file) => {
			const execution = await run(file);

			const [first, ...more] = json(execution.output('Add the label'));
			expect(first).toMatchObject({ label: 'The example domain', url: 'https://example.com/' });
			expect(more).not.toEqual([]);
			expect(execution.output('Say why not')).toEqual([]);
			const { log } = real.n8n.service;
			expect(log.of('POST', '/v2/batch/scrape')).toHaveLength(1);

			const rule = 'https://www.rfc-editor.org/rfc/rfc2606.html';
			real.n8n.service.site.update(rule, { redirect: 'https://walls.example/bot-check' });
			const walled = await run(file);
			expect(json(walled.output('Say why not'))).toEqual([
				{ message: expect.stringMatching(/: bot check$/) as string },
			]);
		},

		'wait-without-holding.json': async (file) => {
			const { api, service } = real.n8n;
			service.clock.hold();
			const before = service.log.of('POST', '/v2/crawl').length;
			const id = await api.run(idOf(file), readExample(file).nodes[0].name);
			expect((await api.ended(id)).status).toBe('waiting');
			service.clock.release();

			const awake = (await api.resumed(id)).succeeded();
			expect(awake.output('Get the pages').length).toBeGreaterThan(0);
			expect(service.log.of('POST', '/v2/crawl')).toHaveLength(before + 1);
		},
	};

	// mcp.test calls that one.
	it.each(exampleFiles.filter((file) => file !== 'mcp-server.json'))(
		'%s does what it promises',
		async (file) => {
			await outcomes[file](file);
		},
	);
});
