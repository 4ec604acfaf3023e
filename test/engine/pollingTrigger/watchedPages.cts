import type { INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../../mock/faults.cjs';
import { useDrivenTime, type DrivenTime } from '../drivenTime.cjs';
import { keepings, PolledWorkflow } from '../polledWorkflow.cjs';
import type { Account, TestBed } from '../testBed.cjs';

const host = 'https://tidewatch.example/watched';

/** The URL of a watched page. */
export const urlOf = (name: string): string => `${host}/${name}`;

/** A fault of the requests for a batch. */
const onBatch = (fault: FaultInput): FaultInput => ({ ...fault, path: '/v2/batch/*' });

/** What may happen to the start of a batch. One that was started is read by the next check. */
export const batchFaults: FaultInput[] = [
	onBatch({ kind: 'status', status: 500 }),
	onBatch({ kind: 'status', status: 401 }),
];

/** The parameters of a trigger that compares fields like those of an example. */
export const comparing = (example: object, more: INodeParameters = {}): INodeParameters => ({
	compare: 'fields',
	schemaType: 'example',
	schemaExample: JSON.stringify(example),
	...more,
});

/** A page that states its fields by name, with a line that is none of them. */
export const pageOf = (fields: object, visitors = 0): string =>
	[
		'# Product',
		...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
		`Visitors: ${visitors}`,
	].join('\n\n');

/** Pages of the mock server's web, and a trigger that watches them on a driven clock. */
export class WatchedPages {
	constructor(
		private readonly testBed: TestBed,
		readonly time: DrivenTime,
	) {}

	add(name: string, markdown = `# ${name}\n\nAt first`): void {
		const published = '2026-01-01T00:00:00Z';
		this.testBed.service.site.add({ url: urlOf(name), title: name, markdown, published });
	}

	update(name: string, markdown: string): void {
		this.testBed.service.site.update(urlOf(name), { markdown });
	}

	/** A trigger that watches the pages of these names. */
	watcher(
		names: string[],
		more: INodeParameters = {},
		account: Account = this.testBed.account(),
	): PolledWorkflow {
		return new PolledWorkflow(this.testBed.engine, {
			type: 'webDataPollingTrigger',
			credentials: account.credentials,
			keeping: keepings.at(-1),
			parameters: { watch: 'page', urls: names.map(urlOf).join('\n'), ...more },
		});
	}

	/** Activates a trigger, and polls once: n8n stores nothing of the poll at activation if it found nothing. */
	async started(trigger: PolledWorkflow): Promise<PolledWorkflow> {
		await this.time.drive(trigger.activate());
		await this.time.drive(trigger.poll());
		return trigger;
	}
}

/** Watched pages for the tests of a file. */
export const useWatchedPages = (testBed: TestBed): WatchedPages =>
	new WatchedPages(
		testBed,
		useDrivenTime(() => testBed.service),
	);
