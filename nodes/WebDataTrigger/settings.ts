import { listSchema, unsetIfEmpty, collectionFields, stringSchema } from '../runtime/form/schema';
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
import { requireSignature as unsignedCalls } from '../runtime/form/options';
import { monitorEventFields } from '../WebData/fields/monitor/events';
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
import { jobEvents } from './events';

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
				description: 'Sends its webhook events to this workflow while active',
			},
			{
				name: 'Jobs',
				value: 'jobs',
				description: "Crawls, batches and agent runs with this node's URL as webhook",
			},
			{
				name: 'New Monitor',
				value: 'newMonitor',
				description:
					'Checks pages, sites or searches while the workflow is active; a test event checks them immediately',
			},
		],
		description: 'Source of the events',
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
				description: 'Name of the monitor, up to 256 characters; workflow and node name if empty',
			}),
		),
		notification: notification(),
		requestJson,
		retentionDays,
	},
	{ displayOptions: { show: ofNewMonitor } },
);

/** The events that start the workflow. */
const events = {
	...visibleWhen(ofMonitors, { events: monitorEventFields.events }),
	...visibleWhen(
		{ source: ['jobs'] },
		{
			jobEvents: field(
				{
					displayName: 'Events',
					type: 'multiOptions',
					default: [],
					options: jobEvents,
					description: 'Events that start the workflow; all events of the jobs if empty',
				},
				unsetIfEmpty(listSchema(stringSchema())),
			),
		},
	),
	...visibleWhen(ofMonitors, {
		onlyMeaningful: monitorEventFields.onlyMeaningful,
		includePages: monitorEventFields.includePages,
	}),
};

const monitorId = requiredFor('source', 'existingMonitor', monitor);

const { replaceWebhook } = visibleWhen(
	{ source: ['existingMonitor'] },
	{
		replaceWebhook: withDefault(
			boolean({
				displayName: 'Replace Webhook',
				description:
					'Whether to replace an existing webhook of the monitor; it is restored when the workflow is deactivated. A webhook with headers is never replaced.',
			}),
			false,
		),
	},
);

const requireSignature = unsignedCalls();

const signatureNotice = editorOnly({
	property: {
		displayName:
			"Webhook events without a signature are accepted: anyone who knows this node's URL can start the workflow with forged data and, if 'Include Pages' is on, trigger requests with your API key.",
		type: 'notice',
		default: '',
		displayOptions: { show: { requireSignature: [false] } },
	},
});

/** The trigger's parameters: the source of events, and those that start the workflow. */
export const triggerFields = propertiesOf({
	source,
	...watched,
	monitorId,
	...events,
	...more,
	requireSignature,
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
	...collectionFields(read(values)),
});

/** The parameters that select events. Reading each takes time outside an execution. */
export const eventParameters = [
	'source',
	'events',
	'jobEvents',
	'onlyMeaningful',
	'includePages',
	'requireSignature',
];

/** Schema of the parameters that decide which events start the workflow. */
export const triggerSchema = schemaOf(
	{ source, ...events, replaceWebhook, monitorId, requireSignature },
	({ source: from, events: wanted }, reject) => {
		if (from !== 'jobs' && wanted === undefined) reject('requires at least one', 'events');
	},
);
