import type { IDataObject } from 'n8n-workflow';
import { unsetIfEmpty, listSchema, stringSchema } from '../../../runtime/form/schema';
import { boolean, field, withDefault } from '../../../runtime/form/field';
import { visibleWhen } from '../../../runtime/form/form';
import { fieldOf } from '../../../runtime/values/record';

/**
 * The events of a monitor that start a workflow (https://docs.firecrawl.dev/webhooks/events).
 * Accepts unknown names, since servers may have other events.
 */
export const monitorEventFields = {
	events: field(
		{
			displayName: 'Events',
			type: 'multiOptions',
			required: true,
			default: ['changed', 'new', 'removed'],
			options: [
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
			],
			description: 'Events that start the workflow',
		},
		unsetIfEmpty(listSchema(stringSchema())),
	),
	onlyMeaningful: withDefault(
		boolean({
			displayName: 'Only Meaningful Changes',
			description:
				'Whether to trigger on changed pages only if the change is judged meaningful; requires a goal',
		}),
		false,
	),
	...visibleWhen(
		{ events: ['checkCompleted'] },
		{
			includePages: withDefault(
				boolean({
					displayName: 'Include Pages',
					description: 'Whether to include the pages of a completed check, with their changes',
				}),
				false,
			),
		},
	),
};

/** Whether the judge calls a change meaningful (https://docs.firecrawl.dev/webhooks/events). */
const isMeaningful = (entry: IDataObject): boolean =>
	entry.isMeaningful === true || fieldOf(entry.judgment, 'meaningful') === true;

/**
 * Whether a page event is meaningful: a changed page only if the judge confirms it, a new or removed
 * page unless the judge denies it.
 */
export function matters(event: string, entry: IDataObject): boolean {
	if (event === 'changed') return isMeaningful(entry);
	const judged = entry.isMeaningful ?? fieldOf(entry.judgment, 'meaningful');
	return judged !== false || !['new', 'removed'].includes(event);
}
