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
				description: 'Name of the monitor, up to 256 characters',
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
		'Creates a monitor that checks pages, sites or searches for changes on a schedule. Returns it with its ID and estimated credits per month. Each check costs as much as scraping its pages, until the monitor is paused or deleted.',
	costs: 'each check as scraping its pages',
	request: mapSchema(request, (schema) => withRequestJson(schema, ['status'])),
	settings: settingsFields({ starts: true }),
	async run(body, context) {
		const start = {
			endpoint: monitorEndpoints.create,
			body,
			price: monitorPrice(body),
		};
		return [startedResult('monitor', await context.send(start), context)];
	},
});
