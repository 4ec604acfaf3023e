import type { IPollFunctions } from 'n8n-workflow';
import type { ErrorSource } from '../runtime/errors/message';
import type { Settings } from '../runtime/form/settings';
import type { Connection } from '../runtime/http/connection';
import { runJob } from '../runtime/jobs/job';
import { mostFetches, policyOf, readContextOf, type Item } from '../runtime/jobs/context';
import { RunningJobs } from '../runtime/jobs/atEnd';
import { Spending } from '../runtime/limits/budget';
import type { JobContext } from '../runtime/operation/operation';
import { Semaphore } from '../runtime/values/semaphore';
import { documentFormat } from '../WebData/documents/document';

/** Milliseconds for the retries of a check if n8n sets no limit. */
const defaultRetryTime = 300_000;

/** Part of n8n's time for a poll that a job may take; the rest is for fetching its results. */
const shareOfJob = 0.8;

/** The parts of the connection that a poll needs. */
type Service = Pick<Connection, 'rateLimiters' | 'inPrivateNetwork' | 'isHosted' | 'account'>;

/** Settings to send a poll's requests with, and the credits that they have cost. */
export interface PreparedPoll {
	item: Item;
	spending: Spending;
}

/** Prepares one poll. */
export function preparePoll(
	context: IPollFunctions,
	errorSource: ErrorSource,
	service: Service,
	settings: Settings,
): PreparedPoll {
	const time = context.getPollBudgetMs?.() ?? Infinity;
	const policy = policyOf(settings, context.getMode());
	const spending = new Spending();
	const item: Item = {
		context,
		rateLimiters: service.rateLimiters,
		inPrivateNetwork: service.inPrivateNetwork,
		errorSource,
		policy: { ...policy, budget: Math.min(policy.budget, defaultRetryTime, time) },
		// n8n shows no hints of triggers.
		notice: (text) => context.logger.warn(errorSource.redact(text)),
		settings: {
			...settings,
			maxWait: Math.min(settings.maxWait, (time * shareOfJob) / 60_000),
		},
		requests: [],
		run: {
			format: documentFormat,
			isHosted: service.isHosted,
			account: service.account,
			notices: new Set(),
			ownNotes: new Set(),
			spending,
			running: new RunningJobs(),
			fetches: new Semaphore(mostFetches),
		},
	};
	return { item, spending };
}

/** The functions of an operation, for a check. */
export const jobContextOf = (item: Item): JobContext => ({
	...readContextOf(item),
	isHosted: item.run.isHosted,
	runJob: async (job, request) => await runJob(job, request, item),
});
