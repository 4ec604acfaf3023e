import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

/**
 * The events of jobs and monitors (https://docs.firecrawl.dev/webhooks/events), as options; those of
 * monitors as `eventOf` names them.
 */
export const webhookEvents: INodePropertyOptions[] = [
	{ name: 'Agent Action', value: 'action', description: 'Each step of an agent run' },
	{ name: 'Cancelled', value: 'cancelled' },
	{
		name: 'Completed',
		value: 'completed',
		description: 'Without the results; use Get to fetch them',
	},
	{ name: 'Failed', value: 'failed' },
	{ name: 'Monitor Check Completed', value: 'checkCompleted' },
	{ name: 'Monitor Page Changed', value: 'changed' },
	{ name: 'Monitor Page Failed', value: 'error' },
	{ name: 'Monitor Page New', value: 'new' },
	{ name: 'Monitor Page Removed', value: 'removed' },
	{ name: 'Monitor Page Unchanged', value: 'same' },
	{ name: 'Page', value: 'page', description: 'Each scraped page of a batch or crawl' },
	{ name: 'Started', value: 'started' },
];

/** Maps chosen options to the API's event names. */
export const serviceEvents = (chosen: string[]): string[] => [
	...(chosen.some((event) => event !== 'checkCompleted') ? ['monitor.page'] : []),
	...(chosen.includes('checkCompleted') ? ['monitor.check.completed'] : []),
];

/** Maps an entry of a webhook event to its option; for one of a job, the type suffices. */
export function eventOf(type: string, entry: IDataObject = {}): string {
	if (type === 'monitor.check.completed') return 'checkCompleted';
	if (type === 'monitor.page') return typeof entry.status === 'string' ? entry.status : '';
	return type.split('.').at(-1) ?? type;
}
