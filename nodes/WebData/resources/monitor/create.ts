import { required } from '../../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { monitorEndpoints } from '../../fields/monitor/endpoints';
import { notification } from '../../fields/monitor/notification';
import {
	goal,
	judgeEnabled,
	monitorName,
	monitorRules,
	monitorWebhook,
	retentionDays,
} from '../../fields/monitor/request';
import { monitorPrice } from '../../fields/prices';
import { newSchedule } from '../../fields/monitor/schedule';
import { newTargets } from '../../fields/monitor/targets';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import { startedResult } from './response';

const request = form(
	{
		name: required(
			monitorName({
				placeholder: 'e.g. Prices of competitors',
				description: 'What to call the monitor, up to 256 characters',
			}),
		),
		targets: newTargets,
		schedule: newSchedule,
		goal,
		...additionalFields({
			judgeEnabled,
			notification: notification(),
			requestJson,
			retentionDays,
			webhook: monitorWebhook,
		}),
	},
	monitorRules,
);

/** POST /monitor (https://docs.firecrawl.dev/api-reference/endpoint/monitor-create). */
export const create = operation({
	name: 'Create',
	value: 'create',
	action: 'Create a monitor',
	description:
		'Watches pages, sites or searches on a schedule and notices what changes. Returns the monitor with its ID and the estimated credits per month. Every check costs what reading its pages costs, until the monitor is paused or deleted.',
	costs: 'each check what its pages cost',
	request: mapSchema(request, (schema) => withRequestJson(schema, ['status'])),
	settings: settingsFields({ starts: true }),
	async run(body, _values, context) {
		const start = {
			endpoint: monitorEndpoints.create,
			body,
			price: monitorPrice(body),
		};
		return [startedResult('monitor', await context.send(start), context)];
	},
});
