import type { Today } from '../limits/dayBudget';
import type { Spending } from '../limits/budget';
import type { ResultFormat } from '../output/results';
import type { Removed } from '../text/removed';
import type { Semaphore } from '../values/semaphore';
import type { RunningJobs } from './runningJobs';

/**
 * State shared by all items of one execution. `execution/execute` or the poll of a
 * trigger creates it. It is not stored.
 */
export interface ExecutionContext {
	/** Format of the results. */
	format: ResultFormat;
	/** Whether the server is Firecrawl's hosted one. */
	isHosted: boolean;
	/** Identifies the credential by its key and host. */
	account: () => string;
	/** Notices above the node's output, each once. */
	notices: Set<string>;
	/** Notes of the node itself for a model, outside of the delimiters. */
	ownNotes: Set<string>;
	/** Content removed from web texts. */
	removed: Removed;
	/** Credits the node has spent in this execution, including earlier runs. */
	spending: Spending;
	/** Credits the workflow has spent today. */
	today: () => Today;
	/** The execution's unfinished jobs. */
	running: RunningJobs;
	/** Limits the concurrency of downloads. */
	fetches: Semaphore;
}
