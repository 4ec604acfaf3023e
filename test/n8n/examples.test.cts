import type { INode, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import type { Team } from '../mock/teams.cjs';
import type { WorkflowFile } from './editorApi.cjs';
import { exampleFiles, readExample } from './exampleFiles.cjs';
import { ChatCompletions, type ToolCall } from './chatCompletions.cjs';
import { Listener } from './listener.cjs';
import { manualTrigger, useN8n, type Account } from './n8n.cjs';
import { until } from './until.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';

/** What is to be different about a node of an example, so that it runs beside the mock server. */
type Changes = Record<string, Partial<INode>>;

/** An example with changes: parameters that are given take the place of the file's, the others stay. */
function changed(file: string, changes: Changes): WorkflowFile {
	const workflow = readExample(file);
	for (const name of Object.keys(changes)) {
		if (!workflow.nodes.some((node) => node.name === name)) throw new Error(`No node "${name}"`);
	}
	const change = (node: INode): INode => {
		const { parameters, ...others } = changes[node.name] ?? {};
		return { ...node, ...others, parameters: { ...node.parameters, ...parameters } };
	};
	return { ...workflow, nodes: workflow.nodes.map(change) };
}

const list = (value: object) => ({ parameters: { jsonOutput: JSON.stringify(value) } });
const lines = (file: Buffer) => file.toString().replace('\uFEFF', '').trim().split('\n');
const json = (items: INodeExecutionData[]) => items.map((item) => item.json);

describe('the example workflows', () => {
	const real = useN8n('examples');
	const closing: Array<() => Promise<void>> = [];
	afterEach(async () => {
		await Promise.all(closing.splice(0).map(async (close) => await close()));
	});

	/** The chat that messages are sent to. */
	const listen = async (): Promise<Listener> => {
		const listener = await Listener.open();
		closing.push(listener.close);
		return listener;
	};
	const sendTo = ({ url }: Listener): Partial<INode> => ({ disabled: false, parameters: { url } });
	const texts = ({ received }: Listener) =>
		z
			.array(z.object({ text: z.string() }))
			.parse(received)
			.map(({ text }) => text);
	const spent = ({ team }: { team: Team }) => real.n8n.service.context.ledger.spent(team.id);

	/** Runs an example that a person starts. */
	const run = async (file: string, account: Account, changes: Changes = {}) =>
		(await real.n8n.run(changed(file, changes), account)).succeeded();

	/** Stores an example whose trigger listens from now on. Resolves with its id. */
	const publish = async (file: string, { credential }: Account, changes: Changes = {}) => {
		const id = await real.n8n.api.createWorkflow(changed(file, changes), credential);
		await real.n8n.api.activate(id);
		return id;
	};

	/** A model that makes these calls, and what asks for it in an example: its credential, and the chat model. */
	const modelOf = async (calls: ToolCall[]) => {
		const models = await ChatCompletions.open();
		closing.push(async () => await models.close());
		const model = models.model(calls);
		const key = { apiKey: 'key-of-nobody', url: models.url };
		const openAiApi = await real.n8n.api.createCredential('Model', key, 'openAiApi');
		const parameters = { model: { __rl: true, mode: 'id', value: model.name } };
		const credentials = { openAiApi };
		return { model, credentials, changes: { 'Chat model': { credentials, parameters } } };
	};

	/** Sends a message to the chat of a stored example. */
	const say = async (id: string, chatInput: string) => {
		const sent = { sessionId: 'a', action: 'sendMessage', chatInput };
		const run = await real.n8n.api.run(id, 'When chat message received', [{ json: sent }]);
		return (await real.n8n.api.ended(run)).succeeded();
	};

	/** Sends a message to the chat of an example, whose model makes these calls. */
	const chat = async (file: string, account: Account, message: string, calls: ToolCall[]) => {
		const { model, changes } = await modelOf(calls);
		const id = await real.n8n.api.createWorkflow(changed(file, changes), account.credential);
		return { execution: await say(id, message), results: model.results };
	};

	const outcomes: Record<string, () => Promise<void>> = {
		'search-and-read.json': async () => {
			const account = await real.n8n.account();
			const execution = await run('search-and-read.json', account);

			const pages = json(execution.output('Search and read'));
			expect(pages).toHaveLength(5);
			const read = pages.map(({ url, title, markdown, metadata }) => {
				const page = real.n8n.service.site.find(String(url));
				expect(title).toBe(page?.title);
				expect(markdown).toContain(page?.title);
				return z.object({ numPages: z.number().default(1) }).parse(metadata);
			});
			// PDFs are charged by the page.
			expect(spent(account)).toBe(2 + read.reduce((sum, { numPages }) => sum + numPages, 0));
		},

		'watch-a-topic.json': async () => {
			const { api } = real.n8n;
			const account = await real.n8n.account();
			const chat = await listen();
			const id = await publish('watch-a-topic.json', account, {
				'New results': { parameters: { firstCheck: 'all' } },
				'Send to chat': sendTo(chat),
			});
			const [execution] = await api.executionsOf(id, 1);
			await api.deactivate(id);

			const results = json(execution.succeeded().output('New results'));
			expect(results.length).toBeGreaterThan(0);
			const [text, ...more] = texts(chat);
			expect(more).toEqual([]);
			const [heading, ...entries] = text.split('\n\n');
			expect(heading).toBe('New on the web:');
			expect(entries.map((entry) => entry.split('\n'))).toEqual(
				results.map(({ title, description, snippet, url }) => [
					`• ${String(title)}`,
					description ?? snippet,
					url,
				]),
			);
			expect(spent(account)).toBe(2);
		},

		'watch-a-page.json': async () => {
			const { api, service } = real.n8n;
			const account = await real.n8n.account({ webhookSecret: 'whsec-of-the-team' });
			const { monitors } = service.context;
			const chat = await listen();
			const id = await publish('watch-a-page.json', account, {
				'Page changes': {
					parameters: { targets: { values: [{ type: 'scrape', urls: tides }] } },
				},
				'Send to chat': sendTo(chat),
			});
			await until('the monitor', () => monitors.of(account.team.id)[0]);
			await monitors.toNextCheck();
			const line = 'From 1 December the printed tide table has a new price: 12 euros.';
			service.site.update(tides, { markdown: `${service.site.find(tides)?.markdown}\n\n${line}` });
			await monitors.toNextCheck();

			const executions = await api.executionsOf(id, 1);
			expect(executions.map(({ status }) => status)).toEqual(['success']);
			const [text, ...more] = texts(chat);
			expect(more).toEqual([]);
			expect(text.split('\n')[0]).toBe(`${tides} has changed`);
			expect(text.split('\n')).toContain(`+${line}`);
			await api.deactivate(id);
			await until(
				'the monitor to go',
				() => monitors.of(account.team.id).length === 0 || undefined,
			);
		},

		'watch-a-price.json': async () => {
			const { api, service } = real.n8n;
			const account = await real.n8n.account();
			const chat = await listen();
			const url = 'https://tidewatch.example/shop/gauge';
			const offer = (price: number) => `price: ${price}\n\ncurrency: EUR`;
			const published = new Date().toISOString();
			service.site.add({ url, title: 'Tide gauge', markdown: offer(40), published });
			const second = (new Date().getUTCSeconds() + 15) % 60;
			const id = await publish('watch-a-price.json', account, {
				Price: {
					parameters: {
						urls: url,
						firstCheck: 'all',
						// n8n's shortest interval is a minute.
						pollTimes: { item: [{ mode: 'custom', cronExpression: `${second} * * * * *` }] },
					},
				},
				'Send to chat': sendTo(chat),
			});
			await api.executionsOf(id, 1);
			service.site.update(url, { markdown: offer(36.5) });
			const executions = await api.executionsOf(id, 2);
			await api.deactivate(id);

			expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
			const title = expect.stringMatching(/^Tide gauge/);
			expect(texts(chat).map((text) => text.split('\n'))).toEqual([
				[title, '40 EUR', url],
				[title, '40 → 36.5 EUR', url],
			]);
		},

		'watch-my-pages.json': async () => {
			const { api } = real.n8n;
			const account = await real.n8n.account();
			const chat = await listen();
			const removed = 'https://tidewatch.example/no/such/page';
			const id = await publish('watch-my-pages.json', account, {
				'My pages': { parameters: { urls: [tides, removed].join('\n'), firstCheck: 'all' } },
				'Send to chat': sendTo(chat),
			});
			const [execution] = await api.executionsOf(id, 1);
			await api.deactivate(id);

			execution.succeeded();
			expect(texts(chat).sort()).toEqual([`New: ${tides}`, `Removed: ${removed}\nHTTP 404`]);
			expect(spent(account)).toBe(2);
		},

		'watch-credits.json': async () => {
			const { api, service } = real.n8n;
			const account = await real.n8n.account({ credits: 1_000 });
			const charge = {
				teamId: account.team.id,
				requestId: 'a',
				endpoint: '/v2/crawl',
				credits: 850,
			};
			service.context.ledger.charge(charge);
			const chat = await listen();
			const workflow = changed('watch-credits.json', { 'Send to chat': sendTo(chat) });
			const id = await api.createWorkflow(workflow, account.credential);
			const execution = await api.ended(await api.run(id, 'Every morning'));

			execution.succeeded();
			expect(texts(chat)).toEqual(['Firecrawl credits are low: 150 of 1000 remain.']);
			expect(spent(account)).toBe(850);
		},

		'companies-to-table.json': async () => {
			const account = await real.n8n.account();
			const companies = [
				{ company: 'Ember Roast', website: 'https://emberroast.example/about' },
				{ company: 'Relayworks', website: 'https://relayworks.example/contact' },
			];
			const execution = await run('companies-to-table.json', account, {
				Companies: list({ companies }),
			});

			const [head, ...rows] = lines(await real.n8n.api.file(execution.output('Table')[0]));
			expect(head).toBe('company,website,description,email,price,currency');
			expect(rows).toHaveLength(2);
			for (const [place, { company, website }] of companies.entries()) {
				const description = real.n8n.service.site.find(website)?.description;
				expect(rows[place]).toContain(`${company},${website},`);
				expect(rows[place]).toContain(description);
			}
			expect(rows[0]).toContain(',4.9,');
			expect(rows[1]).toContain(',dana.whitlock@relayworks.example,');
			const { agents } = real.n8n.service.context;
			expect(agents.jobs.map(({ about }) => about.task.maxCredits)).toEqual([300, 300]);
		},

		'paper-digest.json': async () => {
			const account = await real.n8n.account();
			const execution = await run('paper-digest.json', account);

			const [file, ...more] = execution.output('Digest file');
			expect(more).toEqual([]);
			const digest = String(await real.n8n.api.file(file)).split('\n\n');
			const titles = json(execution.output('Find papers')).map(
				({ title, paperId }) => `## ${String(title)} (${String(paperId)})`,
			);
			expect(digest.filter((line) => line.startsWith('## '))).toEqual(titles);
			expect(digest.filter((line) => !line.startsWith('## '))).toEqual(
				json(execution.output('Read each paper')).map(({ text }) => `> ${String(text)}`),
			);
			expect(spent(account)).toBe(0);
		},

		'crawl-to-markdown-files.json': async () => {
			const account = await real.n8n.account();
			const execution = await run('crawl-to-markdown-files.json', account, {
				Crawl: { parameters: { url: 'https://tidewatch.example' } },
			});
			const pages = json(execution.output('Crawl'));
			const files = execution.output('Markdown files');
			expect(files).toHaveLength(10);
			for (const [place, item] of files.entries()) {
				expect(String(await real.n8n.api.file(item))).toBe(pages[place].markdown);
			}
			const names = files.map(({ binary }) => binary?.data.fileName);
			expect(new Set(names).size).toBe(10);
			expect(names).toContain('tidewatch-example-guides-spring-tides.md');
			expect(spent(account)).toBe(10);
		},

		'invoices-to-rows.json': async () => {
			const { api, server, service } = real.n8n;
			const account = await real.n8n.account();
			const id = await publish('invoices-to-rows.json', account);
			const { webhookId } = readExample('invoices-to-rows.json').nodes[0];
			const form = new FormData();
			for (const path of [
				'emberroast.example/account/invoice-2041.pdf',
				'relayworks.example/admin/invoice-0093.pdf',
			]) {
				const { body } = await service.site.render(`https://${path}`);
				const name = path.split('/').at(-1);
				form.append('field-0', new Blob([new Uint8Array(body)], { type: 'application/pdf' }), name);
			}
			await until('the form to take files', async () => {
				const answer = await fetch(`${server.url}/form/${webhookId}`, {
					method: 'POST',
					body: form,
				});
				await answer.body?.cancel();
				return answer.ok || undefined;
			});

			const [execution] = await api.executionsOf(id, 1);
			const [table] = execution.succeeded().output('Table');
			const [head, ...rows] = lines(await api.file(table));
			expect(head).toBe('file,invoiceNumber,invoiceDate,supplier,currency,total');
			// n8n's form hands over the files in the order in which it has stored them.
			expect(rows.sort().reverse()).toEqual([
				'invoice-2041.pdf,ER-2041,2026-02-27,Ember Roast,GBP,287.88',
				'invoice-0093.pdf,RW-2026-0093,2026-03-13,Relayworks Inc.,USD,441',
			]);
			// A page and a reading by a model, and two pages and one.
			expect(spent(account)).toBe(1 + 4 + 2 + 4);
			await api.deactivate(id);
		},

		'ai-agent-with-web-tools.json': async () => {
			const account = await real.n8n.account();
			const question = 'What are spring tides?';
			const { execution, results } = await chat('ai-agent-with-web-tools.json', account, question, [
				{ tool: 'Search_the_web', arguments: { query: question } },
				{ tool: 'Read_a_page', arguments: { url: tides } },
			]);

			expect(json(execution.output('AI Agent'))).toEqual([{ output: 'Done.' }]);
			const [found, read] = results;
			expect(found).toContain(tides);
			expect(read).toContain(real.n8n.service.site.find(tides)?.title);
			// A search and a page.
			expect(spent(account)).toBe(2 + 1);
		},

		'research-with-passages.json': async () => {
			const account = await real.n8n.account();
			const { execution, results } = await chat(
				'research-with-passages.json',
				account,
				'When are spring tides?',
				[
					{ tool: 'Search_for_passages', arguments: { query: 'spring tides moon' } },
					{
						tool: 'More_of_a_page',
						arguments: ([passages]) => ({
							scrapeId: /"scrapeId":"([^"]+)"/.exec(passages)?.[1],
							about: 'spring tides',
						}),
					},
				],
			);

			expect(json(execution.output('Researcher'))).toEqual([{ output: 'Done.' }]);
			const [found, more] = results;
			expect(found).toMatch(/"number":1,.*"url":"https.*"text":"/);
			expect(found.length).toBeLessThan(4 * 1_500 * 1.2);
			expect(more).toMatch(/"markdown":"/);
			// A search and five pages, and more of one for nothing.
			expect(spent(account)).toBe(2 + 5);
		},

		'only-new-pages.json': async () => {
			const { api } = real.n8n;
			const file = 'only-new-pages.json';
			const account = await real.n8n.account();
			const { model, credentials, changes } = await modelOf([
				{ tool: 'Knowledge_base', arguments: { input: 'When do spring tides come?' } },
			]);
			const workflow = changed(file, {
				...changes,
				'Crawl the documentation': {
					parameters: { url: 'https://tidewatch.example/guides', limit: 5 },
				},
				Embeddings: { credentials },
			});
			const id = await api.createWorkflow(workflow, account.credential);
			const nightly = async () => (await api.ended(await api.run(id, 'Every night'))).succeeded();

			const first = await nightly();
			const pages = first.output('Crawl the documentation');
			expect(pages.length).toBeGreaterThan(1);
			expect(first.output('Only new or changed')).toHaveLength(pages.length);
			const again = await nightly();
			expect(again.output('Only new or changed')).toEqual([]);

			const answered = await say(id, 'When are spring tides?');
			expect(json(answered.output('Documentation expert'))).toEqual([{ output: 'Done.' }]);
			const [found] = model.results;
			expect(found).toContain(tides);
			expect(found).toMatch(/spring tide/i);
		},

		'batch-from-list.json': async () => {
			const pages = [
				{ label: 'spring-tides', url: tides },
				{ label: 'espresso', url: 'https://emberroast.example/brewing/espresso' },
				{ label: 'lost', url: 'https://nowhere.example/lost' },
			];
			const account = await real.n8n.account();
			const within = await run('batch-from-list.json', account, {
				'List of pages': list({ pages }),
			});
			expect(json(within.output('Add the label'))).toMatchObject([
				{ label: 'spring-tides', metadata: { sourceURL: tides } },
				{ label: 'espresso', metadata: { sourceURL: pages[1].url } },
				{ label: 'lost', failed: { type: 'error' } },
			]);
			expect(within.output('Say why not')).toEqual([]);
			expect(spent(account)).toBe(2);

			const many = Array.from({ length: 51 }, (_, place) => ({
				label: String(place),
				url: `${tides}?page=${place}`,
			}));
			const poor = await real.n8n.account();
			const over = await run('batch-from-list.json', poor, {
				'List of pages': list({ pages: many }),
			});
			const [{ message }] = json(over.output('Say why not'));
			expect(message).toContain('50');
			expect(over.output('Add the label')).toEqual([]);
			expect(spent(poor)).toBe(0);
		},

		'wait-without-holding.json': async () => {
			const { api, service } = real.n8n;
			const account = await real.n8n.account();
			service.clock.hold();
			const workflow = changed('wait-without-holding.json', {
				'Start the crawl': { parameters: { url: 'https://tidewatch.example/guides', limit: 2 } },
			});
			const stored = await api.createWorkflow(workflow, account.credential);
			const id = await api.run(stored, manualTrigger);
			expect((await api.ended(id)).status).toBe('waiting');
			service.clock.release();

			const awake = (await api.resumed(id)).succeeded();
			expect(json(awake.output('Get the pages')).length).toBeGreaterThan(0);
			const starts = service.log.of('POST', '/v2/crawl');
			expect(starts.filter(({ teamId }) => teamId === account.team.id)).toHaveLength(1);
		},
	};

	it('are made of nodes that this n8n has, in versions that it knows', async () => {
		const types = await real.n8n.api.nodeTypes();
		const known = new Set(
			types.flatMap(({ name, version }) => [version].flat().map((v) => `${name} ${v}`)),
		);
		const used = exampleFiles.flatMap((file) =>
			readExample(file).nodes.map(({ type, typeVersion }) => `${type} ${typeVersion}`),
		);

		expect(used.filter((type) => !known.has(type))).toEqual([]);
	});

	// mcp.test calls that one.
	it.each(exampleFiles.filter((file) => file !== 'mcp-server.json'))(
		'%s does what it promises',
		async (file) => {
			await outcomes[file]();
		},
	);
});
