import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { inputError, type ErrorSource } from '../runtime/errors/webDataError';
import { listSchema, unsetIfEmpty, collectionFields, stringSchema } from '../runtime/form/schema';
import {
	anyKnown,
	boolean,
	editorOnly,
	required,
	oneOf,
	withDefault,
	type Choices,
} from '../runtime/form/field';
import {
	additionalFields,
	form,
	propertiesOf,
	schemaOf,
	visibleWhen,
	mapSchema,
} from '../runtime/form/form';
import type { Values } from '../runtime/operation';
import { fieldsNamed } from '../runtime/values/record';
import {
	goal,
	judgeEnabled,
	monitorName,
	monitorRules,
	monitorEventFields,
	monitorEvents,
	notification,
	retentionDays,
	schedule,
	targets,
	timezone,
	withTimezone,
} from '../WebData/fields/monitor';
import { requestJson, withRequestJson } from '../WebData/fields/requestJson';

/** The events of jobs, and of monitors as `eventOf` names them (https://docs.firecrawl.dev/webhooks/events). */
const webhookEvents: Choices<string> = {
	action: ['Agent Action', 'Each step of an agent run'],
	cancelled: 'Cancelled',
	completed: ['Completed', 'Without the results; use Get to fetch them'],
	failed: 'Failed',
	...monitorEvents('Monitor '),
	page: ['Page', 'Each scraped page of a batch or crawl'],
	started: 'Started',
};

/** Maps chosen options to the API's event names. */
export const serviceEvents = (chosen: string[]): string[] => [
	...(chosen.some((event) => event !== 'checkCompleted') ? ['monitor.page'] : []),
	...(chosen.includes('checkCompleted') ? ['monitor.check.completed'] : []),
];

/** Maps an entry of a webhook event to its option; for one of a job, the type suffices. */
export function eventOf(type: string, entry: IDataObject = {}): string {
	if (type === 'monitor.check.completed') return 'checkCompleted';
	if (type === 'monitor.page') return typeof entry.status === 'string' ? entry.status : '';
	return type.split('.').at(-1) ?? type;
}

const ofNewMonitor = { source: ['newMonitor'] };

/** The source of events. */
const source = required(
	oneOf('Listen To', 'Source of the events', {
		noDataExpression: true,
		default: 'newMonitor',
		options: {
			newMonitor: [
				'New Monitor',
				'Checks pages, sites or searches while the workflow is active; a test event checks them now',
			],
			webhookEvents: ['Webhook Events', "Of jobs and monitors whose webhook has this node's URL"],
		},
	}),
);

/** The targets of a new monitor. */
const watched = visibleWhen(ofNewMonitor, {
	targets: required(targets),
	schedule: required(schedule),
});

/** Fields that few users set. */
const more = additionalFields(
	{
		goal,
		judgeEnabled,
		name: required(
			monitorName('Name of the monitor, up to 256 characters; workflow and node name if empty', {
				placeholder: 'e.g. Prices of competitors',
			}),
		),
		notification,
		requestJson,
		retentionDays,
		timezone,
	},
	{ displayOptions: { show: ofNewMonitor } },
);

/** The events that start the workflow. */
const events = {
	...visibleWhen(ofNewMonitor, { events: monitorEventFields.events }),
	...visibleWhen(
		{ source: ['webhookEvents'] },
		{
			webhookEvents: anyKnown(
				'Events',
				'Events that start the workflow; all if empty',
				unsetIfEmpty(listSchema(stringSchema())),
				{ options: webhookEvents },
			),
		},
	),
	...visibleWhen(ofNewMonitor, {
		onlyMeaningful: monitorEventFields.onlyMeaningful,
		includePages: monitorEventFields.includePages,
	}),
};

const requireSignature = withDefault(
	boolean(
		'Require Signature',
		"Whether to reject events that the credential's 'Webhook Secret' did not sign",
		{ default: true },
	),
);

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
	...events,
	...more,
	requireSignature,
	signatureNotice,
});

const { name, ...others } = more;

/** The body of POST /monitor, without the webhook, which the trigger adds. */
const { read, schema } = mapSchema(form({ name, ...watched, ...others }, monitorRules), (body) =>
	withRequestJson(withTimezone(body), ['webhook']),
);

/** Schema of the new monitor. */
export const newMonitor = schema;

/** Builds the body of POST /monitor from the parameters. */
export const readNewMonitor = (values: Values, defaultName: string) => ({
	name: defaultName,
	...collectionFields(read(values)),
});

const eventFields = { source, ...events, requireSignature };

/** The parameters that select events. Reading each takes time outside an execution. */
export const eventParameters = Object.keys(eventFields);

/** Schema of the parameters that decide which events start the workflow. */
export const triggerSchema = schemaOf(eventFields, ({ source: from, events: wanted }, reject) => {
	if (from === 'newMonitor' && wanted === undefined) reject('requires at least one', 'events');
});

/** The trigger's settings. */
export type TriggerSettings = z.output<typeof triggerSchema>;

/** Reads the settings from the parameters. @throws NodeOperationError that names the invalid field */
export function readSettings(values: Values, errorSource: ErrorSource): TriggerSettings {
	const read = triggerSchema.safeParse(fieldsNamed(values, ...eventParameters));
	if (read.success) return read.data;
	throw inputError(read.error.issues, errorSource);
}
