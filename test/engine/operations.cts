import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime, type DrivenTime } from './drivenTime.cjs';
import type { EngineRun, Execution } from './harness.cjs';
import { useTestBed, type SearchOptions, type TestBed } from './testBed.cjs';

/** The operations of a resource on driven time, beside the service that answers them. */
export class Operations {
	constructor(
		readonly testBed: TestBed,
		readonly time: DrivenTime,
		readonly resource: string,
	) {}

	begin(operation: string, parameters: INodeParameters = {}, options?: SearchOptions): Execution {
		return this.testBed.begin(this.resource, operation, parameters, options);
	}

	/** Runs an operation to its end, time moving along whenever the work waits for it. */
	async run(...of: Parameters<Operations['begin']>): Promise<EngineRun> {
		return await this.time.drive(this.begin(...of).done);
	}
}

/** The operations of a resource for the tests of a file. */
export function useOperations(resource: string): Operations {
	const testBed = useTestBed();
	return new Operations(
		testBed,
		useDrivenTime(() => testBed.service),
		resource,
	);
}
