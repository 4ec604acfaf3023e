import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../engine/testBed.cjs';
import { canaries, scaled, seed } from './fuzzRun.cjs';
import type { Findings } from './findings.cjs';
import { HostProcess, type HostOrder } from './hostProcess.cjs';
import { addressFindings, secretFindings, textFindings } from './secrets.cjs';

/** Processes that are killed. */
const kills = scaled(100);

const kinds = ['agent', 'batch', 'crawl'] as const;
type Kind = (typeof kinds)[number];
const waits = ['poll', 'none'] as const;
type Wait = (typeof waits)[number];

const starts: Record<Kind, string> = {
	agent: '/v2/agent',
	batch: '/v2/batch/scrape',
	crawl: '/v2/crawl',
};

/** How a process ends, and what follows. */
interface Setup {
	/** It is killed when the service has received so many requests: six starts, then polls. */
	requests: number;
	/** How long the service takes to answer them, in milliseconds. */
	delayMs: number;
}

const setups: fc.Arbitrary<Setup> = fc.record({
	requests: fc.integer({ min: 1, max: 10 }),
	delayMs: fc.constantFrom(0, 0, 20),
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

/** Processes of n8n that end without a word while executions wait for jobs. */
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

	/** The IDs under which the service lists jobs. */
	const found = async (): Promise<unknown[]> => {
		const headers = { authorization: `Bearer ${canaries.key}`, connection: 'close' };
		const listed = await fetch(`${testBed.service.url}/v2/team/activity?limit=100`, { headers });
		const { data }: { data: Array<{ id: string }> } = JSON.parse(await listed.text());
		const crawls = await read('crawl', 'getActive');
		return [...data, ...crawls].map(({ id }) => id);
	};

	it.each(fc.sample(setups, { seed, numRuns: kills }).map((setup, index) => ({ ...setup, index })))(
		'leaves nothing but jobs that are found again (kill $index)',
		async ({ requests, delayMs }) => {
			const { service } = testBed;
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
			killed.send({ credentials: credentials(), begun: begun.map(orderOf) });
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
					if (!ids.includes(id)) findings.push(`${about}: the job is not found again`);
					const [item] = await read(each.kind, 'get', { jobId: id });
					if (item === undefined) findings.push(`${about}: the job cannot be read`);
				}
			}

			atWork = ready;
			ready = new HostProcess();
			for (const each of begun) {
				if (startsOf(each).length > 1) findings.push(`${each.kind} ${each.wait}: a second job`);
			}
			findings.push(
				...secretFindings('an execution', killed.stored),
				...textFindings('what a process printed', printed.join('\n')),
				...addressFindings(service.log.entries),
			);
			expect(findings).toEqual([]);
		},
		10 * patience,
	);
});
