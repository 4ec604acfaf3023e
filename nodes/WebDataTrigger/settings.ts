import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';
import { choice, choices, fields, flag, membersOf, text } from '../runtime/contract';
import type { Values } from '../runtime/operation';
import { form } from '../runtime/form';
import { refuseUnsignedCalls } from '../runtime/settings';
import { monitorId, monitorIdField } from '../WebData/fields/monitor/monitorId';
import { notificationField } from '../WebData/fields/monitor/notification';
import {
	goalField,
	judgeEnabledField,
	monitorMembers,
	monitorRules,
	retentionDaysField,
} from '../WebData/fields/monitor/request';
import { newScheduleField } from '../WebData/fields/monitor/schedule';
import { newTargetsField } from '../WebData/fields/monitor/targets';
import { requestJsonField, withRequestJson } from '../WebData/fields/requestJson';
import { jobEvents, monitorEvents } from './events';

const shownFor = (source: string[], field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: { show: { source } },
});

/** What to listen to, and which of its events start the workflow. */
export const triggerFields: INodeProperties[] = [
	{
		displayName: 'Listen To',
		name: 'source',
		type: 'options',
		noDataExpression: true,
		default: 'newMonitor',
		options: [
			{
				name: 'Existing Monitor',
				value: 'existingMonitor',
				description: 'Has its calls sent here while the workflow is active',
			},
			{
				name: 'Jobs',
				value: 'jobs',
				description: "Crawls, batches and agent runs whose webhook is this node's address",
			},
			{
				name: 'New Monitor',
				value: 'newMonitor',
				description:
					'Watches pages, sites or searches while the workflow is active; for a test event they are checked at once',
			},
		],
		description: 'Where the events come from',
	},
	shownFor(['newMonitor'], newTargetsField),
	shownFor(['newMonitor'], newScheduleField),
	shownFor(['newMonitor'], goalField),
	shownFor(['existingMonitor'], monitorIdField),
	shownFor(['newMonitor', 'existingMonitor'], {
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		default: ['changed', 'new', 'removed'],
		options: monitorEvents,
		description: 'What starts the workflow',
	}),
	shownFor(['jobs'], {
		displayName: 'Events',
		name: 'jobEvents',
		type: 'multiOptions',
		default: [],
		options: jobEvents,
		description: 'What starts the workflow; all that the jobs report when empty',
	}),
	shownFor(['newMonitor', 'existingMonitor'], {
		displayName: 'Only Meaningful Changes',
		name: 'onlyMeaningful',
		type: 'boolean',
		default: false,
		description:
			'Whether to start for changed pages only when the judge finds that the change matters; needs a goal',
	}),
	{
		displayName: 'Add Pages of the Check',
		name: 'addPages',
		type: 'boolean',
		default: false,
		displayOptions: {
			show: { source: ['newMonitor', 'existingMonitor'], events: ['checkCompleted'] },
		},
		description: 'Whether to add the pages of a completed check to its item, with their changes',
	},
	shownFor(['newMonitor'], {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			judgeEnabledField,
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Prices of competitors',
				description:
					"What to call the monitor, up to 256 characters; the workflow's and the node's name when empty",
			},
			notificationField,
			requestJsonField,
			retentionDaysField,
		],
	}),
	...form({ refuseUnsignedCalls: refuseUnsignedCalls() }).fields,
	{
		displayName:
			"Calls without a signature are taken: anybody who knows this node's address can start the workflow with data of their own, and have the service asked with your API key where 'Add Pages of the Check' is on.",
		name: 'signatureNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { refuseUnsignedCalls: [false] } },
	},
	shownFor(['existingMonitor'], {
		displayName: 'Replace Webhook',
		name: 'replaceWebhook',
		type: 'boolean',
		default: false,
		description:
			'Whether to take the place of a webhook that the monitor has; it is put back when the workflow is deactivated. One with headers is never replaced.',
	}),
];

const { shape: members } = z.object(monitorMembers).omit({ webhook: true });

/** The monitor that the trigger registers: all of POST /monitor but the webhook, which is the trigger's own (addendum 10). */
export const newMonitor = withRequestJson(fields(members, monitorRules), ['webhook']);

/** Puts the parameters together as the body of POST /monitor. */
export const readNewMonitor = (values: Values, usualName: string) => ({
	name: usualName,
	targets: values.targets,
	schedule: values.schedule,
	goal: values.goal,
	...membersOf(values.additionalFields),
});

/** Contract of what decides which deliveries start the workflow. */
export const triggerContract = fields(
	{
		source: choice('newMonitor', 'existingMonitor', 'jobs'),
		events: choices(text()).optional(),
		jobEvents: choices(text()).optional(),
		onlyMeaningful: flag().default(false),
		addPages: flag().default(false),
		replaceWebhook: flag().default(false),
		monitorId: monitorId.schema.optional(),
	},
	({ source, events }, refuse) => {
		if (source !== 'jobs' && events === undefined) refuse('needs at least one', 'events');
	},
);
