import type { INodeProperties } from 'n8n-workflow';
import { flag, text, wholeNumber, type Refuse } from '../../../runtime/contract';
import { propertiesOf } from '../../../runtime/form';
import { webhook } from '../webhook';
import { notification } from './notification';
import { schedule } from './schedule';
import { targets } from './targets';

/** What to look out for (addendum 10, `goal`). */
export const goalField: INodeProperties = {
	displayName: 'Goal',
	name: 'goal',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. A price changes or a product is added',
	description:
		'Which changes matter, in plain words, up to 2,000 characters; a model then judges each change, which costs credits too. Search targets need it.',
};

/** Whether a model says which changes matter (addendum 10, `judgeEnabled`). */
export const judgeEnabledField: INodeProperties = {
	displayName: 'Judge Changes',
	name: 'judgeEnabled',
	type: 'boolean',
	default: false,
	description:
		'Whether a model judges each change by the goal; it does when there is a goal unless told not to',
};

/** How long the service keeps checks (addendum 10, `retentionDays`). */
export const retentionDaysField: INodeProperties = {
	displayName: 'Retention',
	name: 'retentionDays',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 365 },
	default: 30,
	description: 'How long the service keeps the checks, in days, 1 to 365',
};

/** Where the service reports checks; unlike those of jobs, these events have their full names (addendum 10 and 11). */
const monitorWebhook = webhook([
	{ name: 'Check Completed', value: 'monitor.check.completed' },
	{
		name: 'Page',
		value: 'monitor.page',
		description: 'Each page as it is checked, unchanged ones too',
	},
]);

/** Its property in the editor. */
export const [monitorWebhookField] = propertiesOf({ webhook: monitorWebhook });

/** Contract members of POST /monitor (addendum 10). */
export const monitorMembers = {
	name: text({ max: 256 }),
	targets: targets(),
	schedule: schedule(),
	goal: text({ max: 2000 }).optional(),
	judgeEnabled: flag().optional(),
	webhook: monitorWebhook.schema,
	notification: notification().optional(),
	retentionDays: wholeNumber({ min: 1, max: 365, unit: 'days' }).optional(),
};

/** Rules between the members: searches are judged by the goal (addendum 10, `goal`). */
export function monitorRules(
	request: { targets: Array<{ type: string }>; goal?: string; judgeEnabled?: boolean },
	refuse: Refuse,
): void {
	const searches = request.targets.some(({ type }) => type === 'search');
	if (searches && request.goal === undefined && request.judgeEnabled !== false) {
		refuse(`is required for a Search target, unless 'Judge Changes' is off`, 'goal');
	}
}
