import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime, type DrivenTime } from '../drivenTime.cjs';
import type { EngineRun, Execution } from '../harness.cjs';
import { useTestBed, type Account, type SearchOptions, type TestBed } from '../testBed.cjs';

/** Parameters of a session that is not closed at the end. */
export const staysOpen = { additionalFields: { closeSession: false } };

/** The browser sessions' operations of the node, beside the service that answers them. */
class Sessions {
	constructor(
		readonly testBed: TestBed,
		readonly time: DrivenTime,
	) {}

	start(operation: string, parameters: INodeParameters, options?: SearchOptions): Execution {
		return this.testBed.begin('session', operation, parameters, options);
	}

	/** Runs an operation to its end, time moving along whenever the work waits for it. */
	async run(
		operation: string,
		parameters: INodeParameters,
		options?: SearchOptions,
	): Promise<EngineRun> {
		return await this.time.drive(this.start(operation, parameters, options).done);
	}

	/** Opens a session that stays open, forgets the requests for it, and answers its id. */
	async opened(account: Account, additionalFields: INodeParameters = {}): Promise<string> {
		const run = await this.run(
			'create',
			{ additionalFields: { ...staysOpen.additionalFields, ...additionalFields } },
			{ account },
		);
		return String(this.first(run).id);
	}

	/** Scrapes a page by the node, forgets the requests for it, and answers the scrape's id. */
	async scraped(account: Account, url = page): Promise<string> {
		const run = this.testBed.run('page', 'scrape', { url }, { account });
		const { metadata } = this.first(await this.time.drive(run));
		return String(Reflect.get(Object(metadata), 'scrapeId'));
	}

	/** Method, path, query and body of every request received. */
	get requests() {
		return this.testBed.requests;
	}

	/** The ids of the account's sessions that are open, oldest first. */
	open({ team }: Account): string[] {
		return this.testBed.service.context.sessions
			.of(team.id)
			.filter(({ active }) => active)
			.map(({ id }) => id);
	}

	/** The first item of a run that is part of a test's preparation. */
	private first(run: EngineRun) {
		if (run.status !== 'success') throw run.error;
		this.testBed.service.log.clear();
		return run.output()[0].json;
	}
}

/** A page with a button, "Load earlier readings". */
export const page = 'https://tidewatch.example/stations/cape-morrow';

/** The sessions' operations for the tests of a file, on driven time. */
export function useSessions(): Sessions {
	const testBed = useTestBed();
	return new Sessions(
		testBed,
		useDrivenTime(() => testBed.service),
	);
}
