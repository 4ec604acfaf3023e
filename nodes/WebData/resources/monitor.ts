import type { IDataObject } from 'n8n-workflow';
import { endpoint } from '../../runtime/http/endpoint';
import { missingInResponse } from '../../runtime/errors/webDataError';
import type { ApiResponse } from '../../runtime/errors/response';
import { oneOf, required } from '../../runtime/form/field';
import { additionalFields, form, inCollection, mapSchema } from '../../runtime/form/form';
import { collectionFields, forwardIssues, transformSchema } from '../../runtime/form/schema';
import { settingsFields } from '../../runtime/form/settings';
import type { Request } from '../../runtime/http/client';
import {
	byUrl,
	longestPage,
	readByOffset,
	readList,
	requireArray,
	type Sender,
} from '../../runtime/http/paging';
import { requireJobId, asRecord, label, without } from '../../runtime/execution/results';
import { operation, type ReadContext, type Resource, type Result } from '../../runtime/operation';
import { isRecord, fieldOf, isUnset, type JsonRecord } from '../../runtime/values/record';
import { jobId, limit } from '../fields/common';
import {
	goal,
	judgeEnabled,
	monitorId,
	monitorName,
	monitorRules,
	monitorWebhook,
	notification,
	retentionDays,
	schedule,
	targets,
	timezone,
	withTimezone,
} from '../fields/monitor';
import { requestJson, withRequestJson } from '../fields/requestJson';

/** The endpoints of monitors (https://docs.firecrawl.dev/features/monitoring). */
export const monitorEndpoints = {
	create: endpoint('POST', '/monitor', 'crawl', 'mayStartTwice'),
	delete: endpoint('DELETE', '/monitor/{id}', 'crawlStatus'),
	get: endpoint('GET', '/monitor/{id}', 'crawlStatus'),
	getCheck: endpoint('GET', '/monitor/{id}/checks/{checkId}', 'crawlStatus'),
	list: endpoint('GET', '/monitor', 'crawlStatus'),
	listChecks: endpoint('GET', '/monitor/{id}/checks', 'crawlStatus'),
	run: endpoint('POST', '/monitor/{id}/run', 'crawl', 'mayStartTwice'),
	update: endpoint('PATCH', '/monitor/{id}', 'crawl', 'free'),
};

/** The fields of a simplified monitor. */
const monitorFields = [
	'id',
	'name',
	'status',
	'targets',
	'schedule',
	'nextRunAt',
	'lastCheckSummary',
	'estimatedCreditsPerMonth',
];

/** The fields of a simplified check. */
const checkFields = [
	'id',
	'monitorId',
	'status',
	'trigger',
	'summary',
	'error',
	'startedAt',
	'finishedAt',
	'actualCredits',
];

/** The record of a response, or the whole response. @throws WebDataError if it has none */
function recordResult(body: unknown, context: ReadContext): Result {
	const response = asRecord(body);
	if (context.settings.output === 'raw') return { json: response };
	const { id, data } = response;
	if (id === undefined && !isRecord(data)) throw missingInResponse('a record', context.errorSource);
	return { json: { ...(id !== undefined && { id }), ...asRecord(data ?? {}) } };
}

/** A result for each record of a list, or one for all. */
const recordResults = (data: IDataObject[], { settings }: ReadContext): Result[] =>
	settings.output === 'raw' ? [{ json: { data } }] : data.map((json) => ({ json }));

/** The record of a start. @throws WebDataError without an ID, by which a running job could be found */
function startedResult(noun: string, response: ApiResponse, context: ReadContext): Result {
	const { body } = response;
	const id = fieldOf(fieldOf(body, 'data'), 'id') ?? fieldOf(body, 'id');
	requireJobId(noun, { ...response, body: { id } }, context.errorSource);
	return recordResult(body, context);
}

const nameLength = 'Name of the monitor, up to 256 characters';

const newMonitorForm = form(
	{
		targets: required(targets),
		schedule: required(schedule),
		name: monitorName(`${nameLength}; the first target if empty`, {
			placeholder: 'e.g. Prices of competitors',
		}),
		...additionalFields({
			goal,
			judgeEnabled,
			notification,
			requestJson,
			retentionDays,
			timezone,
			webhook: monitorWebhook,
		}),
	},
	monitorRules,
);

/** The name of a monitor without one: its first URL or query. */
const defaultName = ([{ urls, url, queries }]: JsonRecord[]): string =>
	String([urls, url, queries].flat().find(Boolean)).slice(0, 256);

/** POST /monitor (https://docs.firecrawl.dev/api-reference/endpoint/monitor-create). */
const create = operation({
	name: 'Create',
	value: 'create',
	action: 'Create monitor',
	description:
		'Creates a monitor that checks pages, sites or searches for changes on a schedule. Returns it with its ID and estimated credits per month. Each check costs as much as scraping its pages.',
	costs: 'each check as scraping its pages',
	request: mapSchema(newMonitorForm, (schema) => withRequestJson(withTimezone(schema), ['status'])),
	settings: settingsFields('output', 'maxCreditsPerExecution', 'maxRetryTime'),
	simplified: monitorFields,
	async run(given, context) {
		const body = { name: defaultName(given.targets), ...given };
		const request = { endpoint: monitorEndpoints.create, body, price: 0 };
		return [startedResult('monitor', await context.send(request), context)];
	},
});

/** GET /monitor/{id} (https://docs.firecrawl.dev/api-reference/endpoint/monitor-get). */
const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get monitor',
	description:
		'Returns a monitor: targets, schedule, next run, credits per month and last summary. Free.',
	request: form({ monitorId }),
	settings: settingsFields('output'),
	simplified: monitorFields,
	async run({ monitorId: id }, context) {
		const response = await context.send({ endpoint: monitorEndpoints.get, ids: { id } });
		return [recordResult(response.body, context)];
	},
});

/** GET /monitor (https://docs.firecrawl.dev/features/monitoring). */
const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many monitors',
	description:
		"Returns the team's monitors with their targets, schedules and last summaries. Free.",
	request: form(limit({ default: 50 })),
	settings: settingsFields('output'),
	simplified: monitorFields,
	async run({ limit: most = Infinity }, context) {
		const request = { endpoint: monitorEndpoints.list };
		return recordResults(await readByOffset(request, most, context), context);
	},
});

const updates = {
	name: 'additionalFields',
	displayName: 'Update Fields',
	placeholder: 'Add Field',
};

const requested = form({
	monitorId,
	targets,
	...inCollection(updates, {
		goal,
		judgeEnabled,
		name: monitorName(nameLength),
		notification,
		requestJson,
		retentionDays,
		schedule,
		timezone,
		status: oneOf('Status', 'Whether it runs checks', {
			default: 'paused',
			options: {
				active: ['Active', 'Runs checks on schedule'],
				paused: ['Paused', 'Runs no checks and costs nothing'],
			},
		}),
		webhook: monitorWebhook,
	}),
});

/** The monitor and the fields to set; null, which only *Request (JSON)* has here, clears a field. */
const changes = transformSchema((value, context) => {
	const set = requested.schema.safeParse(value);
	if (!set.success) return forwardIssues(set.error, context);
	const cleared = Object.entries(collectionFields(value))
		.filter(([, field]) => field === null)
		.map(([name]) => [name, name === 'notification' ? {} : null]);
	const { monitorId: id, ...fields } = set.data;
	const body: IDataObject = { ...fields, ...Object.fromEntries(cleared) };
	if (Object.keys(body).length === 0) {
		const message = `changes nothing: set 'Targets' or at least one of the 'Update Fields'`;
		context.addIssue({ code: 'custom', message });
	}
	return { id, body };
});

/** PATCH /monitor/{id} (https://docs.firecrawl.dev/features/monitoring). */
const update = operation({
	name: 'Update',
	value: 'update',
	action: 'Update monitor',
	description:
		'Updates, pauses or resumes a monitor and returns it. Fields not set stay unchanged. Free; its checks are charged.',
	request: {
		fields: requested.fields,
		// An expression without a value changes nothing.
		read: (values) =>
			Object.fromEntries(
				Object.entries(collectionFields(requested.read(values))).filter(
					([, field]) => field !== null,
				),
			),
		schema: withRequestJson(withTimezone(changes), ['monitorId']),
	},
	settings: settingsFields('output'),
	simplified: monitorFields,
	async run({ id, body }, context) {
		const request = { endpoint: monitorEndpoints.update, ids: { id }, body };
		return [recordResult((await context.send(request)).body, context)];
	},
});

/** DELETE /monitor/{id} (https://docs.firecrawl.dev/features/monitoring). */
const deleteMonitor = operation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete monitor',
	description: 'Deletes a monitor permanently and returns its ID. Free.',
	request: form({ monitorId }),
	async run({ monitorId: id }, context) {
		await context.send({ endpoint: monitorEndpoints.delete, ids: { id } });
		return [{ json: { deleted: true, monitorId: id } }];
	},
});

/** POST /monitor/{id}/run (https://docs.firecrawl.dev/api-reference/endpoint/monitor-run). */
const run = operation({
	name: 'Run',
	value: 'run',
	action: 'Run monitor now',
	description:
		'Starts a check of a monitor immediately, besides its schedule, and returns the running check. Costs as many credits as scraping the pages.',
	costs: 'as scraping its pages',
	request: form({ monitorId }),
	settings: settingsFields('output', 'maxCreditsPerExecution', 'maxRetryTime'),
	simplified: checkFields,
	async run({ monitorId: id }, context) {
		const request = { endpoint: monitorEndpoints.run, ids: { id }, price: 0 };
		return [startedResult('check', await context.send(request), context)];
	},
});

/** GET /monitor/{id}/checks (https://docs.firecrawl.dev/features/monitoring). */
const getChecks = operation({
	name: 'Get Many Checks',
	value: 'getChecks',
	action: 'Get many monitor checks',
	description:
		'Returns the checks of a monitor: status, credits, and number of changed pages. Free.',
	request: form({
		monitorId,
		...limit({ default: 50 }),
		...additionalFields({
			status: oneOf('Status', 'Only checks with this status', {
				default: 'completed',
				options: {
					completed: 'Completed',
					failed: 'Failed',
					partial: ['Partial', 'Some pages could not be scraped'],
					queued: 'Queued',
					running: 'Running',
					skipped_no_credits: ['Skipped: No Credits', 'The credits were used up'],
					skipped_overlap: ['Skipped: Overlap', 'The previous check was still running'],
				},
			}),
		}),
	}),
	settings: settingsFields('output'),
	simplified: checkFields,
	async run({ monitorId: id, limit: most = Infinity, status }, context) {
		const query = status === undefined ? {} : { status };
		const request = { endpoint: monitorEndpoints.listChecks, ids: { id }, query };
		return recordResults(await readByOffset(request, most, context), context);
	},
});

/** The statuses of an unfinished check. */
const unfinished = new Set<unknown>(['queued', 'running']);

/** Whether a check has ended. */
export const hasCheckEnded = ({ status }: IDataObject): boolean => !unfinished.has(status);

/** A check from its first response, with the pages of all responses. */
interface ReadCheck {
	response: IDataObject;
	check: IDataObject;
	pages: unknown[];
}

/** Fetches a check with its pages, which may be in `data` (https://docs.firecrawl.dev/features/monitoring). @throws WebDataError */
export async function readCheck(
	request: Request,
	most: number,
	context: Sender,
): Promise<ReadCheck> {
	const responses: IDataObject[] = [];
	const send: Sender['send'] = async (part) => {
		const response = await context.send(part);
		const body = asRecord(response.body);
		const next = body.next ?? asRecord(body.data ?? {}).next;
		responses.push({ ...body, next });
		return { ...response, body: { ...body, next } };
	};
	// A check that has just begun may have no pages.
	const entriesOf = ({ data }: IDataObject): unknown[] =>
		requireArray(isRecord(data) ? (data.pages ?? []) : data, context.errorSource);
	const pages = await readList(request, { entriesOf, next: byUrl(request) }, most, {
		...context,
		send,
	});
	const [{ data, ...response }] = responses;
	const check = without(asRecord(data ?? {}), 'pages', 'next');
	return { response: without(response, 'next'), check, pages };
}

/** GET /monitor/{id}/checks/{checkId} (https://docs.firecrawl.dev/features/monitoring). */
const getCheck = operation({
	name: 'Get Check',
	value: 'getCheck',
	action: 'Get monitor check',
	description:
		'Returns the pages of a check: what changed, and whether it matters for the goal. Free.',
	request: form({
		monitorId,
		checkId: jobId('ID of the check, returned by Run, Get Many Checks and the webhook', 'Check ID'),
		...limit({ all: true, default: 50 }),
		...additionalFields({
			status: oneOf('Page Status', 'Only pages with this status', {
				default: 'changed',
				options: {
					changed: 'Changed',
					error: ['Error', 'The page could not be scraped'],
					new: 'New',
					removed: 'Removed',
					same: 'Same',
				},
			}),
		}),
	}),
	settings: settingsFields('output'),
	simplified: [
		'url',
		'status',
		'diff',
		'judgment',
		'statusCode',
		'pageError',
		'monitorId',
		'checkId',
	],
	async run({ monitorId: id, checkId, limit: most = Infinity, status }, context) {
		const query = { limit: Math.min(longestPage, most), ...(status && { status }) };
		const request = { endpoint: monitorEndpoints.getCheck, ids: { id, checkId }, query };
		const { response, check, pages } = await readCheck(request, most, context);
		if (!hasCheckEnded(check)) {
			context.notice(
				`Check ${checkId} is still running (${String(check.status)}); more pages may follow.`,
			);
		}
		if (context.settings.output === 'raw') {
			return [{ json: { ...response, data: { ...check, pages: pages.map(asRecord) } } }];
		}
		// Without an item, only a notice can show how the check ended.
		if (pages.length === 0) {
			const which = status === undefined ? 'no pages' : `no pages with the status ${status}`;
			context.notice(`Check ${checkId} (${String(check.status)}) has ${which}.`);
		}
		return pages.map((entry, index) => {
			const { error, ...page } = asRecord(entry);
			const found = isUnset(error) ? page : { ...page, pageError: error };
			return { json: label(found, { monitorId: id, checkId, position: index + 1 }) };
		});
	},
});

export const monitor: Resource = {
	name: 'Monitor',
	value: 'monitor',
	operations: [create, get, getAll, update, deleteMonitor, run, getChecks, getCheck],
};
