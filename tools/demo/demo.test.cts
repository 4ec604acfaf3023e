import { spawn } from 'node:child_process';
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
import { tableOf } from './tables.cjs';

// Starting n8n's engine in processes of their own takes seconds on a busy machine.
jest.setTimeout(60_000);

/** Runs the compiled demo as its own process, as `npm start` does, and has Ctrl-C pressed once when it has printed `pressAt`. */
async function runProcess(choice: Partial<Choice>, pressAt?: RegExp) {
	const child = spawn(process.execPath, [join(projectRoot, '.build/tools/demo/main.cjs')], {
		env: {
			...process.env,
			WEB_DATA_DEMO: JSON.stringify({ example: 'search-and-read', ...choice }),
		},
	});
	const printed = { stdout: '', stderr: '' };
	let isPressed = false;
	child.stderr.on('data', (part) => (printed.stderr += String(part)));
	child.stdout.on('data', (part) => {
		printed.stdout += String(part);
		if (!isPressed && pressAt?.test(printed.stdout)) isPressed = child.kill('SIGINT');
	});
	const [exitCode] = await once(child, 'close');
	return { exitCode, ...printed };
}

/** Runs the demo here, and resolves with what it prints where all goes well. */
async function shown(choice: Partial<Choice>): Promise<string> {
	const printed = { stdout: '', stderr: '' };
	const screen = new Screen(
		(line) => (printed.stdout += `${line}\n`),
		(line) => (printed.stderr += `${line}\n`),
		120,
		false,
	);
	const exitCode = await demo(screen, { example: 'search-and-read', ...choice });
	expect([exitCode, printed.stderr]).toEqual([0, '']);
	return printed.stdout;
}

describe('the table of results', () => {
	const url = `https://harbour.example/${'long-path/'.repeat(12)}page`;
	const markdown = `# Title\n\n![logo](/logo.svg) A **bold** word ${'word '.repeat(200)}`;
	const result = { title: 'A title of several words', url, source: 'web', markdown };
	const table = (width: number, item = result) =>
		tableOf([item], examples['search-and-read'].columns, width);

	it.each([60, 80, 120, 200])('fits into %i columns and shows the whole URL', (width) => {
		const lines = table(width).split('\n');
		expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
		const urlColumn = lines.map((line) => line.split('│')[3]?.trim() ?? '').join('');
		expect(urlColumn).toContain(url);
	});

	it('shows the first words of a page without its title and markup', () => {
		expect(table(200)).toMatch(/│ A bold word word .*…/s);
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
			const { properties } = description;
			expect(
				NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description),
			).toMatchObject(parameters);
		}
	});
});

describe('npm start', () => {
	let service: Service;
	useService((started) => (service = started));

	/** The choice of an example, at the service that is given with its key. */
	const atService = (choice: Partial<Choice> = {}): Partial<Choice> => ({
		baseUrl: service.url,
		apiKey: service.keys.full,
		...choice,
	});

	it('starts a service of its own when it is given none', async () => {
		const { exitCode, stdout, stderr } = await runProcess({});

		expect([exitCode, stderr]).toEqual([0, '']);
		expect(stdout).toMatch(/mock server listens on http:\/\/127\.0\.0\.1:\d+/);
		expect(stdout).toMatch(/Credits used: [1-9]/);
		expect(stdout).toMatch(/Next:[^]*In a real n8n on this machine, without a key: npm run dev/);
	});

	it('shows what an agent found', async () => {
		const result = await shown({ example: 'agent' });

		expect(result).toMatch(/Company.*Description.*E-mail.*Price/);
		expect(result).toMatch(/│ 1 .*emberroast.*│ hello@emberroast\.example +│ 8\.5 GBP/);
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

	it('makes a file of each page of a crawl', async () => {
		const result = await shown({ example: 'crawl' });

		expect(result.match(/ tidewatch-example\S*\.md /g)).toHaveLength(10);
		expect(result).toContain('Credits used: 10');
	});

	it('reads a list as one batch, and puts what the list says beside each page', async () => {
		const result = await shown({ example: 'batch' });

		expect(result).toMatch(/│ 1 +│ spring-tides +│ Why spring tides/);
		expect(result).toMatch(/│ 4 +│ lost +│ +│ https:\/\/nowhere.+│ DNS/);
		expect(result).toContain('Credits used: 3');
	});

	it.each<[string, string, string, object, RegExp]>([
		['search-and-read', 'espresso at home', 'search', {}, /Espresso at home.*Credits used: [1-9]/s],
		[
			'agent',
			'https://emberroast.example',
			'agent',
			{ urls: ['https://emberroast.example'], schema: { type: 'object' } },
			/emberroast\.example/,
		],
		[
			'crawl',
			'https://emberroast.example/brewing',
			'crawl',
			{ url: 'https://emberroast.example/brewing', limit: 10 },
			/emberroast-example-brewing-espresso\.md/,
		],
		[
			'batch',
			'https://tidewatch.example/energy, https://tidewatch.example/guides',
			'batch/scrape',
			{ urls: ['https://tidewatch.example/energy', 'https://tidewatch.example/guides'] },
			/Credits used: 2/,
		],
		[
			'topic',
			'espresso at home',
			'search',
			{ query: 'espresso at home', sources: ['web', 'news'] },
			/▸ New results\n.*▸ Write an entry\n.*Espresso at home.*Credits used: [1-9]/s,
		],
	])('hands the query over to the service: %s %s', async (example, query, path, body, printed) => {
		const stdout = await shown(atService({ example, query }));

		const requests = service.log.of('POST', `/v2/${path}`);
		expect(requests.map((entry) => entry.body)).toMatchObject([body]);
		expect(stdout).toMatch(printed);
		expect(stdout).not.toContain(service.keys.full);
	});

	it("ends with the node's message and advice, and never shows the key", async () => {
		const { exitCode, stdout, stderr } = await runProcess(
			atService({ apiKey: service.keys.revoked }),
		);

		expect(exitCode).toBe(1);
		expect(stderr).toMatch(/✖ .*Unauthorized.*\n {2}.*'API Key'/);
		expect(stdout + stderr).not.toContain(service.keys.revoked);
	});

	it('ends at once with 130 on Ctrl-C', async () => {
		const { exitCode, stdout } = await runProcess({ example: 'crawl' }, /▸ Crawl/);

		expect(exitCode).toBe(130);
		expect(stdout).not.toContain('Credits used');
	});

	it('cancels the job at a real service on Ctrl-C', async () => {
		const slow = await startService({ pages: { pageMs: 60_000 } });
		const at = { baseUrl: slow.url, apiKey: slow.keys.full, query: 'https://tidewatch.example' };
		const { exitCode, stdout } = await runProcess({ example: 'crawl', ...at }, /still working/);
		const cancelled = slow.log.entries.filter(({ method }) => method === 'DELETE');
		await slow.close();

		expect(exitCode).toBe(130);
		expect(stdout).toContain('a job that runs at the service is cancelled');
		expect(cancelled).toHaveLength(1);
	});
});
