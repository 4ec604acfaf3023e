import type { INodeParameters } from 'n8n-workflow';
import type { Account } from '../testBed.cjs';
import { page, unknownId, useSessions } from './sessions.cjs';

const seconds = 1000;

describe('the recording of a browser session', () => {
	const sessions = useSessions();
	const { testBed, time } = sessions;

	/** A session that showed a page for some seconds and was closed. */
	async function recorded(account: Account, parameters: INodeParameters = {}): Promise<string> {
		const sessionId = await sessions.opened(account, parameters);
		const code = `await page.goto('${page}')`;
		await sessions.run('execute', { sessionId, code }, { account });
		await time.drive(testBed.service.clock.wait(8 * seconds));
		await sessions.run('delete', { sessionId }, { account });
		testBed.service.log.clear();
		return sessionId;
	}

	const tabOf = (sessionId: string) => ({
		pageId: '0',
		url: `/v2/interact/${sessionId}/replay/0`,
		pageUrl: page,
		startTimeMs: 0,
		endTimeMs: expect.any(Number),
		position: 1,
		request: { pageCount: 1 },
		sessionId,
	});
	const paths = () => sessions.requests.map(({ method, path }) => `${method} ${path}`);

	it('is one item per tab, and one request', async () => {
		const account = testBed.account();
		const sessionId = await recorded(account);

		const run = await sessions.run('getReplay', { sessionId: ` ${sessionId} ` }, { account });

		expect(run.error?.message).toBeUndefined();
		expect(run.output()).toEqual([{ json: tabOf(sessionId), pairedItem: { item: 0 } }]);
		expect(run.output()[0].json.endTimeMs).toBeGreaterThanOrEqual(8 * seconds);
		expect(paths()).toEqual([`GET /v2/interact/${sessionId}/replay`]);
		expect(testBed.service.log.entries.at(-1)?.credits).toBe(0);
	});

	it('has its playlists as text', async () => {
		const account = testBed.account();
		const sessionId = await recorded(account);

		const run = await sessions.run('getReplay', { sessionId, playlists: 'text' }, { account });

		expect(run.output()).toEqual([
			{
				json: {
					...tabOf(sessionId),
					playlist: expect.stringMatching(/^#EXTM3U\n.*https:.*#EXT-X-ENDLIST\n$/s),
				},
				pairedItem: { item: 0 },
			},
		]);
		const path = `GET /v2/interact/${sessionId}/replay`;
		expect(paths()).toEqual([path, `${path}/0`]);
	});

	it('has its playlists as files', async () => {
		const account = testBed.account();
		const sessionId = await recorded(account);
		const asText = await sessions.run('getReplay', { sessionId, playlists: 'text' }, { account });

		const run = await sessions.run('getReplay', { sessionId, playlists: 'file' }, { account });

		const [item] = run.output();
		expect(item.json).toEqual(tabOf(sessionId));
		expect(item.binary).toEqual({
			playlist: expect.objectContaining({
				fileName: 'replay-0.m3u8',
				mimeType: 'application/vnd.apple.mpegurl',
			}),
		});
		const content = await testBed.engine.binary(item, 'playlist');
		expect(content.toString()).toBe(asText.output()[0].json.playlist);
	});

	it.each<[string, INodeParameters]>([
		['an unknown session', { sessionId: unknownId }],
		['a session that was not recorded', { additionalFields: { recordSession: false } }],
	])('is an error that says why there may be none: %s', async (_name, parameters) => {
		const account = testBed.account();
		const { sessionId = await recorded(account, parameters) } = parameters;

		const run = await sessions.run('getReplay', { sessionId }, { account });

		expect(run.error?.message).toMatch(/not found \(HTTP 404\) \[item 0\]$/);
		expect(run.error?.description).toMatch(/'Record Session'.*not ready.*30 days/);
	});

	it('is an error that says what to wait for while the session runs', async () => {
		const account = testBed.account();
		const sessionId = await sessions.opened(account);

		const run = await sessions.run('getReplay', { sessionId }, { account });

		expect(run.error?.description).toMatch(/after the session was closed/);
	});

	it.each<[string, object | string, RegExp]>([
		['JSON', { success: true }, /^The response lacks a playlist/],
		['a page', '<title>Login</title>', /not JSON/],
	])('takes no %s for a playlist', async (_name, body, words) => {
		const account = testBed.account();
		const sessionId = await recorded(account);
		const path = `/v2/interact/${sessionId}/replay/0`;
		testBed.service.faults.add({ path, kind: 'status', status: 200, body });

		const run = await sessions.run(
			'getReplay',
			{ sessionId, playlists: 'text', retries: { maxTries: 1 } },
			{ account },
		);

		expect(run.error?.message).toMatch(words);
	});

	it('reads a playlist once, however many tabs there are of an ID', async () => {
		const account = testBed.account();
		const sessionId = await recorded(account);
		const path = `/v2/interact/${sessionId}/replay`;
		const pages = Array.from({ length: 50 }, () => ({ pageId: '0' }));
		testBed.service.faults.add({
			path,
			kind: 'status',
			status: 200,
			body: { success: true, pages },
		});

		const run = await sessions.run('getReplay', { sessionId, playlists: 'text' }, { account });

		expect(run.output()).toHaveLength(50);
		expect(new Set(run.output().map(({ json }) => json.playlist)).size).toBe(1);
		expect(paths()).toEqual([`GET ${path}`, `GET ${path}/0`]);
	});

	it.each<[string, unknown[], RegExp]>([
		['no list', [undefined], /lacks a list/],
		['a tab with an ID that would lead elsewhere', [[{ pageId: '../..' }]], /the ID of a tab/],
		['a tab without ID', [[{}]], /the ID of a tab/],
	])('takes no answer with %s', async (_name, [pages], words) => {
		const body = { success: true, pages };
		testBed.service.faults.add({ kind: 'status', status: 200, body });

		const run = await sessions.run('getReplay', { sessionId: unknownId, playlists: 'text' });

		expect(run.error?.message).toMatch(words);
		expect(sessions.requests).toHaveLength(1);
	});
});

describe('a stored profile', () => {
	const sessions = useSessions();
	const { testBed } = sessions;

	it('is deleted by its name', async () => {
		const account = testBed.account();

		const run = await sessions.run('deleteProfile', { name: 'shop/a b' }, { account });

		expect(run.output()).toEqual([
			{ json: { name: 'shop/a b', deleted: true }, pairedItem: { item: 0 } },
		]);
		expect(sessions.requests).toEqual([
			{
				method: 'DELETE',
				path: '/v2/interact/profiles/shop%2Fa%20b',
				query: {},
				body: undefined,
			},
		]);
	});

	it('is not deleted while a session saves to it, and the error says what to do', async () => {
		const account = testBed.account();
		const profile = { name: 'shop', saveChanges: true };
		await sessions.opened(account, { additionalFields: { profile } });

		const run = await sessions.run('deleteProfile', { name: 'shop' }, { account });

		expect(run.error).toMatchObject({ httpCode: '409' });
		expect(run.error?.description).toMatch(/^A browser session is using the profile\. Close it/);
		expect(sessions.requests).toHaveLength(1);
	});
});
