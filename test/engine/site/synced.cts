import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../drivenTime.cjs';
import type { EngineRun } from '../harness.cjs';
import { ScheduledWorkflow } from '../scheduledWorkflow.cjs';
import { useTestBed, type Account, type TestBed } from '../testBed.cjs';
import { Handbook, start } from './handbook.cjs';

/** The items of an execution. @throws its error */
export const jsonOf = (run: EngineRun): IDataObject[] => {
	if (run.error) throw run.error;
	return run.output().map(({ json }) => json);
};

/** What has become of which page, in the order of the items. */
export const told = (items: IDataObject[]): string[] =>
	items.map(({ action, change, url }) => `${String(action)} ${String(change)} ${String(url)}`);

export const hintsOf = (run: EngineRun): string =>
	run
		.hints()
		.map(({ message }) => message)
		.join('\n');

/** A website that a scheduled workflow syncs, made anew for each test. */
export function useSyncedSite() {
	const testBed: TestBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const made: { handbook?: Handbook; account?: Account; workflow?: ScheduledWorkflow } = {};
	const need = <Value,>(value: Value | undefined): Value => {
		if (value === undefined) throw new Error('The site is made before each test');
		return value;
	};
	beforeEach(() => {
		made.handbook = new Handbook(testBed.service.site);
		made.account = testBed.account({ credits: 100_000 });
		made.workflow = new ScheduledWorkflow(testBed.engine, made.account.credentials);
	});
	const run = async (
		more: INodeParameters = {},
		options?: Parameters<ScheduledWorkflow['begin']>[1],
	): Promise<EngineRun> =>
		await time.drive(
			need(made.workflow).begin(
				{ resource: 'site', operation: 'sync', url: start, splitInto: 'pages', ...more },
				options,
			).done,
		);
	return {
		testBed,
		run,
		sync: async (more?: INodeParameters) => jsonOf(await run(more)),
		get handbook() {
			return need(made.handbook);
		},
		get account() {
			return need(made.account);
		},
		get workflow() {
			return need(made.workflow);
		},
		/** The credits that the account has spent. */
		spent: () => testBed.service.context.ledger.spent(need(made.account).team.id),
		/** The URLs of each batch that was started. */
		batches: () =>
			testBed.service.log
				.of('POST', '/v2/batch/scrape')
				.map(({ body }) => (body as { urls: string[] }).urls),
		/** Has the next map list these URLs, whatever was asked. */
		mapOnce: (links: string[]) =>
			testBed.service.faults.add({
				path: '/v2/map',
				kind: 'status',
				status: 200,
				body: { success: true, links: links.map((url) => ({ url })) },
				count: 1,
			}),
	};
}
