import type { Reject } from '../../../runtime/form/schema';
import { boolean, integer, string, type FieldTexts } from '../../../runtime/form/field';
import { webhook } from '../webhook';
import { more } from '../prices';

/** The name of the monitor. */
export const monitorName = (about: Omit<FieldTexts, 'displayName'>) =>
	string({ displayName: 'Name', max: 256, ...about });

/** The changes to report. */
export const goal = string({
	displayName: 'Goal',
	rows: 2,
	max: 2000,
	placeholder: 'e.g. A price changes or a product is added',
	description: `Which changes matter, in natural language, up to 2,000 characters; a model judges each change and result, ${more('judge')} each. Required for Search targets.`,
});

/** Whether a model judges which changes are meaningful. */
export const judgeEnabled = boolean({
	displayName: 'Judge Changes',
	description:
		'Whether a model judges each change by the goal. Enabled by default if there is a goal.',
});

/** The retention of checks in days. */
export const retentionDays = integer({
	displayName: 'Retention',
	min: 1,
	max: 365,
	unit: 'days',
	default: 30,
	description: 'How long to retain checks, in days, 1 to 365',
});

/**
 * The webhook for checks. Unlike those of jobs, its events have their full names
 * (https://docs.firecrawl.dev/features/monitoring).
 */
export const monitorWebhook = webhook([
	{ name: 'Check Completed', value: 'monitor.check.completed' },
	{
		name: 'Page',
		value: 'monitor.page',
		description: 'Each checked page, including unchanged ones',
	},
]);

/**
 * Validates the fields together: the goal judges searches
 * (https://docs.firecrawl.dev/features/monitoring).
 */
export function monitorRules(
	request: { targets: Array<{ type: string }>; goal?: string; judgeEnabled?: boolean },
	reject: Reject,
): void {
	const searches = request.targets.some(({ type }) => type === 'search');
	if (searches && request.goal === undefined && request.judgeEnabled !== false) {
		reject(`is required for a Search target, unless 'Judge Changes' is off`, 'goal');
	}
}
