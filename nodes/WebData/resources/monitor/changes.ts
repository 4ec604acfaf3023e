import { z } from 'zod/v3';
import { choice, choices, fields, handOn, membersOf, text } from '../../../runtime/contract';
import { monitorMembers } from '../../fields/monitor/request';
import { withRequestJson } from '../../fields/requestJson';

/** What takes a member off a monitor. Nothing does so for its webhook (docs/api-notes.md, Requests). */
const cleared = { goal: null, notification: {} } as const;
const clearable = ['goal', 'notification'] as const;

const webhookStays =
	'cannot be cleared: the service takes no webhook off a monitor. Give it another address, or make a new monitor';

const changed = fields({
	...monitorMembers,
	name: monitorMembers.name.optional(),
	targets: monitorMembers.targets.optional(),
	schedule: monitorMembers.schedule.optional(),
	status: choice('active', 'paused').optional(),
});

/**
 * The body of PATCH /monitor/{id} (addendum 10): what is set, and what takes off the members that are named in the editor's own field `clearFields` or are `null` in the API's shape.
 */
export const monitorChanges = withRequestJson(
	z.unknown().transform((value, context) => {
		const { clearFields, ...members } = membersOf(value);
		const refuse = (message: string, ...path: string[]) =>
			context.addIssue({ code: 'custom', message, path });
		if (
			members.webhook === null ||
			choices(text()).safeParse(clearFields).data?.includes('webhook')
		) {
			refuse(webhookStays, 'webhook');
			return z.NEVER;
		}
		const named = choices(choice(...clearable)).safeParse(clearFields ?? []);
		if (!named.success) return handOn(named.error, context, 'clearFields');
		const set = changed.safeParse(members);
		if (!set.success) return handOn(set.error, context);
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
