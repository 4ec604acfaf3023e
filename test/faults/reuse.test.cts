import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { canonicalJson, requestKey } from '../../nodes/runtime/jobs/requestKey';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import type { Engine } from '../engine/harness.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { freshEngine } from '../engine/trigger/triggers.cjs';
import { replay, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { asRequest } from '../unit/requests.cjs';

type Body = Record<string, unknown>;

const name = fc.constantFrom('url', 'urls', 'limit', 'schema', '0', '1', '10', '__proto__', ',":{');
const leaf = fc.oneof(
	fc.constantFrom<unknown>(
		null,
		true,
		false,
		0,
		1,
		-1,
		1e21,
		'',
		'1',
		'null',
		'{}',
		'[]',
		' ',
		'"',
	),
	fc.string(),
	fc.integer(),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
	value: fc.oneof(
		{ depthSize: 'small' },
		leaf,
		fc.array(tie('value'), { maxLength: 3 }),
		fc.dictionary(name, tie('value'), { maxKeys: 4 }),
	),
}));
const randomBody = fc.dictionary(name, value, { minKeys: 1, maxKeys: 5 });

/** Bodies that are like another, each by one change; some changes change nothing. */
const changes: Array<(body: Body, drawn: unknown) => unknown> = [
	(body, drawn) => ({ ...body, limit: drawn }),
	(body) => Object.fromEntries(Object.entries(body).reverse()),
	(body) => Object.fromEntries(Object.entries(body).slice(1)),
	(body) => mapped(body, (each) => (Array.isArray(each) ? [...each].reverse() : each)),
	(body) => mapped(body, (each) => (Array.isArray(each) ? each.flat() : each)),
	(body) => mapped(body, (each) => (typeof each === 'number' ? String(each) : each)),
	(body) => mapped(body, (each) => (typeof each === 'string' ? `${each} ` : each)),
	(body) => mapped(body, (each) => (each === null ? undefined : each)),
	(body) => mapped(body, (each) => JSON.stringify(each)),
	(body) => ({
		...body,
		webhook: { url: 'https://n8n.example/' },
		origin: 'n8n',
		integration: '_a',
	}),
	(body) => ({ schema: body }),
	(body) => structuredClone(body),
];

const mapped = (body: Body, change: (value: unknown) => unknown): Body =>
	Object.fromEntries(Object.entries(body).map(([key, each]) => [key, change(each)]));

/** What of a body decides what its job does, as it is sent. */
function decisive(body: unknown): unknown {
	const sent = JSON.parse(JSON.stringify(body)) as Body;
	for (const beside of ['webhook', 'origin', 'integration']) delete sent[beside];
	return sent;
}

const keyOf = (body: unknown) =>
	requestKey('an account', asRequest({ method: 'POST', path: '/crawl', body: Object(body) }));

/** Two different requests never have one key, and one request has one key however it is written. */
describe('the keys of requests', () => {
	const countOne = useCount('pairs of requests');

	it('are the same for the same requests alone', () => {
		const count = { same: 0, different: 0 };
		fc.assert(
			fc.property(randomBody, fc.constantFrom(...changes), leaf, (body, change, drawn) => {
				countOne();
				const other = change(body, drawn);
				const areSame = isDeepStrictEqual(decisive(body), decisive(other));
				count[areSame ? 'same' : 'different'] += 1;
				expect(keyOf(body) === keyOf(other)).toBe(areSame);
				expect(JSON.parse(canonicalJson(body))).toEqual(JSON.parse(JSON.stringify(body)));
			}),
			{ seed: seedOf('keys'), numRuns: scaled(10_000), ...replay() },
		);
		// Neither may be what always happens.
		expect(count.same).toBeGreaterThan(scaled(500));
		expect(count.different).toBeGreaterThan(scaled(500));
	});
});

const page = 'https://tidewatch.example/guides/spring-tides';
const other = 'https://tidewatch.example/guides/storm-surges';

/** Requests of one kind that the service's lists show alike. */
const kinds = [
	{
		path: '/v2/batch/scrape',
		bodies: [
			{ resource: 'batch', urls: page },
			{ resource: 'batch', urls: `${page}, ${other}` },
			{ resource: 'batch', urls: page, additionalFields: { maxConcurrency: 1 } },
		],
	},
	{
		path: '/v2/crawl',
		bodies: [
			{ resource: 'crawl', url: page, limit: 1 },
			{ resource: 'crawl', url: page, limit: 2 },
			{ resource: 'crawl', url: page, limit: 1, additionalFields: { delay: 1 } },
		],
	},
	{
		path: '/v2/agent',
		bodies: [
			{ resource: 'agent', prompt: 'tidal energy' },
			{ resource: 'agent', prompt: 'tidal energy', additionalFields: { maxCredits: 2400 } },
			{ resource: 'agent', prompt: 'tidal energy', additionalFields: { effort: 'low' } },
		],
	},
] satisfies Array<{ path: string; bodies: INodeParameters[] }>;

const step = fc.record({
	body: fc.nat({ max: 2 }),
	operation: fc.constantFrom('run', 'start'),
	/** How many executions there are at the same time. */
	atOnce: fc.integer({ min: 1, max: 2 }),
	fault: fc.constantFrom('none', 'none', 'cut', 'blind', 'unsent'),
	restart: fc.boolean(),
	minutes: fc.constantFrom(0, 1, 90),
});

/** However executions are lost and repeated, each gets the job of its own request, and none is started twice. */
describe('jobs that are reused', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const countOne = useCount('sequences of executions that reuse jobs');

	it('are those of the same request', async () => {
		/** The keys of the requests that the node sends for each set of parameters. */
		const keys = new Map<INodeParameters, string>();
		for (const { path, bodies } of kinds) {
			for (const body of bodies) {
				const { resource, ...set } = body;
				await time.drive(testBed.run(resource, 'start', set));
				keys.set(body, keyOf(testBed.service.log.of('POST', path).at(-1)?.body));
			}
		}
		expect(new Set(keys.values()).size).toBe(9);
		const count = { reused: 0, unsure: 0, restarts: 0 };
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...kinds),
				fc.array(step, { minLength: 2, maxLength: 6 }),
				async ({ path, bodies }, steps) => {
					countOne();
					testBed.service.reset();
					const account = testBed.account();
					const id = randomUUID();
					let engine: Engine = testBed.engine;
					/** The key of the request by which each job was started, by the service's own notes. */
					const jobs = () => {
						const started = testBed.service.log.of('POST', path).filter(({ done }) => done);
						const { entries } = testBed.service.context.activity;
						return new Map(entries.map((entry, index) => [entry.id, keyOf(started[index].body)]));
					};
					for (const { body, operation, atOnce, fault, restart, minutes } of steps) {
						if (restart) {
							engine = await freshEngine();
							count.restarts += 1;
						}
						const start = { method: 'POST', path };
						if (fault === 'cut') testBed.service.faults.add({ ...start, kind: 'truncate' });
						if (fault === 'unsent') testBed.service.faults.add({ ...start, kind: 'reset' });
						if (fault === 'blind') {
							testBed.service.faults.add({
								method: 'GET',
								path: '/v2/team/activity',
								kind: 'status',
								status: 500,
								count: 3,
							});
						}
						const running = Array.from({ length: atOnce }, async () => {
							const run = await engine.runNode({
								credentials: { ...account.credentials },
								workflowId: id,
								parameters: { operation, ...bodies[body], retries: { reuseJob: 'error' } },
								onError: 'continueRegularOutput',
							});
							return run.output().map(({ json, error }) => ({ json, message: error?.message }));
						});
						const given = (await time.drive(Promise.all(running))).flat();
						for (const { json, message } of given) {
							if (message !== undefined) {
								if (/may have the same request|could not say whether/.test(message))
									count.unsure += 1;
								continue;
							}
							if ((json.request as Body | undefined)?.reused === true) count.reused += 1;
							expect(jobs().get(String(json.jobId))).toBe(keys.get(bodies[body]));
						}
						await time.pass(minutes * 60_000);
					}
					// None was started twice.
					const started = [...jobs().values()];
					expect(new Set(started).size).toBe(started.length);
				},
			),
			{ seed: seedOf('reuse'), numRuns: scaled(60), ...replay() },
		);
		expect(count.reused).toBeGreaterThan(0);
		expect(count.unsure).toBeGreaterThan(0);
		expect(count.restarts).toBeGreaterThan(0);
	});
});
