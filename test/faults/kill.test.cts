import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import type { StoredExecution } from '../engine/waiting.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { canaries, scaled, seed } from './fuzzRun.cjs';
import type { Findings } from './findings.cjs';
import { HostProcess, type HostOrder } from './hostProcess.cjs';
import { addressFindings, secretFindings, textFindings } from './secrets.cjs';

/** Processes that are killed. */
const kills = scaled(100);

const kinds = ['agent', 'batch', 'crawl'] as const;
type Kind = (typeof kinds)[number];
const waits = ['poll', 'suspend', 'none'] as const;
type Wait = (typeof waits)[number];

const starts: Record<Kind, string> = {
	agent: '/v2/agent',
	batch: '/v2/batch/scrape',
	crawl: '/v2/crawl',
};

/** How a process ends, and what follows. */
interface Setup {
	/** It is killed when the service has received so many requests: nine starts, then polls. */
	requests: number;
	/** How long the service takes to answer them, in milliseconds. */
	delayMs: number;
	/** Jobs come to their end while no process listens. */
	endWhileDown: boolean;
	/** The service calls once more when it was answered already. */
	callAgain: boolean;
}

const setups: fc.Arbitrary<Setup> = fc.record({
	requests: fc.integer({ min: 1, max: 13 }),
	delayMs: fc.constantFrom(0, 0, 20),
	endWhileDown: fc.boolean(),
	callAgain: fc.boolean(),
});

/** An execution, and the text that tells its job from others. */
interface Begun {
	kind: Kind;
	wait: Wait;
	tag: string;
}

/** Everything else that the tests await comes within this, in milliseconds: a process may never say a word. */
const patience = 120_000;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
	const begun = performance.now();
	while (!(await condition())) {
		if (performance.now() - begun > patience) throw new Error(`Never: ${String(condition)}`);
		await sleep(10);
	}
}

const orderOf = ({ kind, wait, tag }: Begun): HostOrder['begun'][number] => {
	const page = `https://tidewatch.example/guides/spring-tides?tag=${tag}`;
	const about = {
		agent: { prompt: `tide ${tag}` },
		batch: { urls: page },
		crawl: { url: page, limit: 1 },
	};
	return { parameters: { resource: kind, operation: 'run', wait, ...about[kind] } };
};

/** Processes of n8n that end without a word while executions wait in every way, and those that follow them. */
describe('a killed process', () => {
	const testBed = useTestBed();
	/** The process at work, and the one after it, which is on its way meanwhile. */
	let atWork: HostProcess;
	let ready: HostProcess;

	beforeAll(() => {
		atWork = new HostProcess();
		ready = new HostProcess();
	});
	afterAll(async () => void (await Promise.all([atWork.kill(), ready.kill()])));

	const credentials = () => ({
		webDataApi: {
			baseUrl: testBed.service.url,
			apiKey: canaries.key,
			webhookSecret: canaries.webhookSecret,
		},
	});

	/** The items of an operation, of this process. */
	const read = async (resource: string, operation: string, parameters: INodeParameters = {}) => {
		const account = { credentials: credentials() };
		const run = await testBed.run(resource, operation, parameters, { account });
		if (run.error) throw run.error;
		return run.output().map(({ json }) => json);
	};

	const startsOf = ({ kind, tag }: Begun) =>
		testBed.service.log
			.of('POST', starts[kind])
			.filter(({ body }) => JSON.stringify(body).includes(tag));

	/** The jobs of an execution at the service, and whether each goes on. */
	const jobsOf = ({ kind, tag }: Begun): Array<{ id: string; goesOn: boolean }> => {
		const { agents, pageJobs } = testBed.service.context;
		if (kind !== 'agent') {
			return pageJobs
				.active('killed', kind)
				.filter(({ about }) =>
					JSON.stringify(
						testBed.service.log.entries.find(({ id }) => id === about.requestId)?.body,
					).includes(tag),
				)
				.map(({ id }) => ({ id, goesOn: true }));
		}
		return agents.jobs
			.filter(({ about }) => about.task.prompt.includes(tag))
			.map(({ id, finished }) => ({ id, goesOn: !finished }));
	};

	/** The IDs under which jobs can be found by what docs/queue-mode.md names. */
	const found = async (): Promise<Record<Kind, unknown[]>> => {
		const activity = await read('account', 'getActivity');
		return {
			agent: (await read('agent', 'getAll', { returnAll: true })).map(({ id }) => id),
			batch: activity.map(({ id }) => id),
			crawl: (await read('crawl', 'getActive')).map(({ id }) => id),
		};
	};

	/** Lets every job come to its end, and its events be delivered. */
	const finish = async () => {
		const { clock, context } = testBed.service;
		for (let second = 0; second < 5; second += 1) {
			await clock.advance(1_000);
			await context.webhooks.idle();
		}
	};

	it.each(fc.sample(setups, { seed, numRuns: kills }).map((setup, index) => ({ ...setup, index })))(
		'leaves nothing but jobs that are found again, and another goes on (kill $index)',
		async ({ requests, delayMs, endWhileDown, callAgain }) => {
			const { service } = testBed;
			const { webhooks } = service.context;
			const findings: Findings = [];
			service.clock.hold();
			service.teams.add(
				{ id: 'killed', credits: 1e9, webhookSecret: canaries.webhookSecret },
				canaries.key,
			);
			const begun: Begun[] = kinds.flatMap((kind) =>
				waits.map((wait) => ({ kind, wait, tag: `tag-${randomUUID()}` })),
			);

			const killed = atWork;
			killed.send({ credentials: credentials(), port: 0, adopted: [], begun: begun.map(orderOf) });
			await until(() => service.log.entries.length >= requests);
			if (delayMs > 0) await sleep(delayMs);
			const printed = await killed.kill();
			await until(async () => (await service.connections()) === 0);

			const ids = await found();
			for (const each of begun) {
				const about = `${each.kind} ${each.wait}`;
				const jobs = jobsOf(each);
				const [{ status = 0 } = {}, ...more] = startsOf(each);
				if (more.length > 0) findings.push(`${about} was started again`);
				if (jobs.length !== (status === 200 ? 1 : 0))
					findings.push(`${about}: ${jobs.length} jobs`);
				for (const { id, goesOn } of jobs) {
					if (!goesOn) findings.push(`${about}: the job does not go on`);
					if (!ids[each.kind].includes(id)) findings.push(`${about}: the job is not found again`);
					const [item] = await read(each.kind, 'get', { jobId: id });
					if (item === undefined) findings.push(`${about}: the job cannot be read`);
				}
			}

			const adopted = killed.stored.filter(({ status }) => status === 'waiting');
			const jobs = new Map(begun.map((each) => [each.tag, jobsOf(each)]));
			const heir = ready;
			atWork = heir;
			ready = new HostProcess();
			if (endWhileDown) await finish();
			heir.send({ credentials: credentials(), port: killed.port, adopted, begun: [] });
			await until(() => heir.port > 0);
			if (endWhileDown) await service.clock.advance(60_000);
			await (endWhileDown ? webhooks.idle() : finish());
			await until(() => heir.ended.length >= adopted.length);
			if (callAgain) {
				for (const { webhookId } of webhooks.deliveries) await webhooks.again(webhookId);
			}
			const tagOf = ({ workflow }: StoredExecution) =>
				begun.find(({ tag }) => JSON.stringify(workflow).includes(tag))?.tag ?? '';
			if (heir.ended.length > adopted.length) findings.push('an execution went on twice');
			for (const { stored, items } of heir.ended) {
				const [{ id } = { id: '' }] = jobs.get(tagOf(stored)) ?? [];
				const whole = items.length === 1 && items[0].json.jobId === id;
				if (stored.status !== 'success' || !whole || items[0].error !== undefined) {
					findings.push(`resumed to ${stored.status} with ${JSON.stringify(items)}`);
				}
			}
			for (const each of begun) {
				if (startsOf(each).length > 1) findings.push(`${each.kind} ${each.wait}: a second job`);
			}
			findings.push(
				...secretFindings('an execution', [killed.stored, heir.ended]),
				...textFindings('what a process printed', printed.join('\n')),
				...addressFindings(service.log.entries),
			);
			expect(findings).toEqual([]);
		},
		10 * patience,
	);
});
