import { request, type Answered } from './request.cjs';
import type { Document } from './scrape/document.cjs';
import { startService, type Service } from './service.cjs';
import { keys } from './teams.cjs';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.close());
beforeEach(() => {
	service.reset();
	service.clock.hold();
});

interface SessionBody {
	id: string;
	status: string;
	cdpUrl: string;
	liveViewUrl: string;
	interactiveLiveViewUrl: string;
	expiresAt: string;
	createdAt: string;
	lastActivity: string;
	streamWebView: boolean;
	sessions: SessionBody[];
	sessionDurationMs: number;
	creditsBilled: number;
	sessionId: string;
	stdout: string;
	result: string;
	stderr: string;
	exitCode: number;
	killed: boolean;
	output: string;
	error: string;
}
type Reply = Answered<SessionBody>;

const call = (method: string, path: string, body?: unknown, key?: string): Promise<Reply> =>
	request<SessionBody>(service, method, path, body, key);
const create = (body: Record<string, unknown> = {}, key?: string): Promise<Reply> =>
	call('POST', '/v2/interact', body, key);
const run = (id: string, body: Record<string, unknown>, key?: string): Promise<Reply> =>
	call('POST', `/v2/interact/${id}/execute`, body, key);
const remove = (id: string, key?: string): Promise<Reply> =>
	call('DELETE', `/v2/interact/${id}`, undefined, key);
const opened = async (body: Record<string, unknown> = {}, key?: string): Promise<string> =>
	(await create(body, key)).body.id;
const node = async (code: string, id?: string): Promise<Reply['body']> =>
	(await run(id ?? (await opened()), { code })).body;

const seconds = 1000;
const minute = 60 * seconds;
const cape = 'https://tidewatch.example/stations/cape-morrow';

describe('a session', () => {
	test('is opened, listed, read and deleted', async () => {
		const { status, body } = await create();
		expect([status, body.success]).toEqual([200, true]);
		expect(Date.parse(body.expiresAt)).toBe(service.clock.now() + 600 * seconds);
		expect(body).toMatchObject({
			cdpUrl: expect.stringMatching(/^wss:/),
			liveViewUrl: expect.stringMatching(/^https:/),
			interactiveLiveViewUrl: expect.stringMatching(/^https:/),
		});
		await service.clock.advance(10 * seconds);
		await run(body.id, { code: '1' });
		const read = await call('GET', `/v2/interact/${body.id}`);
		expect(read.body).toMatchObject({ id: body.id, status: 'active', streamWebView: true });
		expect(Date.parse(read.body.lastActivity) - Date.parse(read.body.createdAt)).toBe(10_000);

		await service.clock.advance(51 * seconds);
		const { body: gone } = await remove(body.id);
		expect(gone).toEqual({ success: true, sessionDurationMs: 61_000, creditsBilled: 4 });
		expect(service.ledger.entries).toMatchObject([{ jobId: body.id, credits: 4 }]);
	});

	test('is recorded: its tab and the playlist of its video, once it has ended', async () => {
		const id = await opened();
		await node(`await page.goto('${cape}')`, id);
		await service.clock.advance(10 * seconds);
		const path = `/v2/interact/${id}/replay`;
		const early = await call('GET', path);
		expect([early.status, early.body.error]).toEqual([404, 'Replay not found.']);
		await remove(id);

		expect((await call('GET', path)).body).toEqual({
			success: true,
			pages: [
				{
					pageId: '0',
					url: `${path}/0`,
					pageUrl: cape,
					startTimeMs: 0,
					endTimeMs: 10 * seconds,
				},
			],
			pageCount: 1,
		});
		const { status, text } = await call('GET', `${path}/0`);
		expect(status).toBe(200);
		expect(text).toMatch(/^#EXTM3U\n/);
		expect(text.match(/^https:/gm)).toHaveLength(2);
		expect(text).toMatch(/#EXT-X-ENDLIST\n$/);
	});

	test('has no recording where there is none to see', async () => {
		const id = await opened();
		await remove(id);
		const unrecorded = await opened({ recordSession: false });
		await remove(unrecorded);
		const seen = async (of: string, page = '', key?: string): Promise<unknown[]> => {
			const { status, body } = await call(
				'GET',
				`/v2/interact/${of}/replay${page}`,
				undefined,
				key,
			);
			return [status, body.error];
		};
		expect(await seen(unrecorded)).toEqual([404, 'Replay not found.']);
		expect(await seen(id, '/7')).toEqual([404, 'Replay not found.']);
		expect(await seen(id, '/1234')).toEqual([400, 'Invalid pageId.']);
		expect(await seen('nobody')).toEqual([404, 'Browser session not found.']);
		expect((await seen(id, '', keys.plain))[0]).toBe(403);
	});

	test('a profile is forgotten when it is deleted, but not while a session saves to it', async () => {
		const profile = { name: 'shop/a', saveChanges: true };
		const path = '/v2/interact/profiles/shop%2Fa';
		const remembered = async (id: string): Promise<string> =>
			(await node(`console.log(await localStorage.getItem('cart'))`, id)).stdout;
		const first = await opened({ profile });
		await node(`await localStorage.setItem('cart', 'mug')`, first);
		expect((await call('DELETE', path)).status).toBe(409);
		await remove(first);
		const second = await opened({ profile: { ...profile, saveChanges: false } });
		expect(await remembered(second)).toBe('mug\n');

		expect((await call('DELETE', path)).body).toEqual({ success: true });
		expect((await call('DELETE', path)).body).toEqual({ success: true });
		expect(await remembered(await opened({ profile }))).toBe('null\n');
	});

	test('lists are the team’s, newest first, by status', async () => {
		const first = await opened();
		const second = await opened();
		await opened({}, keys.plain);
		await remove(first);
		const ids = async (query: string): Promise<string[]> =>
			(await call('GET', `/v2/interact${query}`)).body.sessions.map(({ id }) => id);
		expect(await ids('')).toEqual([second, first]);
		expect(await ids('?status=active')).toEqual([second]);
		expect(await ids('?status=destroyed')).toEqual([first]);
		expect((await call('GET', '/v2/interact?status=open')).status).toBe(400);
	});

	test('ends when it is too old, and is charged by the started minute', async () => {
		const id = await opened({ ttl: 90, activityTtl: 3600 });
		await service.clock.advance(90 * seconds - 1);
		expect((await run(id, { code: '1' })).status).toBe(200);
		await service.clock.advance(1);
		expect((await run(id, { code: '1' })).status).toBe(410);
		expect((await remove(id)).status).toBe(410);
		expect((await call('GET', `/v2/interact/${id}`)).body.status).toBe('destroyed');
		expect(service.ledger.entries).toMatchObject([{ jobId: id, credits: 4 }]);
	});

	test('ends when nothing happens in it', async () => {
		const id = await opened({ activityTtl: 20 });
		await service.clock.advance(15 * seconds);
		await run(id, { code: '1' });
		await service.clock.advance(15 * seconds);
		expect((await run(id, { code: '1' })).status).toBe(200);
		await service.clock.advance(20 * seconds);
		expect((await run(id, { code: '1' })).body.error).toBe('Browser session has been destroyed.');
	});

	test('is not idle while it works', async () => {
		const id = await opened({ activityTtl: 10 });
		const slept = run(id, { language: 'bash', code: 'sleep 25\necho done' });
		await service.clock.untilWaiting(3);
		await service.clock.advance(25 * seconds);
		expect((await slept).body.stdout).toBe('done\n');
		await service.clock.advance(10 * seconds - 1);
		expect((await call('GET', `/v2/interact/${id}`)).body.status).toBe('active');
		await service.clock.advance(1);
		expect((await call('GET', `/v2/interact/${id}`)).body.status).toBe('destroyed');
	});

	test('another team’s, an unknown one', async () => {
		const id = await opened();
		expect((await run(id, { code: '1' }, keys.plain)).status).toBe(403);
		expect((await remove(id, keys.plain)).status).toBe(403);
		expect((await remove('3d8f7f0e-5a65-4f6b-9d3f-7d0f2c8a9b11')).status).toBe(404);
	});

	test('as many as the plan has browsers', async () => {
		service.teams.of(keys.full).concurrency = 2;
		const first = await opened();
		await opened();
		const { status, body } = await create();
		expect([status, body.error]).toEqual([429, expect.stringContaining('maximum number')]);
		await remove(first);
		expect((await create()).status).toBe(200);
	});

	test('free plan: two created per minute', async () => {
		const first = await opened({}, keys.free);
		await remove(first, keys.free);
		await opened({}, keys.free);
		expect((await create({}, keys.free)).status).toBe(429);
	});

	test('no credits, a key of another scope, safe mode, self-hosted', async () => {
		expect((await create({}, keys.empty)).status).toBe(402);
		expect((await create({}, keys.scrapeOnly)).status).toBe(403);
		service.teams.of(keys.full).safeMode = true;
		expect(await create()).toMatchObject({ status: 403, body: { code: 'SAFE_MODE_BLOCKED' } });
		service.context.options.authentication = false;
		expect((await create()).status).toBe(501);
	});

	test.each<[string, Record<string, unknown>]>([
		['a short life', { ttl: 29 }],
		['a long life', { ttl: 3601 }],
		['a short idle time', { activityTtl: 9 }],
		['half seconds', { ttl: 30.5 }],
		['a profile without a name', { profile: {} }],
		['a long name', { profile: { name: 'x'.repeat(129) } }],
		['an unknown key', { timeout: 30 }],
		['null', { ttl: null }],
	])('%s: 400', async (_name, body) => {
		expect((await create(body)).status).toBe(400);
	});

	test('a reset forgets sessions without a charge', async () => {
		await opened();
		service.reset();
		expect((await call('GET', '/v2/interact')).body.sessions).toEqual([]);
		expect([service.clock.waiting, service.ledger.entries]).toEqual([0, []]);
	});
});

describe('a profile', () => {
	const profile = { name: 'shop', saveChanges: true };

	test('is kept when its session is deleted, for one writer at a time', async () => {
		const id = await opened({ profile });
		await node('await localStorage.setItem("basket", "3")', id);
		expect((await create({ profile: { name: 'shop' } })).status).toBe(409);
		expect((await create({ profile: { ...profile, saveChanges: false } })).status).toBe(200);
		expect((await create({ profile: { name: 'other' } })).status).toBe(200);
		expect((await create({ profile }, keys.plain)).status).toBe(200);
		await remove(id);
		const later = await opened({ profile });
		expect((await node('console.log(await localStorage.getItem("basket"))', later)).stdout).toBe(
			'3\n',
		);
	});

	test('is not kept by a reader, nor by a session that ran out', async () => {
		const reader = await opened({ profile: { ...profile, saveChanges: false } });
		await node('await localStorage.setItem("basket", "1")', reader);
		await remove(reader);
		const forgotten = await opened({ profile });
		await node('await localStorage.setItem("basket", "2")', forgotten);
		await service.clock.advance(600 * seconds);
		const later = await opened({ profile });
		expect((await node('console.log(await localStorage.getItem("basket"))', later)).stdout).toBe(
			'null\n',
		);
	});
});

describe('JavaScript', () => {
	test('drives the page, and the page stays between runs', async () => {
		const id = await opened();
		const first = await node(
			`const answer = await page.goto('${cape}');
			console.log(answer.status(), page.url(), await page.title());`,
			id,
		);
		expect(first).toMatchObject({ success: true, exitCode: 0, killed: false, stderr: '' });
		expect(first.stdout).toMatch(new RegExp(`^200 ${cape} .*Cape Morrow`));
		expect(first.result).toBe(first.stdout);
		const second = await node(
			`await page.click('#october-button');
			console.log(await page.locator('h3').allTextContents(), page.url());`,
			id,
		);
		expect(second.stdout).toBe(`[ 'October readings' ] ${cape}\n`);
	});

	test('fields, keys, waits, attributes, scripts', async () => {
		const { stdout, error } = await node(`
			await page.goto('https://emberroast.example/brewing/temperature');
			await page.fill('#roast-advice-input', 'light');
			await page.keyboard.press('Enter');
			console.log((await page.content()).includes('preheat the dripper'));
			await page.goto('https://tidewatch.example/stations/index');
			await page.goto('https://tidewatch.example/');
			console.log(await page.getAttribute('link[rel=canonical]', 'href'));
			console.log(await page.evaluate(() => document.title));
			console.log(await page.locator('h1').first().innerText());`);
		expect(error).toBeUndefined();
		expect(stdout.split('\n').slice(0, 2)).toEqual(['true', 'https://tidewatch.example/']);
	});

	test('late parts appear in the service’s time', async () => {
		const id = await opened();
		const run = node(
			`await page.goto('https://tidewatch.example/stations/live');
			await page.waitForSelector('table');
			console.log(await page.locator('td').count());`,
			id,
		);
		await service.clock.untilWaiting(3);
		await service.clock.advance(3000);
		await service.clock.untilWaiting(3);
		await service.clock.advance(1500);
		expect((await run).stdout).toBe('12\n');
	});

	test.each([
		['throws', 'console.log("before"); throw new TypeError("broken")', 'TypeError: broken'],
		['does not parse', 'const = 1', 'SyntaxError: '],
		['finds no element', 'await page.click("#none")', 'No element matches the selector #none'],
		[
			'presses a button that is not shown yet',
			`await page.goto("${cape}"); await page.click("#september-button")`,
			'No element matches the selector #september-button',
		],
		['goes nowhere', 'await page.goto("https://nowhere.example/")', 'DNS resolution failed'],
		['looks for Node itself', 'process.exit()', 'process is not defined'],
	])('that %s: 200 with success false', async (_name, code, words) => {
		const { status, body } = await run(await opened(), { code });
		expect([status, body.success, body.exitCode, body.killed]).toEqual([200, false, 1, false]);
		expect(body.stderr).toContain(words);
		expect(body.stderr).toContain(String(body.error));
	});

	test('stays inside: neither host objects nor their constructors', async () => {
		const { stdout } = await node(`
			const ways = [page, page.goto, console.log, page.title(), [].concat(page.title)];
			for (const way of ways) {
				try {
					console.log(way.constructor.constructor('return typeof process')());
				} catch (error) {
					console.log(error.name);
				}
			}`);
		expect(stdout).toBe('EvalError\n'.repeat(5));
	});

	test('that takes too long is killed and does nothing more', async () => {
		const id = await opened();
		const late = run(id, {
			code: `await page.goto('${cape}');
				console.log('waiting');
				try { await page.waitForTimeout(60_000); } catch {}
				await page.click('#october-button');`,
			timeout: 5,
		});
		await service.clock.untilWaiting(3);
		await service.clock.advance(5 * seconds);
		expect((await late).body).toMatchObject({
			success: false,
			killed: true,
			exitCode: 137,
			stdout: 'waiting\n',
			error: expect.stringContaining('stopped'),
		});
		await service.clock.advance(minute);
		expect((await node('console.log(await page.locator("h3").count())', id)).stdout).toBe('0\n');
	});

	test('that does not await a failure goes on', async () => {
		const code = 'page.goto("nowhere"); page.click("#none"); console.log(await page.title(), 1)';
		expect(await node(code)).toMatchObject({ success: true, stdout: ' 1\n' });
	});

	test('that never waits is killed as well', async () => {
		const { body } = await run(await opened(), { code: 'while (true) {}' });
		expect(body).toMatchObject({ success: false, killed: true });
	});

	test('is killed by the end of its session', async () => {
		const id = await opened();
		const running = run(id, { code: 'await page.waitForTimeout(10_000)' });
		await service.clock.untilWaiting(3);
		await remove(id);
		expect((await running).body).toMatchObject({ success: false, killed: true });
	});

	test.each<[string, Record<string, unknown>]>([
		['no code', {}],
		['empty code', { code: '' }],
		['too much code', { code: 'é'.repeat(50_001) }],
		['another language', { code: '1', language: 'ruby' }],
		['no time', { code: '1', timeout: 0 }],
		['too much time', { code: '1', timeout: 301 }],
		['a prompt', { prompt: 'Open the page' }],
		['an unknown key', { code: '1', colour: 'red' }],
	])('%s: 400', async (_name, body) => {
		expect((await run(await opened(), body)).status).toBe(400);
	});
});

describe('the other languages', () => {
	test.each([
		['bash', 'echo "Hello there"\n# done\necho 2', 0, 'Hello there\n2\n', ''],
		['bash', 'exit 3', 3, '', ''],
		['bash', 'curl example.com', 127, '', 'bash: curl: command not found\n'],
		['python', 'print("Hello")\nprint(4)', 0, 'Hello\n4\n', ''],
		[
			'python',
			'raise Exception("no")',
			1,
			'',
			'Traceback (most recent call last):\nException: no\n',
		],
		['python', 'import os', 127, '', 'bash: python3: command not found\n'],
	])('%s: %s', async (language, code, exitCode, stdout, stderr) => {
		const { body } = await run(await opened(), { language, code });
		expect(body).toMatchObject({ success: exitCode === 0, exitCode, stdout, stderr });
	});
});

describe('on a scraped page', () => {
	const scrape = async (body: Record<string, unknown> = {}, key?: string): Promise<string> => {
		const { body: answer } = await request<{ data: Document }>(
			service,
			'POST',
			'/v2/scrape',
			{ url: cape, ...body },
			key,
		);
		return String(answer.data.metadata.scrapeId);
	};
	const interact = (id: string, body: Record<string, unknown>, key?: string): Promise<Reply> =>
		call('POST', `/v2/scrape/${id}/interact`, body, key);
	const stop = (id: string, key?: string): Promise<Reply> =>
		call('DELETE', `/v2/scrape/${id}/interact`, undefined, key);
	const headings = 'console.log(await page.locator("h3").allTextContents())';

	test('code runs where the scrape was, in one session until it is stopped', async () => {
		const id = await scrape({ actions: [{ type: 'click', selector: '#october-button' }] });
		const charged = service.ledger.spent('team-full');
		const first = await interact(id, { code: headings });
		expect(first.body).toMatchObject({ success: true, stdout: "[ 'October readings' ]\n" });
		const second = await interact(id, { code: 'console.log(page.url())' });
		expect([second.body.sessionId, second.body.stdout]).toEqual([
			first.body.sessionId,
			`${cape}\n`,
		]);
		await service.clock.advance(2 * minute);
		expect((await stop(id)).body).toEqual({
			success: true,
			sessionDurationMs: 120_000,
			creditsBilled: 4,
		});
		expect(service.ledger.spent('team-full') - charged).toBe(4);
		expect((await interact(id, { code: '1' })).status).toBe(410);
		expect((await stop(id)).status).toBe(404);
	});

	test('a prompt presses what it names and answers from the page, at the price of prompts', async () => {
		const id = await scrape();
		const { body } = await interact(id, {
			prompt: 'Press "Load earlier readings", then say: which was the highest October reading?',
		});
		expect(body).toMatchObject({ success: true, exitCode: 0, killed: false });
		expect(body.output).toMatch(/October/);
		expect((await interact(id, { code: headings })).body.stdout).toContain('October readings');
		expect((await stop(id)).body.creditsBilled).toBe(7);
	});

	test('code wins over a prompt; one of them is needed', async () => {
		const id = await scrape();
		const { body } = await interact(id, { code: 'console.log(1)', prompt: 'Say two' });
		expect([body.stdout, body.output]).toEqual(['1\n', undefined]);
		expect((await interact(id, { language: 'node' })).status).toBe(400);
		expect((await interact(id, { prompt: 'x'.repeat(10_001) })).status).toBe(400);
	});

	test('failed code is 200 with success false', async () => {
		const { status, body } = await interact(await scrape(), { code: 'throw new Error("no")' });
		expect([status, body.success, body.error]).toEqual([200, false, 'no']);
	});

	test('a named session is used instead of a new one', async () => {
		const session = await opened();
		const id = await scrape();
		const { body } = await interact(id, {
			code: 'console.log(page.url())',
			existingSessionId: session,
		});
		expect([body.sessionId, body.stdout]).toEqual([session, 'about:blank\n']);
	});

	test('the scrape’s profile is the session’s', async () => {
		const id = await scrape({ profile: { name: 'shop' } });
		await interact(id, { code: 'await localStorage.setItem("a", "1")' });
		expect((await create({ profile: { name: 'shop' } })).status).toBe(409);
		await stop(id);
		const later = await opened({ profile: { name: 'shop' } });
		expect((await node('console.log(await localStorage.getItem("a"))', later)).stdout).toBe('1\n');
	});

	test('a page that cannot be opened again: 409', async () => {
		const kept = await scrape();
		const forgotten = await scrape({ zeroDataRetention: true });
		expect((await interact(forgotten, { code: '1' })).status).toBe(409);
		await service.clock.advance(60 * minute);
		expect((await interact(kept, { code: '1' })).body.error).toContain('rerun the scrape');
	});

	test('bad ids, unknown scrapes, other teams, self-hosted', async () => {
		const id = await scrape();
		const unknown = '3d8f7f0e-5a65-4f6b-9d3f-7d0f2c8a9b11';
		expect((await interact('nothing', { code: '1' })).status).toBe(400);
		expect((await interact(unknown, { code: '1' })).status).toBe(404);
		expect((await stop(unknown)).status).toBe(404);
		expect((await interact(id, { code: '1' }, keys.plain)).status).toBe(403);
		await interact(id, { code: '1' });
		expect((await stop(id, keys.plain)).status).toBe(403);
		service.context.options.authentication = false;
		expect((await interact(id, { code: '1' })).status).toBe(501);
	});
});
