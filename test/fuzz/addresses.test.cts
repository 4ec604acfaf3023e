import type { INodeExecutionData } from 'n8n-workflow';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { operationNames } from '../engine/operationNames.cjs';
import { useTestBed, type Account } from '../engine/testBed.cjs';
import { canaries, useCount } from './fuzzRun.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import { DirectRuns, fieldsOf, soundParameters } from './directRuns.cjs';
import { errorFindings, errorsIn } from './findings.cjs';
import { routesOf } from './routes.cjs';
import { addressFindings, secretFindings, useWrittenLines } from './secrets.cjs';

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

/**
 * What strangers write never decides where the key goes. Next pages, files and base URLs are asked in
 * test/unit/runtime/http.
 */
describe('addresses', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const runs = new DirectRuns(testBed);
	useWrittenLines();
	const countOne = useCount('IDs that lead elsewhere');

	const account = (): Account => canaryAccount(testBed.service);

	/** What may never happen, whatever was asked. */
	const expectNoHarm = (items: INodeExecutionData[]) => {
		const { entries } = testBed.service.log;
		expect(errorsIn(items).flatMap(errorFindings)).toEqual([]);
		expect(secretFindings('the items', items)).toEqual([]);
		expect(addressFindings(entries)).toEqual([]);
		expect(entries.filter(({ headers }) => 'x-injected' in headers)).toEqual([]);
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
		const sound = await time.drive(soundParameters(name, testBed.service, account()));
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

	const credits = { resource: 'account', operation: 'getCreditUsage' };

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
