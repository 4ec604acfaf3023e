import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../test/root.cjs';
import { demoKey } from '../../test/mock/teams.cjs';
import { useService } from '../../test/useService.cjs';
import type { Service } from '../../test/mock/service.cjs';
import { demo, type Choice } from './main.cjs';

let service: Service;
useService((started) => (service = started));

/** What the demo says of an example that goes well, with the mock server of its own if it is given none. */
async function shown(choice: Choice): Promise<string> {
	const lines: string[] = [];
	expect(await demo(choice, (line) => lines.push(line))).toBe(0);
	return lines.join('\n');
}

it.each([
	['agent', /1\. Ember Roast\n.*\n.*hello@emberroast\.example\n +8\.5\n.*2\. Relayworks/s],
	['papers', /1\. .*tide.*\n +9\d{5}\n +\S.*Credits used: 0/is],
	['crawl', /1\. tidewatch-example\.md\n.* kB\n.*Credits used: 10/s],
])('shows the example %s without a key', async (example, said) => {
	expect(await shown({ example })).toMatch(said);
});

it.each([
	['search-and-read', 'espresso at home', 'search', { query: 'espresso at home' }],
	['crawl', 'https://emberroast.example', 'crawl', { url: 'https://emberroast.example' }],
])('asks the given service: %s, %s', async (example, query, path, body) => {
	const access = { baseUrl: service.url, apiKey: demoKey };
	const said = await shown({ example, query, ...access });

	const requests = service.log.of('POST', `/v2/${path}`);
	expect(requests.map((entry) => entry.body)).toMatchObject([body]);
	expect(said).toMatch(/emberroast.*Credits used: [1-9]/s);
});

it('ends with 130 on Ctrl-C', async () => {
	const stopped = demo({ example: 'crawl' }, (line) => {
		if (line === '▸ Crawl') process.emit('SIGINT');
	});

	expect(await stopped).toBe(130);
});

it("is a program that ends with the node's message and advice, and never shows the key", () => {
	const apiKey = 'fc-of-nobody';
	const choice = { example: 'search-and-read', apiKey };
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[join(projectRoot, '.build/tools/demo/main.cjs')],
		{ encoding: 'utf8', env: { ...process.env, WEB_DATA_DEMO: JSON.stringify(choice) } },
	);

	expect([status, stdout.includes(apiKey)]).toEqual([1, false]);
	expect(stderr).toMatch(/✖ .*Unauthorized.*\n {2}.*'API Key'/);
});
