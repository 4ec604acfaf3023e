import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime, type DrivenTime } from '../drivenTime.cjs';
import type { PolledWorkflow } from '../polledWorkflow.cjs';
import type { Account, TestBed } from '../testBed.cjs';
import { watcher } from './watching.cjs';

const host = 'https://tidewatch.example/watched';

/** The URL of a watched page. */
export const urlOf = (name: string): string => `${host}/${name}`;

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
		const parameters = { watch: 'page', urls: names.map(urlOf).join('\n'), ...more };
		return watcher(this.testBed, parameters, { account });
	}
}

/** Watched pages for the tests of a file. */
export const useWatchedPages = (testBed: TestBed): WatchedPages =>
	new WatchedPages(
		testBed,
		useDrivenTime(() => testBed.service),
	);
