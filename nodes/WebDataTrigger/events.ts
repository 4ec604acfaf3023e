import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { fieldOf } from '../runtime/values/record';

/** The events of a monitor (https://docs.firecrawl.dev/webhooks/events), as options. */
export const monitorEvents: INodePropertyOptions[] = [
	{
		name: 'Check Completed',
		value: 'checkCompleted',
		description: 'Once per check, with its page counts',
	},
	{ name: 'Page Changed', value: 'changed' },
	{ name: 'Page Failed', value: 'error', description: 'The page could not be scraped' },
	{
		name: 'Page New',
		value: 'new',
		description: 'First check of the page; in the first check, every page',
	},
	{ name: 'Page Removed', value: 'removed' },
	{
		name: 'Page Unchanged',
		value: 'same',
		description: 'Every unchanged page in every check',
	},
];

/** The events of a job (https://docs.firecrawl.dev/webhooks/events), as options. */
export const jobEvents: INodePropertyOptions[] = [
	{ name: 'Agent Action', value: 'action', description: 'Each step of an agent run' },
	{ name: 'Cancelled', value: 'cancelled' },
	{
		name: 'Completed',
		value: 'completed',
		description: 'Without the results; use Get to fetch them',
	},
	{ name: 'Failed', value: 'failed' },
	{ name: 'Page', value: 'page', description: 'Each scraped page of a batch or crawl' },
	{ name: 'Started', value: 'started' },
];

/** Maps chosen options to the API's event names. */
export const serviceEvents = (chosen: string[]): string[] => [
	...(chosen.some((event) => event !== 'checkCompleted') ? ['monitor.page'] : []),
	...(chosen.includes('checkCompleted') ? ['monitor.check.completed'] : []),
];

/** Maps an entry of a webhook event to its option; for a job, the type suffices. */
export function eventOf(type: string, entry: IDataObject = {}): string {
	if (type === 'monitor.check.completed') return 'checkCompleted';
	if (type === 'monitor.page') return typeof entry.status === 'string' ? entry.status : '';
	return type.split('.').at(-1) ?? type;
}

/** Whether the judge calls a change meaningful (https://docs.firecrawl.dev/webhooks/events). */
export const isMeaningful = (entry: IDataObject): boolean =>
	entry.isMeaningful === true || fieldOf(entry.judgment, 'meaningful') === true;
