import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { PageJob } from '../mock/pageJobs.cjs';
import { Operations, useOperations } from './operations.cjs';
import type { SearchOptions } from './testBed.cjs';

/** The node's operations on batches or on crawls, beside the service that answers them. */
class DocumentJobs extends Operations {
	/** Runs a job to its end, and returns its items. @throws the run's error */
	async items(parameters: INodeParameters, options?: SearchOptions): Promise<INodeExecutionData[]> {
		const run = await this.run('run', parameters, options);
		if (run.error) throw run.error;
		return run.output();
	}

	/** Starts a job without waiting for it, and returns its ID. @throws the run's error */
	async started(parameters: INodeParameters, options?: SearchOptions): Promise<string> {
		const run = await this.run('start', parameters, options);
		if (run.error) throw run.error;
		return String(run.output()[0].json.jobId);
	}

	/** The job itself; without its ID the last that was started. @throws when the service has none */
	job(id: unknown = this.testBed.service.context.pageJobs.jobs.at(-1)?.id): PageJob {
		const found = this.testBed.service.context.pageJobs.find(String(id));
		if (found === undefined) throw new Error(`No such job: ${String(id)}`);
		return found;
	}

	/** Where jobs are started. */
	get path(): string {
		return this.resource === 'batch' ? '/v2/batch/scrape' : '/v2/crawl';
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

	/** Each charge so far: how many credits for which job. */
	get charges(): Array<[job: string | undefined, credits: number]> {
		return this.testBed.service.ledger.entries.map(({ jobId, credits }) => [jobId, credits]);
	}
}

/** Settings with which items have all fields. */
export const allFields = { output: 'fields', outputFields: '' };

/** The operations of batches or crawls for the tests of a file, on driven time. */
export function useDocumentJobs(resource: 'batch' | 'crawl'): DocumentJobs {
	const { testBed, time } = useOperations(resource);
	return new DocumentJobs(testBed, time, resource);
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
