import { z } from 'zod/v3';
import { fields, handOn, membersOf } from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { settingsFields } from '../../../runtime/settings';
import { monitorId, monitorIdField, monitorPath } from '../../fields/monitor/monitorId';
import { notificationField } from '../../fields/monitor/notification';
import {
	goalField,
	judgeEnabledField,
	monitorWebhookField,
	retentionDaysField,
} from '../../fields/monitor/request';
import { scheduleField } from '../../fields/monitor/schedule';
import { targetsField } from '../../fields/monitor/targets';
import { requestJsonField } from '../../fields/requestJson';
import { recordResult } from './answer';
import { monitorChanges } from './changes';

/** PATCH /monitor/{id} (addendum 10). */
export const update = operation({
	name: 'Update',
	value: 'update',
	action: 'Update a monitor',
	description:
		'Changes, pauses or resumes a monitor and returns it. What is not set stays as it is. Free; its checks are not.',
	fields: [
		monitorIdField,
		targetsField,
		{
			displayName: 'Update Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Fields to Clear',
					name: 'clearFields',
					type: 'multiOptions',
					default: [],
					options: [
						{ name: 'Goal', value: 'goal' },
						{ name: 'Notification', value: 'notification' },
					],
					description:
						'What to take off the monitor. A webhook cannot be; give it another address, or make a new monitor.',
				},
				goalField,
				judgeEnabledField,
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					description: 'What to call the monitor, up to 256 characters',
				},
				{
					...notificationField,
					description: `${String(notificationField.description)}; replaces the present one`,
				},
				requestJsonField,
				retentionDaysField,
				scheduleField,
				{
					displayName: 'Status',
					name: 'status',
					type: 'options',
					default: 'paused',
					options: [
						{ name: 'Active', value: 'active', description: 'Checks on its schedule' },
						{ name: 'Paused', value: 'paused', description: 'Checks nothing and costs nothing' },
					],
				},
				monitorWebhookField,
			],
		},
		...settingsFields({ sends: true }),
	],
	costs: 'free',
	contract: z.unknown().transform((value, context) => {
		const { monitorId: picked, ...members } = membersOf(value);
		const about = fields({ monitorId: monitorId.schema }).safeParse({ monitorId: picked });
		if (!about.success) return handOn(about.error, context);
		const changes = monitorChanges.safeParse(members);
		if (!changes.success) return handOn(changes.error, context);
		return { id: about.data.monitorId, changes: changes.data };
	}),
	// In the editor's fields an expression's null leaves a member as it is; only JSON's null takes it off.
	read: ({ monitorId: picked, targets, additionalFields }) => ({
		monitorId: picked,
		...(targets !== null && { targets }),
		...Object.fromEntries(
			Object.entries(membersOf(additionalFields)).filter(([, member]) => member !== null),
		),
	}),
	async run({ id, changes }, _values, call) {
		const path = monitorPath(id);
		const answer = await call.send({ method: 'PATCH', path, body: changes, cost: 'read' });
		return [recordResult(answer.body, call)];
	},
});
