import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { PageJob } from '../mock/pageJobs.cjs';
import { useDrivenTime, type DrivenTime } from './drivenTime.cjs';
import type { EngineRun, Execution } from './harness.cjs';
import { useTestBed, type SearchOptions, type TestBed } from './testBed.cjs';

const paths = { batch: '/v2/batch/scrape', crawl: '/v2/crawl' } as const;

/** The node's operations on batches or on crawls, beside the service that answers them. */
class DocumentJobs {
	constructor(
		readonly testBed: TestBed,
		readonly time: DrivenTime,
		readonly resource: 'batch' | 'crawl',
	) {}

	begin(operation: string, parameters: INodeParameters, options?: SearchOptions): Execution {
		return this.testBed.begin(this.resource, operation, parameters, options);
	}

	/** Runs an operation to its end, time moving along whenever the work waits for it. */
	async run(
		operation: string,
		parameters: INodeParameters,
		options?: SearchOptions,
	): Promise<EngineRun> {
		return await this.time.drive(this.begin(operation, parameters, options).done);
	}

	/** Runs a job to its end, and answers its items. @throws the run's error */
	async items(parameters: INodeParameters, options?: SearchOptions): Promise<INodeExecutionData[]> {
		const run = await this.run('run', parameters, options);
		if (run.error) throw run.error;
		return run.output();
	}

	/** Starts a job without waiting for it, and answers its id. @throws the run's error */
	async started(parameters: INodeParameters, options?: SearchOptions): Promise<string> {
		const run = await this.run('start', parameters, options);
		if (run.error) throw run.error;
		return String(run.output()[0].json.jobId);
	}

	/** The job itself. @throws when the service has none of that id */
	job(id: unknown): PageJob {
		const found = this.testBed.service.context.pageJobs.find(String(id));
		if (found === undefined || found === 'expired') throw new Error(`No such job: ${String(id)}`);
		return found;
	}

	/** Where jobs are started. */
	get path(): string {
		return paths[this.resource];
	}

	/** The bodies of the start requests received. */
	get bodies(): unknown[] {
		return this.starts.map(({ body }) => body);
	}

	/** The start requests received. */
	get starts() {
		return this.testBed.service.log.of('POST', this.path);
	}

	/** Method and path of every request received. */
	get requests(): string[] {
		return this.testBed.service.log.entries.map(({ method, path }) => `${method} ${path}`);
	}

	/** The jobs told to stop, by their id. */
	get cancelled(): string[] {
		const before = `DELETE ${this.path}/`;
		return this.requests
			.filter((request) => request.startsWith(before))
			.map((request) => request.slice(before.length));
	}

	/** Each charge so far: how many credits for which job. */
	get charges(): Array<[job: string | undefined, credits: number]> {
		return this.testBed.service.ledger.entries.map(({ jobId, credits }) => [jobId, credits]);
	}
}

/** The operations of batches or crawls for the tests of a file, on driven time. */
export function useDocumentJobs(resource: 'batch' | 'crawl'): DocumentJobs {
	const testBed = useTestBed();
	return new DocumentJobs(
		testBed,
		useDrivenTime(() => testBed.service),
		resource,
	);
}

/** The addresses by which the pages in items were asked for; of failed ones, the address itself. */
export const sourcesOf = (items: INodeExecutionData[]): unknown[] =>
	items.map(({ json }) => (json.metadata as IDataObject | undefined)?.sourceURL ?? json.url);

/** The input items that each item is linked to. */
export const pairsOf = (items: INodeExecutionData[]): unknown[] =>
	items.map(({ pairedItem }) => pairedItem);

/** Pages of the small web, none of which links to the others alone. */
const host = 'https://tidewatch.example';
export const tides = `${host}/guides/spring-tides`;
export const storms = `${host}/guides/storm-surges`;
export const tables = `${host}/guides/reading-a-tide-table`;

/** A page of a host that no name server knows. */
export const nowhere = 'https://nowhere.example/';

/** A well-formed id that nothing has. */
export const unknownId = '00000000-0000-4000-8000-000000000000';
