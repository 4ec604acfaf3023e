import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useDrivenTime, type DrivenTime } from '../drivenTime.cjs';
import type { EngineRun } from '../harness.cjs';
import { useTestBed, type SearchOptions, type TestBed } from '../testBed.cjs';

/** The data tools' operations of the node, beside the service that answers them. */
class Tools {
	constructor(
		readonly testBed: TestBed,
		readonly time: DrivenTime,
	) {}

	/** Runs an operation to its end, time moving along whenever the work waits for it. */
	async run(
		operation: string,
		parameters: INodeParameters,
		options?: SearchOptions,
	): Promise<EngineRun> {
		return await this.time.drive(this.testBed.run('tool', operation, parameters, options));
	}

	/** Method, path and body of every request received. */
	get requests(): unknown[] {
		return this.testBed.service.log.entries.map(({ method, path, body }) => ({
			method,
			path,
			body,
		}));
	}

	/** The request ids that came along, in order of arrival. */
	get requestIds(): unknown[] {
		return this.testBed.service.log.entries.map(({ headers }) => headers['x-request-id']);
	}
}

/** The request that carries these calls. */
export const request = (...calls: object[]) => ({
	method: 'POST',
	path: '/v2/scrape',
	body: { alexandria: calls },
});

/** A call whose answer is read from the small web; it costs 1 credit. */
export const templates = (query = 'retry') => ({
	provider: 'relayworks',
	capability: 'template-search',
	options: { query },
});

/** The items' JSON. */
export const rows = (run: EngineRun): IDataObject[] => run.output().map(({ json }) => json);

/** The data tools' operations for the tests of a file, on driven time. */
export function useTools(): Tools {
	const testBed = useTestBed();
	return new Tools(
		testBed,
		useDrivenTime(() => testBed.service),
	);
}
