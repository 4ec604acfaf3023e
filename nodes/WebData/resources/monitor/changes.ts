import { z } from 'zod/v3';
import { transformSchema } from '../../../runtime/form/effects';
import {
	listSchema,
	objectSchema,
	forwardIssues,
	membersOf,
	stringSchema,
} from '../../../runtime/form/schema';
import { anyOf, oneOf } from '../../../runtime/form/field';
import { schemasOf } from '../../../runtime/form/form';
import { notification } from '../../fields/monitor/notification';
import {
	goal,
	judgeEnabled,
	monitorName,
	monitorWebhook,
	retentionDays,
} from '../../fields/monitor/request';
import { schedule } from '../../fields/monitor/schedule';
import { targets } from '../../fields/monitor/targets';
import { withRequestJson } from '../../fields/requestJson';

/** What can be changed of a monitor, beside its targets. */
export const changeMembers = {
	goal,
	judgeEnabled,
	name: monitorName({ description: 'Name of the monitor, up to 256 characters' }),
	notification: notification('; replaces the current one'),
	retentionDays,
	schedule,
	status: oneOf({
		displayName: 'Status',
		default: 'paused',
		options: [
			{ name: 'Active', value: 'active', description: 'Runs checks on schedule' },
			{ name: 'Paused', value: 'paused', description: 'Runs no checks and costs nothing' },
		],
	}),
	webhook: monitorWebhook,
};

/** What can be taken off a monitor. */
export const clearFields = anyOf({
	emptyIsUnset: true,
	displayName: 'Fields to Clear',
	options: [
		{ name: 'Goal', value: 'goal' },
		{ name: 'Notification', value: 'notification' },
	],
	description:
		'Fields to remove from the monitor. A webhook cannot be removed; change its URL, or create a new monitor.',
});

/** What takes a member off a monitor. Nothing does so for its webhook (docs/api-notes.md, Requests). */
const cleared = { goal: null, notification: {} } as const;
const clearable = ['goal', 'notification'] as const;

const webhookStays =
	'cannot be cleared: the API does not support removing a webhook. Change its URL, or create a new monitor';

const changed = objectSchema(schemasOf({ targets, ...changeMembers }));

/**
 * The body of PATCH /monitor/{id} (https://docs.firecrawl.dev/features/monitoring): what is set, and what takes off the members that are named in the editor's own field `clearFields` or are `null` in the API's shape.
 */
export const monitorChanges = withRequestJson(
	transformSchema((value, context) => {
		const { clearFields: given, ...members } = membersOf(value);
		const refuse = (message: string, ...path: string[]) =>
			context.addIssue({ code: 'custom', message, path });
		if (
			members.webhook === null ||
			listSchema(stringSchema()).safeParse(given).data?.includes('webhook')
		) {
			refuse(webhookStays, 'webhook');
			return z.NEVER;
		}
		const named = clearFields.valueSchema.safeParse(given ?? []);
		if (!named.success) return forwardIssues(named.error, context, 'clearFields');
		const set = changed.safeParse(members);
		if (!set.success) return forwardIssues(set.error, context);
		const gone = clearable.filter(
			(name) => members[name] === null || named.data?.includes(name) === true,
		);
		for (const name of gone) {
			if (set.data[name] !== undefined) refuse(`cannot be set and cleared at once`, name);
		}
		return { ...set.data, ...Object.fromEntries(gone.map((name) => [name, cleared[name]])) };
	}),
	['monitorId'],
).superRefine((changes, context) => {
	if (Object.keys(changes).length > 0) return;
	const message = `changes nothing: set 'Targets' or at least one of the 'Update Fields'`;
	context.addIssue({ code: 'custom', message });
});
