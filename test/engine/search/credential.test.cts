import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultInput } from '../../mock/faults.cjs';
import { type Service, startService } from '../../mock/service.cjs';
import type { Team } from '../../mock/teams.cjs';
import { projectRoot } from '../../root.cjs';
import { useService } from '../../useService.cjs';
import { useTestBed, type SearchOptions } from '../testBed.cjs';

const type = 'webDataApi';
const tides = 'https://tidewatch.example/guides/spring-tides';
const answer = (path: string, body: object): FaultInput => ({
	kind: 'status',
	status: 200,
	path,
	body,
});

/** Where requests go and with which key. */
describe('the credential', () => {
	const testBed = useTestBed();
	let selfHosted: Service;
	useService((started) => (selfHosted = started), { authentication: false });

	const headers = {
		values: [
			{ name: 'CF-Access-Client-Id', value: '0ddba11.access' },
			{ name: 'CF-Access-Client-Secret', value: 'cafe-f00d' },
		],
	};
	const serviceToken = {
		'cf-access-client-id': '0ddba11.access',
		'cf-access-client-secret': 'cafe-f00d',
	};

	describe('test', () => {
		const test = async (baseUrl: string, apiKey: string) =>
			await testBed.engine.testCredential(type, { baseUrl, apiKey });

		it('passes with a valid key and the headers, by the credits', async () => {
			const { key } = testBed.account({ credits: 1234 });

			const given = { baseUrl: testBed.service.url, apiKey: key, headers };
			expect(await testBed.engine.testCredential(type, given)).toEqual({
				status: 'OK',
				message: 'Connection successful! 1234 credits left.',
			});
			const [entry, ...more] = testBed.service.log.entries;
			expect(entry).toMatchObject({ method: 'GET', path: '/v2/team/credit-usage', key });
			expect(entry.headers).toMatchObject(serviceToken);
			expect(more).toEqual([]);
		});

		// As recorded from a real server without database.
		const noBalance: FaultInput = {
			kind: 'status',
			status: 500,
			path: '/v2/team/credit-usage',
			code: 'UNKNOWN_ERROR',
			error: 'An error occurred. Please check your logs for more details. Error ID: 675af025c8b0',
		};
		const noQueue: FaultInput = { kind: 'html', status: 404, path: '/v2/team/queue-status' };

		it.each<[string, FaultInput[], string[]]>([
			...[404, 500, 501, 503].map((status): [string, FaultInput[], string[]] => [
				`without a balance (${status}), by its queue`,
				[{ ...noBalance, status }],
				['credit-usage', 'queue-status'],
			]),
			[
				'of 2025, by a balance that is none',
				[
					answer('/v2/team/credit-usage', {
						success: true,
						data: { remainingCredits: 99_999_999 },
					}),
				],
				['credit-usage'],
			],
			[
				'that has neither, by its readiness',
				[noBalance, noQueue, answer('/v0/health/readiness', { status: 'ok' })],
				['credit-usage', 'queue-status', 'readiness'],
			],
		])('passes on a self-hosted server %s', async (_name, faults, asked) => {
			selfHosted.faults.add(...faults);

			expect(await test(`${selfHosted.url}/v2/`, '')).toEqual({
				status: 'OK',
				message: 'Connection successful! The server is self-hosted and has no credit balance.',
			});
			const { entries } = selfHosted.log;
			expect(entries.map(({ path }) => path.split('/').at(-1))).toEqual(asked);
			expect(entries.map(({ authorization }) => authorization)).not.toContain(true);
		});

		it.each<[string, { apiKey?: string; team?: Partial<Team> }, FaultInput[], RegExp]>([
			['a wrong key', { apiKey: 'fc-wrong' }, [], /HTTP 401.*'API Key'/],
			['no key where one is needed', { apiKey: '' }, [], /HTTP 401/],
			['a server of which nothing works', {}, [noBalance, { ...noQueue, status: 502 }], /HTTP 502/],
			[
				'the pages of another server',
				{},
				[{ kind: 'html', status: 404, path: '/*', count: 3 }],
				/not the API.*'Base URL'/,
			],
			['other JSON', {}, [answer('/*', { hello: 'world' })], /not the API.*'Base URL'/],
		])('fails with %s', async (_name, { apiKey, team }, faults, words) => {
			testBed.service.faults.add(...faults);

			const given = apiKey ?? testBed.account(team).key;
			const { status, message } = await test(testBed.service.url, given);

			expect(status).toBe('Error');
			expect(message).toMatch(words);
			expect(message).not.toContain('fc-wrong');
			if (apiKey !== undefined) expect(testBed.service.log.entries).toHaveLength(1);
		});
	});

	describe('of a server without a certificate that n8n trusts', () => {
		let front: Service;
		beforeEach(async () => {
			const pem = readFileSync(join(projectRoot, 'test/engine/search/selfSigned.pem'), 'utf8');
			front = await startService({ tls: { key: pem, cert: pem }, authentication: false });
		});
		afterEach(async () => await front.close());

		const at = (baseUrl: string, ignoreSSLIssues = false) => ({
			webDataApi: { baseUrl, apiKey: testBed.account().key, ignoreSSLIssues },
		});
		const screenshot = async (account?: SearchOptions['account']) =>
			await testBed.run(
				'page',
				'scrape',
				{ url: tides, formats: ['screenshot'], options: { downloadFiles: true } },
				{ account },
			);

		it('says what is wrong and both ways out', async () => {
			const credentials = at(front.url);
			const { status, message } = await testBed.engine.testCredential(type, credentials.webDataApi);
			const run = await testBed.search({ query: 'tide' }, { account: { credentials } });

			expect(status).toBe('Error');
			for (const text of [message, `${run.error?.message} ${run.error?.description}`]) {
				expect(text).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT.*Ignore SSL Issues.*NODE_EXTRA_CA_CERTS/);
			}
			expect(run.error?.description).toContain('Nothing was sent, and nothing was charged');
			expect(front.log.entries).toEqual([]);
		});

		it('with Ignore SSL Issues (Insecure) is used by its test, by requests and by downloads', async () => {
			const credentials = at(front.url, true);
			const { status } = await testBed.engine.testCredential(type, credentials.webDataApi);
			const [{ json, binary }] = (await screenshot({ credentials })).output();

			expect(status).toBe('OK');
			expect(json.screenshot).toContain(front.url);
			expect(json.fileErrors).toBeUndefined();
			expect(binary?.screenshot.mimeType).toBe('image/png');
		});

		it('without it is not used by downloads, and the result stays', async () => {
			const data = { screenshot: `${front.url}/shot.png`, metadata: {} };
			testBed.service.faults.add(answer('/v2/scrape', { success: true, data }));

			const [{ json }] = (await screenshot()).output();

			expect(json.fileErrors).toMatchObject({
				screenshot: expect.stringMatching(/certificate.*DEPTH_ZERO_SELF_SIGNED_CERT/),
			});
		});
	});
});
