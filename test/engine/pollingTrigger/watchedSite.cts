import type { INodeParameters } from 'n8n-workflow';
import type { DrivenTime } from '../drivenTime.cjs';
import { keepings, PolledWorkflow } from '../polledWorkflow.cjs';
import { Handbook, start } from '../site/handbook.cjs';
import type { Account, TestBed } from '../testBed.cjs';

/** A website of some pages, and a trigger that has polled it for the first time. */
export async function watchedSite(
	testBed: TestBed,
	time: DrivenTime,
	pages: number,
	more: INodeParameters = {},
	account?: Account,
) {
	const handbook = new Handbook(testBed.service.site);
	handbook.open(pages);
	const { credentials } = account ?? testBed.account({ credits: 1_000_000 });
	const trigger = new PolledWorkflow(testBed.engine, {
		type: 'webDataPollingTrigger',
		credentials,
		keeping: keepings.at(-1),
		parameters: { watch: 'site', url: start, ...more },
	});
	await time.drive(trigger.activate());
	await time.drive(trigger.poll());
	return { handbook, trigger };
}
