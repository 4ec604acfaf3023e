import type { INodeExecutionData } from 'n8n-workflow';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { operationNames, type OperationName } from '../engine/operationNames.cjs';
import { Fixtures, validParameters } from '../engine/validParameters.cjs';
import { useTestBed, type Account } from '../engine/testBed.cjs';
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
	...['.', '..', ' .. ', '\t..', '../../team/credit-usage', '..\\..\\team', '..;/team', '.%2e'],
	...['%2E%2E%2F%2e%2e%2fteam', '\u2024\u2024/x', '．．／team', '\u0000', '@elsewhere.example'],
	...['//elsewhere.example/x', 'https://elsewhere.example/x'],
	...['/../../team/credit-usage', '?limit=1', '#part', '/errors', '\n', '\r\nX-Injected: 1'].map(
		(end) => `${id}${end}`,
	),
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

	/** Parameters of an operation that the service accepts, as values. */
	const soundFor = async (name: OperationName): Promise<Record<string, unknown>> => {
		const [{ tag }] = taggedItems(1);
		const own = new Fixtures(testBed.service, account());
		const stored = JSON.stringify(await time.drive(validParameters(name, own)));
		return JSON.parse(stored.replaceAll('"=', '"').replaceAll('{{ $json.tag }}', tag));
	};

	const named = operationNames.flatMap((name) =>
		fieldsOf(name).flatMap(({ name: field, options = [] }) => {
			const more = field === 'additionalFields' ? options.map((option) => option.name) : [];
			return [
				...[field].filter((each) => pathFields.test(each)),
				...more.filter((each) => pathFields.test(each)).map((each) => `additionalFields.${each}`),
			].map((each) => ({ ...name, field: each }));
		}),
	);

	it.each(named)('$resource: $operation goes where $field belongs', async ({ field, ...name }) => {
		const { log, context } = testBed.service;
		const routeOf = routesOf(context);
		const sound = await soundFor(name);
		log.clear();
		await time.drive(runs.run(name, sound));
		const intended = new Set(log.entries.map(routeOf));
		expect(intended.size).toBeGreaterThan(0);

		for (const text of hostile) {
			countOne();
			log.clear();
			const items = await time.drive(runs.run(name, withField(sound, field, text)));

			const routes = log.entries.map(routeOf);
			expect(routes.filter((route) => !intended.has(route))).toEqual([]);
			expectNoHarm(items);
		}
	});

	it.each<OperationName & { body: object }>([
		{ resource: 'crawl', operation: 'get', body: { status: 'completed', data: [{ a: 1 }] } },
		{ resource: 'batch', operation: 'get', body: { status: 'completed', data: [{ a: 1 }] } },
		{ resource: 'monitor', operation: 'getCheck', body: { data: { id, pages: [{ url: 'a' }] } } },
	])('the next page of $resource: $operation leads nowhere else', async ({ body, ...name }) => {
		const { log, faults } = testBed.service;
		const sound = await soundFor(name);
		const { host } = new URL(elsewhere.url);
		const nexts = [
			`${elsewhere.url}/v2/team/credit-usage`,
			`//${host}/v2/agent`,
			`http://user:password@${host}/v2/crawl/${id}`,
			`/v2/crawl/${id}/../../team/credit-usage`,
			`/v2//${host}/x`,
			`/v2/${elsewhere.url}/x`,
			'file:///v2/agent',
			'http://169.254.169.254/v2/latest/meta-data',
			'data:application/json,{}',
			'\u0000',
			'/v2/agent?before=1\r\nX-Injected: 1',
		];
		for (const next of nexts) {
			countOne();
			log.clear();
			faults.clear();
			faults.add({ kind: 'status', status: 200, body: { success: true, ...body, next } });

			const items = await time.drive(runs.run(name, sound));

			const [first, ...more] = log.entries.map(({ path }) => path);
			expect(more.filter((path) => path !== first)).toEqual([]);
			expect(elsewhere.requests).toEqual([]);
			expectNoHarm(items);
		}
	});

	it('files are fetched without the key, from the web alone, wherever they redirect to', async () => {
		const { log, faults, url } = testBed.service;
		const owner = account();
		const links: Array<[screenshot: string, location?: string]> = [
			[`${elsewhere.url}/v2/team/credit-usage`],
			[elsewhere.url.replace('http', 'HTTP')],
			['file:///etc/passwd'],
			['FILE:///etc/passwd'],
			['//etc/passwd'],
			['/etc/passwd'],
			['javascript:alert(1)'],
			['data:text/plain,secret'],
			['ftp://127.0.0.1/x'],
			['http://'],
			['http://127.0.0.1:1/closed.png'],
			[`${url}/v2/team/credit-usage`],
			[`${url}/go.png`, elsewhere.url],
			[`${url}/go.png`, 'file:///etc/passwd'],
			[`${url}/go.png`, `${url}/v2/agent`],
		];
		for (const [screenshot, location] of links) {
			countOne();
			log.clear();
			elsewhere.requests.length = 0;
			faults.clear();
			const body = { success: true, data: { screenshot, metadata: {} } };
			faults.add({ kind: 'status', status: 200, path: '/v2/scrape', body });
			if (location)
				faults.add({ kind: 'status', path: '/go.png', status: 302, headers: { location } });
			const options = { downloadFiles: true, maxRetryTime: 0 };
			const parameters = { url: 'https://tidewatch.example', options };
			const run = await time.drive(testBed.run('page', 'scrape', parameters, { account: owner }));

			expect(run.error?.message).toBeUndefined();
			const asked = [...elsewhere.requests, ...log.entries.slice(1)];
			expect(asked.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
			const isWeb = /^http:\/\/127\.0\.0\.1:(?!1\/)/i.test(screenshot);
			expect(asked.length > 0).toBe(isWeb);
			if (!location) expect(asked.length).toBe(isWeb ? 1 : 0);
			expect(JSON.stringify(run.output())).not.toContain('root:');
			expectNoHarm(run.output());
		}
	});

	const credits = { resource: 'account', operation: 'getCreditUsage' };

	// The others are asked in test/unit/runtime/http/credential.
	it.each([
		['a name and password', (url: string) => url.replace('//', '//user:password@')],
		['no scheme', (url: string) => url.replace('http://', '')],
		['a file', () => 'file:///etc'],
		['nothing', () => ''],
		['a line break and a header', (url: string) => `${url}\r\nX-Injected: 1 2`],
		['a null byte', (url: string) => url.replace('127', '127\u0000')],
	])('with %s as base URL nothing is sent', async (_what, of) => {
		account();
		const items = await time
			.drive(runs.run(credits, {}, { baseUrl: of(testBed.service.url) }))
			.catch((error: unknown) => [{ json: {}, error }] as INodeExecutionData[]);

		expect(testBed.service.log.entries).toEqual([]);
		expect(errorsIn(items)).toHaveLength(1);
		expectNoHarm(items);
	});

	it.each([
		['a line break', `${canaries.key}\r\nX-Injected: 1`],
		['a null byte', `${canaries.key}\u0000`],
		['letters that no header holds', `${canaries.key}ключ👍`],
	])('with %s in the key it stays in its header, and is not shown', async (_what, apiKey) => {
		account();

		const items = await time.drive(runs.run(credits, {}, { apiKey }));

		expect(testBed.service.log.entries.map(({ path }) => path)).toEqual(['/v2/team/credit-usage']);
		expectNoHarm(items);
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
