import type { INodeParameters } from 'n8n-workflow';
import { MonitorClient } from '../../mock/testClient.cjs';
import type { PolledWorkflow } from '../polledWorkflow.cjs';
import type { Account, TestBed } from '../testBed.cjs';
import { watcher as watcherOf } from './watching.cjs';

const host = 'https://tidewatch.example/watched';
/** The URLs of pages that a monitor checks. */
export const urls = ['a', 'b', 'c'].map((name) => `${host}/${name}`);

/** Adds the pages, and a monitor that checks them when it is told to: its schedule is a day that seldom comes. */
export async function monitored(testBed: TestBed, account: Account, cron = '0 0 29 2 *') {
	urls.forEach((url) =>
		testBed.service.site.add({
			url,
			title: url,
			markdown: 'At first',
			published: '2026-01-01T00:00:00Z',
		}),
	);
	const client = new MonitorClient(testBed.service, account.key);
	const targets = [{ type: 'scrape', urls }];
	const { id } = await client.created({ schedule: { cron }, targets });
	return { client, id };
}

/** A trigger that polls the checks of a monitor. */
export const watcher = (
	testBed: TestBed,
	account: Account,
	monitorId: string,
	more: INodeParameters = {},
): PolledWorkflow => watcherOf(testBed, { watch: 'monitor', monitorId, ...more }, { account });
