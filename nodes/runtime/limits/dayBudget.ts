import type { IPollFunctions } from 'n8n-workflow';
import { fieldOf } from '../values/record';
import { Spending, type Account } from './budget';

/** n8n's access to a workflow, its timezone and its static data. */
type WorkflowFunctions = Pick<
	IPollFunctions,
	'getWorkflow' | 'getWorkflowStaticData' | 'getTimezone'
>;

/** The stored day of a workflow, with the spent credits. */
interface StoredDay extends Account {
	date: string;
}

/** A workflow's spending in this process. */
interface WorkflowSpending {
	day: StoredDay;
	spending: Spending;
}

/** A workflow's spending of a day, and the end of the day. */
export interface Today {
	spending: Spending;
	until: string;
}

/** Key in the workflow's static data. */
const staticDataKey = 'webDataCredits';

/** The workflows of this process by ID. */
const workflows = new Map<string, WorkflowSpending>();

/** The date of a moment in a timezone, such as 2026-11-23. */
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
 * A workflow's spending of today. This process has the actual state; n8n stores it for the next
 * one. n8n stores the static data of each execution at its end, so all share one record: the last
 * to end stores the spending of all. Requests in flight at midnight count to the day on which they
 * end.
 */
export function todayOf(context: WorkflowFunctions, now = new Date()): Today {
	const timezone = context.getTimezone();
	const date = dayAt(now, timezone);
	const { id = '' } = context.getWorkflow();
	const day = { date, spent: 0 };
	const own = workflows.get(id) ?? { day, spending: new Spending(day) };
	workflows.set(id, own);
	if (own.day.date !== date) Object.assign(own.day, { date, spent: 0 });
	const data = context.getWorkflowStaticData('global');
	const stored: unknown = data[staticDataKey];
	const spent = fieldOf(stored, 'spent');
	// Another process may have spent more than this one has recorded, or n8n was restarted.
	if (fieldOf(stored, 'date') === date && typeof spent === 'number' && spent > own.day.spent) {
		own.day.spent = spent;
	}
	data[staticDataKey] = own.day;
	return { spending: own.spending, until: `${dayAfter(date)} 00:00 (${timezone})` };
}
