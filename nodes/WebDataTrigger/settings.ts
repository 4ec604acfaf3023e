import { listSchema, unsetIfEmpty, membersOf, stringSchema } from '../runtime/form/schema';
import {
	boolean,
	editorOnly,
	field,
	required,
	oneOf,
	requiredFor,
	withDefault,
} from '../runtime/form/field';
import {
	additionalFields,
	form,
	propertiesOf,
	schemaOf,
	visibleWhen,
	mapSchema,
} from '../runtime/form/form';
import type { Values } from '../runtime/operation/operation';
import { refuseUnsignedCalls as unsignedCalls } from '../runtime/form/options';
import { monitor } from '../WebData/fields/monitor/monitorId';
import { notification } from '../WebData/fields/monitor/notification';
import {
	goal,
	judgeEnabled,
	monitorName,
	monitorRules,
	retentionDays,
} from '../WebData/fields/monitor/request';
import { newSchedule } from '../WebData/fields/monitor/schedule';
import { newTargets } from '../WebData/fields/monitor/targets';
import { requestJson, withRequestJson } from '../WebData/fields/requestJson';
import { jobEvents, monitorEvents } from './events';

const ofNewMonitor = { source: ['newMonitor'] };
const ofMonitors = { source: ['newMonitor', 'existingMonitor'] };

/** The source of events. */
const source = required(
	oneOf({
		displayName: 'Listen To',
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
	}),
);

/** The targets of a new monitor. */
const watched = visibleWhen(ofNewMonitor, { targets: newTargets, schedule: newSchedule, goal });

/** Fields that few users set. */
const more = additionalFields(
	{
		judgeEnabled,
		name: required(
			monitorName({
				placeholder: 'e.g. Prices of competitors',
				description:
					"What to call the monitor, up to 256 characters; the workflow's and the node's name when empty",
			}),
		),
		notification: notification(),
		requestJson,
		retentionDays,
	},
	{ displayOptions: { show: ofNewMonitor } },
);

/** The events that start the workflow. Accepts unknown names, since servers may have other events. */
const events = {
	...visibleWhen(ofMonitors, {
		events: field(
			{
				displayName: 'Events',
				type: 'multiOptions',
				required: true,
				default: ['changed', 'new', 'removed'],
				options: monitorEvents,
				description: 'What starts the workflow',
			},
			unsetIfEmpty(listSchema(stringSchema())),
		),
	}),
	...visibleWhen(
		{ source: ['jobs'] },
		{
			jobEvents: field(
				{
					displayName: 'Events',
					type: 'multiOptions',
					default: [],
					options: jobEvents,
					description: 'What starts the workflow; all that the jobs report when empty',
				},
				unsetIfEmpty(listSchema(stringSchema())),
			),
		},
	),
	...visibleWhen(ofMonitors, {
		onlyMeaningful: withDefault(
			boolean({
				displayName: 'Only Meaningful Changes',
				description:
					'Whether to start for changed pages only when the judge finds that the change matters; needs a goal',
			}),
			false,
		),
	}),
	...visibleWhen(
		{ ...ofMonitors, events: ['checkCompleted'] },
		{
			addPages: withDefault(
				boolean({
					displayName: 'Add Pages of the Check',
					description:
						'Whether to add the pages of a completed check to its item, with their changes',
				}),
				false,
			),
		},
	),
};

const monitorId = requiredFor('source', 'existingMonitor', monitor);

const { replaceWebhook } = visibleWhen(
	{ source: ['existingMonitor'] },
	{
		replaceWebhook: withDefault(
			boolean({
				displayName: 'Replace Webhook',
				description:
					'Whether to take the place of a webhook that the monitor has; it is put back when the workflow is deactivated. One with headers is never replaced.',
			}),
			false,
		),
	},
);

const refuseUnsignedCalls = unsignedCalls();

const signatureNotice = editorOnly({
	property: {
		displayName:
			"Calls without a signature are taken: anybody who knows this node's address can start the workflow with data of their own, and have the service asked with your API key where 'Add Pages of the Check' is on.",
		type: 'notice',
		default: '',
		displayOptions: { show: { refuseUnsignedCalls: [false] } },
	},
});

/** The trigger's parameters: the source of events, and those that start the workflow. */
export const triggerFields = propertiesOf({
	source,
	...watched,
	monitorId,
	...events,
	...more,
	refuseUnsignedCalls,
	signatureNotice,
	replaceWebhook,
});

const { name, ...others } = more;

/** The body of POST /monitor, without the webhook, which the trigger adds. */
const { read, schema } = mapSchema(form({ name, ...watched, ...others }, monitorRules), (body) =>
	withRequestJson(body, ['webhook']),
);

/** Schema of the new monitor. */
export const newMonitor = schema;

/** Builds the body of POST /monitor from the parameters. */
export const readNewMonitor = (values: Values, defaultName: string) => ({
	name: defaultName,
	...membersOf(read(values)),
});

/** Schema of the parameters that decide which events start the workflow. */
export const triggerSchema = schemaOf(
	{ source, ...events, replaceWebhook, monitorId, refuseUnsignedCalls },
	({ source: from, events: wanted }, reject) => {
		if (from !== 'jobs' && wanted === undefined) reject('needs at least one', 'events');
	},
);
