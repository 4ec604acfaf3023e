import type { IPollFunctions } from 'n8n-workflow';
import { fieldOf } from '../values/record';
import { Spending, type Account } from './budget';

/** What tells a workflow, its day, and what n8n keeps for it. */
type WorkflowFunctions = Pick<
	IPollFunctions,
	'getWorkflow' | 'getWorkflowStaticData' | 'getTimezone'
>;

/** What n8n keeps for a workflow: its day and what was spent on it. */
interface KeptDay extends Account {
	date: string;
}

/** What a workflow has spent in this process. */
interface WorkflowSpending {
	kept: KeptDay;
	spending: Spending;
}

/** What a workflow spends on a day, and until when. */
export interface Today {
	spending: Spending;
	until: string;
}

/** Name under which it stands in the workflow's static data. */
const member = 'webDataCredits';

/** The workflows of this process, by their IDs. */
const workflows = new Map<string, WorkflowSpending>();

/** The day of a moment in a timezone, such as 2026-11-23. */
export function dayAt(moment: Date, timeZone: string): string {
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone,
		calendar: 'gregory',
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
	}).formatToParts(moment);
	const valueOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
	return `${valueOf('year')}-${valueOf('month')}-${valueOf('day')}`;
}

const dayAfter = (date: string): string =>
	new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);

/**
 * What a workflow has spent on this day. The truth is in this process; what n8n keeps is for the next one.
 * n8n stores the static data of each execution when it ends, so all hold the same record: whichever ends
 * last stores what all of them have spent. What is under way at midnight counts to the day on which it ends.
 */
export function todayOf(context: WorkflowFunctions, now = new Date()): Today {
	const timezone = context.getTimezone();
	const date = dayAt(now, timezone);
	const { id = '' } = context.getWorkflow();
	const kept = { date, spent: 0 };
	const own = workflows.get(id) ?? { kept, spending: new Spending(kept) };
	workflows.set(id, own);
	if (own.kept.date !== date) Object.assign(own.kept, { date, spent: 0 });
	const data = context.getWorkflowStaticData('global');
	const stored: unknown = data[member];
	const spent = fieldOf(stored, 'spent');
	// Another process may have spent more than this one knows of, or n8n was started again.
	if (fieldOf(stored, 'date') === date && typeof spent === 'number' && spent > own.kept.spent) {
		own.kept.spent = spent;
	}
	data[member] = own.kept;
	return { spending: own.spending, until: `${dayAfter(date)} 00:00 (${timezone})` };
}
