import { execFile, spawn, type ExecFileOptions } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse, NodeHelpers } from 'n8n-workflow';
import { createEngine, type Engine, type WorkflowFile } from '../../test/engine/harness.cjs';
import { LoadedNodeTypes } from '../../test/engine/nodeTypes.cjs';
import { projectRoot } from '../../test/root.cjs';
import { useService } from '../../test/useService.cjs';
import { startService, type Service } from '../../test/mock/service.cjs';
import { demo, type Choice } from './demo.cjs';
import { examples } from './examples.cjs';
import { Screen } from './screen.cjs';
import { resultTable } from './tables.cjs';

// Starting n8n's engine in processes of their own takes seconds on a busy machine.
jest.setTimeout(60_000);

/** Runs Node to its end, and resolves with what it printed. */
const processOf = async (args: string[], options: ExecFileOptions) =>
	await new Promise<{ exitCode: number; stdout: string; stderr: string }>((resolve) => {
		const child = execFile(process.execPath, args, options, (_error, stdout, stderr) =>
			resolve({ exitCode: child.exitCode ?? -1, stdout: String(stdout), stderr: String(stderr) }),
		);
	});

describe('the table of results', () => {
	const url = `https://harbour.example/${'long-path/'.repeat(12)}page`;
	const result = {
		title: 'A title of several words',
		url,
		source: 'web',
		markdown: `# Title\n\n![logo](/logo.svg) A **bold** word ${'word '.repeat(200)}`,
	};

	it.each([60, 80, 120, 200])('fits into %i columns and shows the whole URL', (width) => {
		const lines = resultTable([result], width).split('\n');
		expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
		const urlColumn = lines.map((line) => line.split('│')[3]?.trim() ?? '').join('');
		expect(urlColumn).toContain(url);
	});

	it('shows the first words of a page without its title and markup', () => {
		expect(resultTable([result], 200)).toMatch(/│ A bold word word .*…/s);
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
	useService((started) => (service = started));

	const main = join(projectRoot, '.build/tools/demo/main.cjs');
	/** What `npm start` hands to the demo's own process. */
	const environment = (choice: Partial<Choice>) => ({
		...process.env,
		WEB_DATA_DEMO: JSON.stringify({ example: 'search-and-read', ...choice }),
	});

	/** Runs the demo here, and takes what it prints. */
	const run = async (choice: Partial<Choice>) => {
		const printed = { stdout: '', stderr: '' };
		const screen = new Screen(
			(line) => (printed.stdout += `${line}\n`),
			(line) => (printed.stderr += `${line}\n`),
			120,
			false,
		);
		const exitCode = await demo(screen, { example: 'search-and-read', ...choice });
		return { exitCode, ...printed };
	};

	/** What the demo prints where all goes well. */
	const shown = async (choice: Partial<Choice>): Promise<string> => {
		const { exitCode, stdout, stderr } = await run(choice);
		expect([exitCode, stderr]).toEqual([0, '']);
		return stdout;
	};

	/** The choice of an example, of the service and the key that it is run with. */
	const atService = (choice: Partial<Choice> = {}): Partial<Choice> => ({
		baseUrl: service.url,
		apiKey: service.keys.full,
		...choice,
	});

	const expectInOrder = (text: string, steps: string[]) => {
		const places = steps.map((step) => text.indexOf(step));
		expect(places).toEqual([...places].sort((one, other) => one - other));
		expect(places[0]).toBeGreaterThan(0);
	};

	/** Runs the compiled demo as its own process, as `npm start` does. */
	const runProcess = async (choice: Partial<Choice> = {}) =>
		await processOf([main], { timeout: 50_000, env: environment(choice) });

	it('shows results of the query, read from the service that it was pointed at', async () => {
		const stdout = await shown(atService({ query: 'espresso at home' }));

		const [request] = service.log.of('POST', '/v2/search');
		expect(request.body).toMatchObject({ query: 'espresso at home' });
		expect(stdout).toContain('Espresso at home');
		expect(stdout).toMatch(/Credits used: [1-9]/);
		expect(stdout).not.toContain(service.keys.full);
	});

	it('starts a service of its own when it is given none', async () => {
		const { exitCode, stdout, stderr } = await runProcess();

		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
		expect(stdout).toMatch(/mock server listens on http:\/\/127\.0\.0\.1:\d+/);
		expect(stdout).toMatch(/Credits used: [1-9]/);
		expect(stdout).toMatch(/Next:[^]*In a real n8n on this machine, without a key: npm run dev/);
	});

	it('shows what an agent does, and what it found', async () => {
		const stdout = await shown({ example: 'agent' });

		const [working, result] = stdout.split('┌');
		expectInOrder(working, [
			'emberroast.example: reads https://emberroast.example/',
			'emberroast.example: searches for emberroast',
			'emberroast.example: writes the result',
			'emberroast.example: succeeded',
		]);
		expect(result).toMatch(/Company.*Description.*E-mail.*Price/);
		expect(result).toMatch(/│ 1 .*emberroast.*│ hello@emberroast\.example +│ 8\.5 GBP/);
		expect(result).toMatch(/│ 2 .*relayworks.*│ support@relayworks\.example +│ 19 USD/);
		expect(result).toMatch(/│ 3 .*portoffice.*│ counter@portoffice\.example +│ 11 GBP/);
		expect(result).toMatch(/Credits used: \d+, all of the mock server/);
		expect(result.match(/^ +[123]\. /gm)).toHaveLength(3);
	});

	it('shows what papers say', async () => {
		const stdout = await shown({ example: 'papers' });

		expect(stdout).toMatch(/Paper.*ID.*Passage/);
		expect(stdout).toMatch(/│ 1 +│ \S+/);
		expect(stdout).toMatch(/│ 9\d{5} /);
	});

	it('prints the pages of a crawl as they come, and makes a file of each', async () => {
		const stdout = await shown({ example: 'crawl' });

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

	it('reads a list as one batch, and puts what the list says beside each page', async () => {
		const stdout = await shown({ example: 'batch' });

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

	it.each<[string, string, string, object, RegExp]>([
		[
			'agent',
			'https://emberroast.example',
			'/v2/agent',
			{ urls: ['https://emberroast.example'], schema: { type: 'object' } },
			/emberroast\.example/,
		],
		[
			'crawl',
			'https://emberroast.example/brewing',
			'/v2/crawl',
			{ url: 'https://emberroast.example/brewing', limit: 10 },
			/· The crawl \S+: completed.*emberroast-example-brewing-espresso\.md/s,
		],
		[
			'batch',
			'https://tidewatch.example/energy, https://tidewatch.example/guides',
			'/v2/batch/scrape',
			{ urls: ['https://tidewatch.example/energy', 'https://tidewatch.example/guides'] },
			/Credits used: 2/,
		],
	])('hands addresses over to the %s: %s', async (example, query, path, body, printed) => {
		const stdout = await shown(atService({ example, query }));

		expect(service.log.of('POST', path).map((entry) => entry.body)).toMatchObject([body]);
		expect(stdout).toMatch(printed);
	});

	it('shows what a watched topic has now, by one check of the trigger', async () => {
		const stdout = await shown(atService({ example: 'topic', query: 'espresso at home' }));

		const checks = service.log.of('POST', '/v2/search');
		expect(checks).toMatchObject([
			{ body: { query: 'espresso at home', sources: ['web', 'news'] } },
		]);
		expect(stdout).toMatch(/▸ New results\n.*▸ Write an entry\n/s);
		expect(stdout).toContain('Espresso at home');
		expect(stdout).toContain(`Credits used: ${checks[0].credits}`);
	});

	it('shows how a change of a page is noticed', async () => {
		const stdout = await shown({ example: 'watch' });

		const [working, result] = stdout.split('┌');
		expectInOrder(working, [
			'The workflow is active: the service has the monitor "Notify when a competitor',
			': new',
			'The page changes: ',
			'Event: changed https://tidewatch.example/guides/spring-tides',
			': changed',
			'the service has 0 monitors',
		]);
		expect(working.match(/· Event: /g)).toHaveLength(1);
		expect(working).toContain('▸ Write the message');
		expect(result).toMatch(/│ 1 .*│ changed +│ \+From 1/);
	});

	it("ends with the node's message and advice, and never shows the key", async () => {
		const { exitCode, stdout, stderr } = await runProcess({
			baseUrl: service.url,
			apiKey: service.keys.revoked,
		});

		expect(exitCode).toBe(1);
		expect(stderr).toMatch(/✖ .*Unauthorized.*\n {2}.*'API Key'/);
		expect(stdout + stderr).not.toContain(service.keys.revoked);
	});

	/** Runs a crawl, and has Ctrl-C pressed when the first page has been read. */
	const interrupted = async (choice: Partial<Choice>) => {
		const child = spawn(process.execPath, [main], {
			env: environment({ example: 'crawl', ...choice }),
		});
		let stdout = '';
		let isPressed = false;
		child.stdout.on('data', (part) => {
			stdout += String(part);
			// Once: a second Ctrl-C ends the process without the demo's farewell.
			if (isPressed || !/scraping, [1-9]/.test(stdout)) return;
			isPressed = child.kill('SIGINT');
		});
		const [exitCode] = await once(child, 'close');
		return { exitCode, stdout };
	};

	it('ends at once with 130 on Ctrl-C', async () => {
		const { exitCode, stdout } = await interrupted({});

		expect(exitCode).toBe(130);
		expect(stdout).not.toContain('Credits used');
	});

	it('cancels the job at a real service on Ctrl-C', async () => {
		const slow = await startService({ pages: { pageMs: 500 } });
		const { exitCode, stdout } = await interrupted({
			baseUrl: slow.url,
			apiKey: slow.keys.full,
			query: 'https://tidewatch.example',
		});
		const cancelled = slow.log.entries.filter(({ method }) => method === 'DELETE');
		await slow.close();

		expect(exitCode).toBe(130);
		expect(stdout).toContain('a job that runs at the service is cancelled');
		expect(cancelled).toHaveLength(1);
	});
});
