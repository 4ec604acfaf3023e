import type { INodeExecutionData } from 'n8n-workflow';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { operationNames, type OperationName } from '../engine/operationNames.cjs';
import { Fixtures, validParameters } from '../engine/validParameters.cjs';
import { useTestBed, type Account } from '../engine/testBed.cjs';
import type { FaultInput } from '../mock/faults.cjs';
import { canaries, useCount } from './fuzzRun.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import { taggedItems } from './chaosFindings.cjs';
import { DirectRuns, fieldsOf } from './directRuns.cjs';
import { errorFindings, errorsIn } from './findings.cjs';
import { routesOf } from './routes.cjs';
import { addressFindings, foreignFindings, secretFindings, useWrittenLines } from './secrets.cjs';
import { useForeignHost } from './useForeignHost.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

/** Text that would lead elsewhere if it were put into an address, a path or a header as it is. */
const hostile = [
	'.',
	'..',
	'../..',
	'../../team/credit-usage',
	`${id}/../../team/credit-usage`,
	'..\\..\\team',
	'%2e%2e',
	'%2E%2E%2F%2e%2e%2fteam',
	'.%2e',
	'..;/team',
	`${id}?limit=1`,
	`${id}#part`,
	`${id}/errors`,
	`${id}\n`,
	`${id}\r\nX-Injected: 1`,
	`${id}\u0000`,
	'\u0000',
	' .. ',
	'\t..',
	'//elsewhere.example/x',
	'https://elsewhere.example/x',
	'@elsewhere.example',
	'\u2024\u2024/x',
	'．．／team',
];

/** Names of parameters, at the top or in Additional Fields, that go into paths or headers. */
const pathFields =
	/^(jobId|sessionId|id|monitorId|checkId|snapshotId|threadId|idempotencyKey|requestId|existingSessionId|cursor)$/;

/** What strangers write never decides where the key goes. */
describe('addresses', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const runs = new DirectRuns(testBed);
	useWrittenLines();
	const countOne = useCount('IDs, addresses and keys that lead elsewhere');
	const elsewhere = useForeignHost();

	const account = (): Account => canaryAccount(testBed.service);

	/** What may never happen, whatever was asked. */
	const expectNoHarm = (items: INodeExecutionData[]) => {
		const { entries } = testBed.service.log;
		expect(errorsIn(items).flatMap(errorFindings)).toEqual([]);
		expect(secretFindings('the items', items)).toEqual([]);
		expect(addressFindings(entries)).toEqual([]);
		expect(foreignFindings(elsewhere.requests)).toEqual([]);
		expect(entries.filter(({ headers }) => 'x-injected' in headers)).toEqual([]);
	};

	describe('of the API', () => {
		const named = operationNames.flatMap((name) => {
			const top = fieldsOf(name).map((field) => field.name);
			const more = fieldsOf(name)
				.filter((field) => field.name === 'additionalFields')
				.flatMap(({ options = [] }) => options.map((option) => option.name));
			return [
				...top.filter((field) => pathFields.test(field)).map((field) => ({ ...name, field })),
				...more
					.filter((field) => pathFields.test(field))
					.map((field) => ({ ...name, field: `additionalFields.${field}` })),
			];
		});

		it.each(named)(
			'$resource: $operation goes where $field belongs',
			async ({ field, ...name }) => {
				const { service } = testBed;
				const routeOf = routesOf(service.context);
				const owner = account();
				const [{ tag }] = taggedItems(1);
				const stored = await time.drive(validParameters(name, new Fixtures(service, owner)));
				const sound: Record<string, unknown> = JSON.parse(
					JSON.stringify(stored).replaceAll('"=', '"').replaceAll('{{ $json.tag }}', tag),
				);
				service.log.clear();
				await time.drive(runs.run(name, sound));
				const intended = new Set(service.log.entries.map(routeOf));

				for (const text of hostile) {
					countOne();
					service.log.clear();
					const items = await time.drive(runs.run(name, withField(sound, field, text)));

					const routes = service.log.entries.map(routeOf);
					expect(routes.filter((route) => !intended.has(route))).toEqual([]);
					expectNoHarm(items);
				}
				expect(intended.size).toBeGreaterThan(0);
			},
		);
	});

	describe('of a next page', () => {
		const lists: Array<OperationName & { body: object }> = [
			{ resource: 'crawl', operation: 'get', body: { status: 'completed', data: [{ a: 1 }] } },
			{ resource: 'batch', operation: 'get', body: { status: 'completed', data: [{ a: 1 }] } },
			{ resource: 'monitor', operation: 'getCheck', body: { data: { id, pages: [{ url: 'a' }] } } },
		];

		it.each(lists)('of $resource: $operation leads nowhere else', async ({ body, ...name }) => {
			const { service } = testBed;
			const owner = account();
			const sound = await time.drive(validParameters(name, new Fixtures(service, owner)));
			const { port } = new URL(elsewhere.url);
			const nexts = [
				`${elsewhere.url}/v2/team/credit-usage`,
				`${elsewhere.url}/v2/agent?before=1`,
				`//127.0.0.1:${port}/v2/agent`,
				`http://user:password@127.0.0.1:${port}/v2/crawl/${id}`,
				'/v2/../v2/team/credit-usage',
				`/v2/crawl/${id}/../../team/credit-usage`,
				`/v2//127.0.0.1:${port}/x`,
				`/v2/${elsewhere.url}/x`,
				'file:///etc/passwd',
				'file:///v2/agent',
				'http://169.254.169.254/v2/latest/meta-data',
				'http://[::1]/v2/x',
				'javascript:alert(1)',
				'data:application/json,{}',
				'\u0000',
				'/v2/agent?before=1\r\nX-Injected: 1',
			];
			for (const next of nexts) {
				countOne();
				service.log.clear();
				service.faults.clear();
				service.faults.add({ kind: 'status', status: 200, body: { success: true, ...body, next } });

				const items = await time.drive(runs.run(name, sound));

				const [first, ...more] = service.log.entries.map(({ path }) => path);
				expect(more.filter((path) => path !== first)).toEqual([]);
				expect(elsewhere.requests).toEqual([]);
				expectNoHarm(items);
			}
		});
	});

	describe('of files', () => {
		/** Reads a page whose screenshot is at this address, and downloads that. */
		const downloaded = async (screenshot: string, owner: Account, ...faults: FaultInput[]) => {
			const { service } = testBed;
			service.log.clear();
			elsewhere.requests.length = 0;
			service.faults.clear();
			const body = { success: true, data: { screenshot, metadata: {} } };
			service.faults.add({ kind: 'status', status: 200, path: '/v2/scrape', body }, ...faults);
			const parameters = {
				url: 'https://tidewatch.example',
				options: { downloadFiles: true, maxRetryTime: 0 },
			};
			return await time.drive(testBed.run('page', 'scrape', parameters, { account: owner }));
		};

		it('are asked for without the key, and only on the web', async () => {
			const { service } = testBed;
			const owner = account();
			const links = [
				`${elsewhere.url}/shot.png`,
				`${elsewhere.url}/v2/team/credit-usage`,
				`HTTP://127.0.0.1:${new URL(elsewhere.url).port}/x.png`,
				'file:///etc/passwd',
				'FILE:///etc/passwd',
				'//etc/passwd',
				'/etc/passwd',
				'javascript:alert(1)',
				'data:text/plain,secret',
				'ftp://127.0.0.1/x',
				'http://',
				`http://127.0.0.1:1/closed.png`,
				`${service.url}/v2/team/credit-usage`,
			];
			for (const screenshot of links) {
				countOne();
				const run = await downloaded(screenshot, owner);

				expect(run.error?.message).toBeUndefined();
				const asked = [...elsewhere.requests, ...service.log.entries.slice(1)];
				expect(asked.map(({ headers }) => headers.authorization)).toEqual(
					asked.map(() => undefined),
				);
				expect(asked.length).toBe(/^http:\/\/127\.0\.0\.1:(?!1\/)/i.test(screenshot) ? 1 : 0);
				expect(JSON.stringify(run.output())).not.toContain('root:');
				expectNoHarm(run.output());
			}
		});

		it('that redirect take no key along, and lead to no file of this machine', async () => {
			const { service } = testBed;
			const owner = account();
			for (const location of [elsewhere.url, 'file:///etc/passwd', `${service.url}/v2/agent`]) {
				const redirect = {
					kind: 'status',
					path: '/go.png',
					status: 302,
					headers: { location },
				} as const;
				const run = await downloaded(`${service.url}/go.png`, owner, redirect);

				const asked = [...elsewhere.requests, ...service.log.entries.slice(1)];
				expect(asked.length).toBeGreaterThan(0);
				expect(asked.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
				expect(JSON.stringify(run.output())).not.toContain('root:');
				expectNoHarm(run.output());
			}
		});
	});

	describe('of the credential', () => {
		const name = { resource: 'account', operation: 'getCreditUsage' };

		it.each([
			['a name and password', (url: string) => url.replace('//', '//user:password@')],
			['a name', (url: string) => url.replace('//', '//user@')],
			['no scheme', (url: string) => url.replace('http://', '')],
			['no scheme but slashes', (url: string) => url.replace('http:', '')],
			['another scheme', (url: string) => url.replace('http', 'ftp')],
			['a file', () => 'file:///etc'],
			['a query', (url: string) => `${url}?x=1`],
			['a fragment', (url: string) => `${url}#x`],
			['nothing', () => ''],
			['a scheme alone', () => 'http://'],
			['a line break and a header', (url: string) => `${url}\r\nX-Injected: 1 2`],
			['a null byte', (url: string) => url.replace('127', '127\u0000')],
			['a space', (url: string) => url.replace('127', '12 7')],
		])('with %s as base URL: nothing is sent', async (_what, of) => {
			const owner = account();
			const items = await time
				.drive(runs.run(name, {}, { baseUrl: of(testBed.service.url) }))
				.catch((error: unknown) => [{ json: {}, error }] as INodeExecutionData[]);

			expect(owner.key).toBe(canaries.key);
			expect(testBed.service.log.entries).toEqual([]);
			expect(errorsIn(items)).toHaveLength(1);
			expectNoHarm(items);
		});

		it.each([
			['a line break', `${canaries.key}\r\nX-Injected: 1`],
			['a null byte', `${canaries.key}\u0000`],
			['letters that no header holds', `${canaries.key}ключ👍`],
		])('with %s in the key: it stays in its header, and is not shown', async (_what, apiKey) => {
			account();

			const items = await time.drive(runs.run(name, {}, { apiKey }));

			expect(testBed.service.log.entries.map(({ path }) => path)).toEqual([
				'/v2/team/credit-usage',
			]);
			expectNoHarm(items);
		});
	});
});

/** Parameters with another value at a field, given by its name or by that of its collection and its own. */
function withField(
	parameters: Record<string, unknown>,
	field: string,
	value: string,
): Record<string, unknown> {
	const [name, member] = field.split('.');
	if (member === undefined) return { ...parameters, [name]: value };
	return { ...parameters, [name]: { ...Object(parameters[name]), [member]: value } };
}
