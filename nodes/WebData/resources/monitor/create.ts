import { fields, membersOf } from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { settingsFields } from '../../../runtime/settings';
import { notificationField } from '../../fields/monitor/notification';
import {
	goalField,
	judgeEnabledField,
	monitorMembers,
	monitorRules,
	monitorWebhookField,
	retentionDaysField,
} from '../../fields/monitor/request';
import { newScheduleField } from '../../fields/monitor/schedule';
import { newTargetsField } from '../../fields/monitor/targets';
import { checksPrice } from '../../fields/prices';
import { requestJsonField, withRequestJson } from '../../fields/requestJson';
import { startedResult } from './answer';

/** POST /monitor (addendum 10). */
export const create = operation({
	name: 'Create',
	value: 'create',
	action: 'Create a monitor',
	description:
		'Watches pages, sites or searches on a schedule and notices what changes. Returns the monitor with its ID and the estimated credits per month. Every check costs what reading its pages costs, until the monitor is paused or deleted.',
	fields: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Prices of competitors',
			description: 'What to call the monitor, up to 256 characters',
		},
		newTargetsField,
		newScheduleField,
		goalField,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				judgeEnabledField,
				notificationField,
				requestJsonField,
				retentionDaysField,
				monitorWebhookField,
			],
		},
		...settingsFields({ starts: true }),
	],
	costs: 'each check what its pages cost',
	contract: withRequestJson(fields(monitorMembers, monitorRules), ['status']),
	read: ({ name, targets, schedule, goal, additionalFields }) => ({
		name,
		targets,
		schedule,
		goal,
		...membersOf(additionalFields),
	}),
	async run(body, _values, call) {
		const request = {
			method: 'POST',
			path: '/monitor',
			body,
			cost: 'paid start',
			price: checksPrice,
		} as const;
		return [startedResult('monitor', await call.send(request), call)];
	},
});
