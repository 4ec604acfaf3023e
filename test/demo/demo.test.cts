import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse, NodeHelpers } from 'n8n-workflow';
import { createEngine, type Engine, type WorkflowFile } from '../engine/harness.cjs';
import { LoadedNodeTypes } from '../engine/nodeTypes.cjs';
import { projectRoot } from '../root.cjs';
import { startService, type Service } from '../service/service.cjs';
import { examples } from './examples.cjs';
import { firstWords, resultTable } from './resultTable.cjs';

// Starting n8n's engine in processes of their own takes seconds on a busy machine.
jest.setTimeout(60_000);

describe('the first words of a page', () => {
	it('leaves out the title and the markup', () => {
		const markdown =
			'# Title\n\n![logo](/logo.svg)\n\n- A **bold** [link](https://a.example/b)\n\n> quoted';
		expect(firstWords(markdown, 100)).toBe('A bold link quoted');
	});

	it('ends at a word and shows that there is more', () => {
		expect(firstWords('one two three four', 12)).toBe('one two…');
		expect(firstWords('one two three', 13)).toBe('one two three');
	});
});

describe('the table of results', () => {
	const url = `https://harbour.example/${'long-path/'.repeat(12)}page`;
	const result = {
		title: 'A title of several words',
		url,
		source: 'web',
		markdown: 'word '.repeat(200),
	};

	it.each([60, 80, 120, 200])('fits into %i columns and shows the whole URL', (width) => {
		const lines = resultTable([result], width).split('\n');
		expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
		const urlColumn = lines.map((line) => line.split('│')[3]?.trim() ?? '').join('');
		expect(urlColumn).toContain(url);
	});

	it('shows the description of a result that was not read', () => {
		const unread = {
			title: 'T',
			url: 'https://a.example',
			source: 'news',
			description: 'In short',
		};
		expect(resultTable([unread], 120)).toContain('In short');
	});
});

describe('the examples', () => {
	const folder = join(projectRoot, 'examples');
	let engine: Engine;

	beforeAll(async () => {
		engine = await createEngine();
	});

	afterAll(() => engine.close());

	const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

	it('that the demo offers are there', () => {
		expect(files).toEqual(expect.arrayContaining(Object.values(examples).map(({ file }) => file)));
	});

	it.each(files)('%s sets only parameters that the nodes have and show', (file) => {
		const { nodes } = jsonParse<WorkflowFile>(readFileSync(join(folder, file), 'utf8'));
		const own = nodes.filter(({ type }) => type.startsWith(engine.typeName('')));
		expect(own).not.toEqual([]);
		const nodeTypes = new LoadedNodeTypes(engine.loader);
		for (const { type, typeVersion, parameters } of own) {
			const { description } = nodeTypes.getByNameAndVersion(type, typeVersion);
			const node = { typeVersion };
			// What the node does not have, or does not show with the other parameters, is left out.
			expect(
				NodeHelpers.getNodeParameters(
					description.properties,
					parameters,
					true,
					false,
					node,
					description,
				),
			).toMatchObject(parameters);
		}
	});
});

describe('npm start', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService();
	});

	afterAll(async () => await service.close());

	/** Runs the compiled demo as its own process, as `npm start` does. */
	const demo = async (...args: string[]) =>
		await new Promise<{ exitCode: number; stdout: string; stderr: string }>((resolve) => {
			const main = join(projectRoot, '.build/test/demo/main.cjs');
			const child = execFile(
				process.execPath,
				[main, ...args],
				{ timeout: 50_000 },
				(_error, stdout, stderr) => resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
			);
		});

	it('shows results of the query, read from the service that it was pointed at', async () => {
		const { exitCode, stdout, stderr } = await demo(
			'--base-url',
			service.url,
			'--api-key',
			service.keys.full,
			'--query',
			'espresso at home',
		);

		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
		const [request] = service.log.of('POST', '/v2/search');
		expect(request.body).toMatchObject({ query: 'espresso at home' });
		expect(stdout).toContain('Espresso at home');
		expect(stdout).toMatch(/Credits used: [1-9]/);
		expect(stdout + stderr).not.toContain(service.keys.full);
	});

	it('starts a service of its own when it is given none', async () => {
		const { exitCode, stdout } = await demo();

		expect(exitCode).toBe(0);
		expect(stdout).toMatch(/stand-in service listens on http:\/\/127\.0\.0\.1:\d+/);
		expect(stdout).toMatch(/Credits used: [1-9]/);
	});

	it('shows what an agent does, and what it found', async () => {
		const { exitCode, stdout, stderr } = await demo('--example', 'agent');

		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
		const [working, result] = stdout.split('┌');
		const steps = [
			'Planning the research',
			': scrape https://',
			': search ',
			'Writing the result',
			'succeeded',
		];
		const places = steps.map((step) => working.indexOf(step));
		expect(places).toEqual([...places].sort((one, other) => one - other));
		expect(places[0]).toBeGreaterThan(0);
		expect(result).toMatch(/Company.*Description.*E-mail.*Price/);
		expect(result).toContain('emberroast.example');
		expect(result).toMatch(/Credits used: \d/);
	});

	it('hands a website over to the agent', async () => {
		const { exitCode, stdout } = await demo(
			'--base-url',
			service.url,
			'--api-key',
			service.keys.full,
			'--example',
			'agent',
			'--query',
			'https://emberroast.example',
		);

		expect(exitCode).toBe(0);
		expect(service.log.of('POST', '/v2/agent').map(({ body }) => body)).toMatchObject([
			{ urls: ['https://emberroast.example'], schema: { type: 'object' } },
		]);
		expect(stdout).toContain('emberroast.example');
	});

	it('shows what papers say', async () => {
		const { exitCode, stdout, stderr } = await demo('--example', 'papers');

		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
		expect(stdout).toMatch(/Paper.*ID.*Passage/);
		expect(stdout).toMatch(/│ 1 +│ \S+/);
		expect(stdout).toMatch(/│ 9\d{5} /);
	});

	it('prints the pages of a crawl as they come, and makes a file of each', async () => {
		const { exitCode, stdout, stderr } = await demo('--example', 'crawl');

		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
		const [working, result] = stdout.split('┌');
		const pages = [...working.matchAll(/· Read .+: (https:\/\/tidewatch\.example\S*)$/gm)];
		expect(pages).toHaveLength(10);
		const unfinished = working.search(/· The crawl \S+: scraping, [1-9] of \d+ pages/);
		const atOnce = pages.filter(({ index }) => index < unfinished).length;
		expect(atOnce).toBeGreaterThan(0);
		expect(atOnce).toBeLessThan(10);
		for (const [, url] of pages) {
			const { host, pathname } = new URL(url);
			const name = (host + pathname).replace(/[^a-z0-9]+/g, '-').replace(/-$/, '');
			expect(result).toContain(` ${name}.md `);
		}
		expect(result).toContain('Credits used: 10');
	});

	it('hands an address over to the crawl', async () => {
		const { exitCode, stdout } = await demo(
			'--base-url',
			service.url,
			'--api-key',
			service.keys.full,
			'--example',
			'crawl',
			'--query',
			'https://emberroast.example/brewing',
		);

		expect(exitCode).toBe(0);
		expect(service.log.of('POST', '/v2/crawl').map(({ body }) => body)).toMatchObject([
			{ url: 'https://emberroast.example/brewing', limit: 10 },
		]);
		expect(stdout).toMatch(/· The crawl \S+: completed/);
		expect(stdout).toContain('emberroast-example-brewing-espresso.md');
	});

	it('reads a list as one batch, and puts what the list says beside each page', async () => {
		const { exitCode, stdout, stderr } = await demo('--example', 'batch');

		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
		const [working, result] = stdout.split('┌');
		expect(working.match(/· Read .+: https:/g)).toHaveLength(3);
		expect(working).toContain('· Not read: https://nowhere.example/lost');
		expect(working.match(/· The batch \S+: completed, 3 of 3 pages/g)).toHaveLength(1);
		expect(result).toMatch(/│ 1 +│ spring-tides +│ Why spring tides/);
		expect(result).toMatch(/│ 2 +│ espresso +│ Espresso at home/);
		expect(result).toMatch(/│ 3 +│ retries +│ Retries/);
		expect(result).toMatch(/│ 4 +│ lost +│ +│ https:\/\/nowhere.+│ DNS/);
		expect(result).toContain('Credits used: 3');
	});

	it('hands a list of addresses over to the batch', async () => {
		const { exitCode } = await demo(
			'--base-url',
			service.url,
			'--api-key',
			service.keys.full,
			'--example',
			'batch',
			'--query',
			'https://tidewatch.example/energy, https://tidewatch.example/guides',
		);

		expect(exitCode).toBe(0);
		expect(service.log.of('POST', '/v2/batch/scrape').map(({ body }) => body)).toMatchObject([
			{ urls: ['https://tidewatch.example/energy', 'https://tidewatch.example/guides'] },
		]);
	});

	it('shows what a watched topic has now, by one check of the trigger', async () => {
		service.log.clear();
		const { exitCode, stdout, stderr } = await demo(
			'--base-url',
			service.url,
			'--api-key',
			service.keys.full,
			'--example',
			'topic',
			'--query',
			'espresso at home',
		);

		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
		const checks = service.log.of('POST', '/v2/search');
		expect(checks).toMatchObject([
			{ body: { query: 'espresso at home', sources: ['web', 'news'] } },
		]);
		expect(stdout).toMatch(/▸ New results\n.*▸ Write an entry\n/s);
		expect(stdout).toContain('Espresso at home');
		expect(stdout).toContain(`Credits used: ${checks[0].credits}`);
	});

	it('shows how a change of a page is noticed', async () => {
		const { exitCode, stdout, stderr } = await demo('--example', 'watch');

		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
		const [working, result] = stdout.split('┌');
		const steps = [
			'The workflow is active: the service has the monitor "Tell when a competitor',
			': new',
			'The page changes: ',
			'Event: changed https://tidewatch.example/guides/spring-tides',
			': changed',
			'the service has 0 monitors',
		];
		const places = steps.map((step) => working.indexOf(step));
		expect(places).toEqual([...places].sort((one, other) => one - other));
		expect(places[0]).toBeGreaterThan(0);
		expect(working.match(/· Event: /g)).toHaveLength(1);
		expect(working).toContain('▸ Write the message');
		expect(result).toMatch(/│ 1 .*│ changed +│ \+From 1/);
	});

	it('does not try to change a page of a real service', async () => {
		const { exitCode, stderr } = await demo('--example', 'watch', '--base-url', service.url);

		expect(exitCode).toBe(2);
		expect(stderr).toContain('leave --base-url out');
		expect(service.context.monitors.all).toEqual([]);
	});

	it("ends with the node's message and advice, and never shows the key", async () => {
		const { exitCode, stdout, stderr } = await demo(
			'--base-url',
			service.url,
			'--api-key',
			service.keys.revoked,
		);

		expect(exitCode).toBe(1);
		expect(stderr).toMatch(/✖ .*Unauthorized.*\n {2}.*'API Key'/);
		expect(stdout + stderr).not.toContain(service.keys.revoked);
	});

	it('explains a mistake on the command line', async () => {
		const { exitCode, stderr } = await demo('--querry', 'x');

		expect(exitCode).toBe(2);
		expect(stderr).toContain("Unknown option '--querry'");
		expect(stderr).toContain('--help');
	});
});
