import { useTestBed } from '../engine/testBed.cjs';
import { Remote } from '../remote.cjs';
import { canaries, minutes } from './fuzzRun.cjs';
import { taggedItems } from './chaosFindings.cjs';
import { operationNames, type OperationName } from '../engine/operationNames.cjs';
import { itemWithFile } from './directRuns.cjs';
import type { Look, SoakOrder, Stride } from './soakingProcess.cjs';
import { Fixtures, validParameters } from '../engine/validParameters.cjs';

/** Executions of a minute at the pace of the soak: 20 each second. */
const perMinute = 1_200;

/** Executions that do not count: what loads and compiles once is loaded then. */
const warmUp = 600;

/** The least executions that tell anything: on a busy machine they take longer. */
const least = warmUp + perMinute;

/** Bytes by which memory may grow in a minute at that pace. */
const allowed = 1024 * 1024;

/** Executions after which the process is looked at: each operation once. */
const stride = operationNames.length;

/** Longer than a rate limiter remembers a refusal, in milliseconds. */
const later = 11 * 60_000;

const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(3);

/** The slope of the line through points, by least squares. */
function slope(points: Array<[x: number, y: number]>): number {
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	const meanX = mean(points.map(([x]) => x));
	const meanY = mean(points.map(([, y]) => y));
	const covariance = points.map(([x, y]) => (x - meanX) * (y - meanY));
	const variance = points.map(([x]) => (x - meanX) ** 2);
	return mean(covariance) / mean(variance);
}

/** Execution after execution in a process of its own, each with its own credential, as in an n8n that never ends. */
describe('a long time', () => {
	const testBed = useTestBed();
	let remote: Remote<Stride, Look>;

	beforeAll(() => {
		const execArgv = ['--expose-gc', '--disable-warning=ExperimentalWarning'];
		remote = new Remote('test/fuzz/soakingProcess.cjs', { execArgv });
	});

	afterAll(async () => await remote.end());

	/** An operation, and an account of its own that has what it needs. */
	const orderOf = async ({ resource, operation }: OperationName): Promise<SoakOrder> => {
		const { service } = testBed;
		const account = testBed.account({ credits: 1e9 });
		const { webhookSecret } = canaries;
		// A key of its own that ends as the canary, by which it is found.
		const key = account.key.slice(0, -16) + canaries.key.slice(-16);
		service.teams.add(account.team, key);
		const own = new Fixtures(service, { ...account, key });
		const sound = await validParameters({ resource, operation }, own);
		return {
			credentials: { webDataApi: { baseUrl: service.url, apiKey: key, webhookSecret } },
			parameters: { resource, operation, ...sound },
			input: taggedItems(2).map((json) => ({ ...itemWithFile(), json })),
		};
	};

	/** Every operation once, each tenth request refused; resolves with what the process holds afterwards. */
	const runStride = async (options: Partial<Stride> = {}): Promise<Look> => {
		const { service } = testBed;
		service.reset();
		service.context.agents.set({ durationMs: 1 });
		service.context.pageJobs.set({ pageMs: 0 });
		const orders: SoakOrder[] = [];
		for (const name of operationNames) orders.push(await orderOf(name));
		for (let refusal = 0; refusal < stride / 10; refusal += 1) {
			const status = refusal % 2 === 0 ? 503 : 429;
			service.faults.add({ kind: 'status', status, retryAfter: 0.001, skip: 9 });
		}
		return await remote.ask({ orders, every: 60_000 / perMinute, ...options });
	};

	it(
		'takes no more memory, timers or handles, and frees the rate limiters of credentials that nobody uses',
		async () => {
			await runStride();
			const looks: Array<Look & { executions: number }> = [];
			const begun = performance.now();
			const passed = () => (performance.now() - begun) / 60_000;
			for (let executions = 0; executions < least || passed() < minutes; ) {
				executions += stride;
				looks.push({ ...(await runStride()), executions });
			}
			const took = passed();
			const counted = looks.filter(({ executions }) => executions > warmUp);
			const growth =
				slope(counted.map(({ executions, memory }) => [executions, memory])) * perMinute;
			const [first] = counted;
			const last = counted[counted.length - 1];
			const { limiters } = await runStride({ later });
			const rate = last.executions / took / 60;
			process.stdout.write(
				[
					`Soak: ${last.executions} executions in ${took.toFixed(1)} minutes, ${rate.toFixed(1)} per second`,
					`memory from ${megabytes(first.memory)} to ${megabytes(last.memory)} MB, ${megabytes(growth)} MB per ${perMinute} executions`,
					`handles at first ${JSON.stringify(first.handles)}, at last ${JSON.stringify(last.handles)}`,
					`rate limiters at last ${last.limiters}, ${limiters} after ${later / 60_000} minutes without use\n`,
				].join('; '),
			);

			expect(growth).toBeLessThan(allowed);
			expect(last.handles).toEqual(first.handles);
			expect(last.handles).not.toHaveProperty('TCPSocketWrap');
			// Those of the last stride alone: an operation has a bucket, and its polls one more.
			expect(limiters).toBeLessThan(2 * stride);
		},
		(minutes + 10) * 10 * 60_000,
	);
});
