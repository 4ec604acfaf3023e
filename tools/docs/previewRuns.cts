import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { page } from '../../test/engine/file/inputFiles.cjs';
import type { OperationName } from '../../test/engine/operationNames.cjs';
import { Fixtures, nowhere, validParameters } from '../../test/engine/validParameters.cjs';
import type { Account, TestBed } from '../../test/engine/testBed.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';

/** A host where a crawl meets a page that robots.txt forbids. */
const port = 'https://portoffice.example';

/** Longer than any run, in milliseconds on the service's clock. */
const never = 24 * 3_600_000;

/** Operations on what is under way, which must not have ended before. */
const onRunning = new Set(['batch: cancel', 'crawl: cancel', 'crawl: getActive', 'agent: cancel']);

const values = (...list: INodeParameters[]): INodeParameters => ({ values: list });

/** What is made of pages most often. */
const formats = ['markdown', 'summary', 'html', 'links'];

/** An account of its own at the service, and what it has there. */
class Stage {
	readonly account: Account;
	readonly own: Fixtures;

	constructor(readonly testBed: TestBed) {
		this.account = testBed.account();
		this.own = new Fixtures(testBed.service, this.account);
	}

	/** Runs an operation of the node once the jobs of before have ended, to its items. @throws its error */
	async run(
		{ resource, operation }: OperationName,
		parameters: INodeParameters,
	): Promise<IDataObject[]> {
		if (!onRunning.has(`${resource}: ${operation}`)) await this.untilEnded();
		const { account } = this;
		const input: INodeExecutionData[] = [{ ...page(), json: { tag: 'tide' } }];
		const run = await this.testBed.run(resource, operation, parameters, { account, input });
		if (run.error) throw run.error;
		return run.output().map(({ json }) => json);
	}

	/** The first item of an operation's run. */
	async first(
		resource: string,
		operation: string,
		parameters: INodeParameters = {},
	): Promise<IDataObject> {
		const [item = {}] = await this.run({ resource, operation }, parameters);
		return item;
	}

	/** A job that was started, by its parameter. */
	async job(resource: string, parameters: INodeParameters): Promise<INodeParameters> {
		const { jobId } = await this.first(resource, 'start', parameters);
		return { jobId: String(jobId) };
	}

	/** A monitor whose page has changed between its two checks, by its parameter, and the later check. */
	async monitored(): Promise<{ monitorId: INodeParameters; checkId: string }> {
		const { id } = await this.first('monitor', 'create', watched);
		const monitorId = { __rl: true, mode: 'id', value: String(id) };
		await this.first('monitor', 'run', { monitorId });
		await this.untilEnded();
		this.changePage();
		const check = await this.first('monitor', 'run', { monitorId });
		return { monitorId, checkId: String(check.id) };
	}

	/** Changes the page of the tides. */
	changePage(): void {
		const { site } = this.testBed.service;
		const { markdown } = site.find(tides) ?? {};
		site.update(tides, { markdown: `${markdown}\n\nThe next spring tide is on Friday.` });
	}

	private async untilEnded(): Promise<void> {
		const { agents, pageJobs } = this.testBed.service.context;
		const { id } = this.account.team;
		const running = () => agents.active(id).length + pageJobs.active(id).length > 0;
		while (running()) await new Promise((resolve) => setImmediate(resolve));
	}
}

const watched: INodeParameters = {
	name: 'Tides',
	targets: values({ type: 'scrape', urls: tides }),
	schedule: { text: 'hourly' },
	goal: 'A new date of a spring tide',
};

type Runs = (stage: Stage) => Promise<INodeParameters[]> | INodeParameters[];

/** Runs on a monitor that has found a change. */
const onMonitor =
	(parameters: (found: { monitorId: INodeParameters; checkId: string }) => INodeParameters): Runs =>
	async (stage) => [parameters(await stage.monitored())];

/** The runs of operations whose sound parameters would show little or nothing of what comes out. */
const runs: Record<string, Runs> = {
	'search: query': () => [
		{ query: 'spring tide', scrapeResults: true, additionalFields: { sources: ['web', 'news'] } },
	],
	'page: scrape': async (stage) => {
		const tracked = { url: tides, formats: [...formats, 'changeTracking'] };
		await stage.first('page', 'scrape', tracked);
		stage.changePage();
		return [tracked];
	},
	'batch: run': () => [{ urls: tides, formats }],
	'crawl: run': () => [{ url: tides, limit: 2, formats }],
	'crawl: getErrors': async (stage) => [
		await stage.job('crawl', { url: port }),
		await stage.job('crawl', { url: nowhere }),
	],
	'map: get': () => [{ url: 'https://tidewatch.example' }],
	'agent: getTrace': async (stage) => {
		const succeeded = await stage.own.agent();
		stage.testBed.service.context.agents.set({ outcome: 'failed' });
		return [{ jobId: succeeded }, await stage.job('agent', { prompt: 'tides' })];
	},
	'monitor: get': onMonitor(({ monitorId }) => ({ monitorId })),
	'monitor: getAll': onMonitor(() => ({})),
	'monitor: update': onMonitor(({ monitorId }) => ({
		monitorId,
		additionalFields: { name: 'Spring tides' },
	})),
	'monitor: getChecks': onMonitor(({ monitorId }) => ({ monitorId })),
	'monitor: getCheck': onMonitor((found) => found),
};

const stateOfRun = ({ jobId, creditsUsed, request }: IDataObject): IDataObject => ({
	jobId,
	creditsUsed,
	request,
});

/** What is always in an item, where the rest has the shape that the user asks for or that a tool of a third party gives it. */
const always: Record<string, (item: IDataObject) => IDataObject> = {
	'agent: run': stateOfRun,
	'agent: get': stateOfRun,
	'agent: getSnapshot': (item) => ({ ...item, snapshot: {} }),
	'tool: execute': (item) => ({ ...item, data: {} }),
};

/** Runs an operation as its preview is to show it, and answers what its items hold. @throws the error of a run */
export async function previewItems(testBed: TestBed, name: OperationName): Promise<IDataObject[]> {
	const stage = new Stage(testBed);
	const title = `${name.resource}: ${name.operation}`;
	const { agents, pageJobs } = testBed.service.context;
	const time = onRunning.has(title) ? never : 1;
	agents.set({ durationMs: time });
	pageJobs.set({ pageMs: time });
	const usual: Runs = async ({ own }) => [await validParameters(name, own)];
	const { [title]: given = usual } = runs;
	const items: IDataObject[] = [];
	for (const parameters of await given(stage)) {
		items.push(...(await stage.run(name, parameters)));
	}
	return items.map((item) => always[title]?.(item) ?? item);
}
