import { z } from 'zod';
import { choice, choices, fields, handOn, membersOf } from '../../../runtime/contract';
import { monitorMembers } from '../../fields/monitor/request';
import { withRequestJson } from '../../fields/requestJson';

/** What `null` takes off a monitor (sdk-facts 13). */
export const clearable = ['goal', 'notification', 'webhook'] as const;

const changed = fields({
	...monitorMembers,
	name: monitorMembers.name.optional(),
	targets: monitorMembers.targets.optional(),
	schedule: monitorMembers.schedule.optional(),
	status: choice('active', 'paused').optional(),
});

/**
 * The body of PATCH /monitor/{id} (addendum 10): what is set, and `null` for what is to be taken off,
 * which is named in the editor's own field `clearFields` or is `null` in the API's shape.
 */
export const monitorChanges = withRequestJson(
	z.unknown().transform((value, context) => {
		const { clearFields, ...members } = membersOf(value);
		const named = choices(choice(...clearable)).safeParse(clearFields ?? []);
		if (!named.success) return handOn(named.error, context, 'clearFields');
		const set = changed.safeParse(members);
		if (!set.success) return handOn(set.error, context);
		const refuse = (message: string, ...path: string[]) =>
			context.addIssue({ code: 'custom', message, path });
		const cleared = clearable.filter(
			(name) => members[name] === null || named.data?.includes(name) === true,
		);
		for (const name of cleared) {
			if (set.data[name] !== undefined) refuse(`cannot be set and cleared at once`, name);
		}
		const changes = { ...set.data, ...Object.fromEntries(cleared.map((name) => [name, null])) };
		if (Object.keys(changes).length === 0) {
			refuse(`changes nothing: set 'Targets' or at least one of the 'Update Fields'`);
		}
		return changes;
	}),
);
