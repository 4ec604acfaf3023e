import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
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
	async run(
		operation: string,
		parameters?: INodeParameters,
		options?: SearchOptions,
	): Promise<EngineRun> {
		return await this.time.drive(this.begin(operation, parameters, options).done);
	}

	/** Runs an operation to its end, and answers its items. @throws the run's error */
	async items(
		operation: string,
		parameters: INodeParameters,
		options?: SearchOptions,
	): Promise<INodeExecutionData[]> {
		const run = await this.run(operation, parameters, options);
		if (run.error) throw run.error;
		return run.output();
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
