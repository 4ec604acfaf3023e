import type { Today } from '../limits/dayBudget';
import type { Spending } from '../limits/budget';
import type { ResultFormat } from '../output/resultFormat';
import type { Removed } from '../text/removed';
import type { Semaphore } from '../values/semaphore';
import type { WaitingJob } from './waitState';
import type { RunningJobs } from './runningJobs';
import type { ReusableStarts } from './startedJobs';

/**
 * What all items of one execution share. Made when the node begins to run, by `execution/execute` or by the
 * Search Trigger's check, and used until the items have come out. Nothing of it is kept for the next one.
 */
export interface ExecutionContext {
	/** What is known of the contents of results. */
	format: ResultFormat;
	/** Whether the service is the hosted one. */
	isHosted: boolean;
	/** Stands for the credential, its key and its host. */
	account: () => string;
	/** What is shown above the node's output, each notice once. */
	notices: Set<string>;
	/** What was removed from texts of the web. */
	removed: Removed;
	/** What the node has spent in this execution, at earlier runs too. */
	spending: Spending;
	/** What the workflow spends on this day. */
	today: () => Today;
	/** The jobs that the execution is not done with. */
	running: RunningJobs;
	/** The jobs that the workflow has started by request. */
	started: () => ReusableStarts;
	/** The jobs that the execution is put to sleep for when all are started. */
	waitingJobs: WaitingJob[];
	/** Limits how many files are fetched at once. */
	fetches: Semaphore;
}
