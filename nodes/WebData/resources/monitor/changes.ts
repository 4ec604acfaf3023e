import { z } from 'zod/v3';
import { transformSchema } from '../../../runtime/form/effects';
import {
	listSchema,
	objectSchema,
	forwardIssues,
	collectionFields,
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

/** The updatable fields of a monitor except its targets. */
export const updatableFields = {
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

/** The clearable fields of a monitor. */
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

/** The values that clear a field. None clears the webhook (docs/api-notes.md, Requests). */
const cleared = { goal: null, notification: {} } as const;
const clearable = ['goal', 'notification'] as const;

const webhookStays =
	'cannot be cleared: the API does not support removing a webhook. Change its URL, or create a new monitor';

const changed = objectSchema(schemasOf({ targets, ...updatableFields }));

/**
 * The body of PATCH /monitor/{id} (https://docs.firecrawl.dev/features/monitoring): the fields to
 * set, and the clearing values of those in the editor's `clearFields` or with `null` in JSON.
 */
export const monitorChanges = withRequestJson(
	transformSchema((value, context) => {
		const { clearFields: given, ...fields } = collectionFields(value);
		const reject = (message: string, ...path: string[]) =>
			context.addIssue({ code: 'custom', message, path });
		if (
			fields.webhook === null ||
			listSchema(stringSchema()).safeParse(given).data?.includes('webhook')
		) {
			reject(webhookStays, 'webhook');
			return z.NEVER;
		}
		const named = clearFields.valueSchema.safeParse(given ?? []);
		if (!named.success) return forwardIssues(named.error, context, 'clearFields');
		const set = changed.safeParse(fields);
		if (!set.success) return forwardIssues(set.error, context);
		const gone = clearable.filter(
			(name) => fields[name] === null || named.data?.includes(name) === true,
		);
		for (const name of gone) {
			if (set.data[name] !== undefined) reject(`cannot be set and cleared at once`, name);
		}
		return { ...set.data, ...Object.fromEntries(gone.map((name) => [name, cleared[name]])) };
	}),
	['monitorId'],
).superRefine((changes, context) => {
	if (Object.keys(changes).length > 0) return;
	const message = `changes nothing: set 'Targets' or at least one of the 'Update Fields'`;
	context.addIssue({ code: 'custom', message });
});
