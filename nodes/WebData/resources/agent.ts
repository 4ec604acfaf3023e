import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { endpoint } from '../../runtime/http/endpoint';
import { errorMessageIn } from '../../runtime/errors/response';
import { missingInResponse, operationError } from '../../runtime/errors/webDataError';
import { boolean, hidden, oneOf, required, string, textField } from '../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../runtime/form/form';
import { integerSchema } from '../../runtime/form/schema';
import { settingsFields, type Settings } from '../../runtime/form/settings';
import type { Request } from '../../runtime/http/client';
import { requireArray } from '../../runtime/http/paging';
import { cancelJob, hasCompleted, isFinished, statusRequest } from '../../runtime/execution/job';
import {
	operation,
	type Job,
	type ReadContext,
	type Resource,
	type Result,
} from '../../runtime/operation';
import { asRecord, label, without } from '../../runtime/execution/results';
import { fromJson } from '../../runtime/values/json';
import { fieldOf, isRecord, isUnset } from '../../runtime/values/record';
import { pluralize } from '../../runtime/values/text';
import { id, jobId } from '../fields/common';
import { jsonSchemaFields, withSchema } from '../fields/jsonSchema';
import { prices } from '../fields/prices';
import { requestJson, withRequestJson } from '../fields/requestJson';
import { urls } from '../fields/url';
import { webhook } from '../fields/webhook';

const start = endpoint('POST', '/agent', 'agent', 'mayStartTwice');

const status = endpoint('GET', '/agent/{id}', 'agentStatus');

const trace = endpoint('GET', '/agent/{id}/trace', 'agentStatus');

const snapshot = endpoint('GET', '/agent/{id}/snapshots/{snapshotId}', 'agentStatus');

const list = endpoint('GET', '/agent', 'agentStatus');

const runId = jobId('ID of the run, returned by Run and Start; retained for 24 hours');

/** The service's default limit of a run, in credits. */
const defaultMaxCredits = prices.agentLimit.credits;

const newRun = form(
	{
		prompt: required(
			string('Prompt', 'What to find, in natural language, up to 10,000 characters', {
				rows: 2,
				max: 10_000,
				placeholder: 'e.g. Find the founders of these companies and the year of foundation',
				hint: `5 free runs a day, then by effort, up to ${defaultMaxCredits.toLocaleString('en')} credits unless you set Max Credits per Execution`,
			}),
		),
		...jsonSchemaFields({
			ifEmpty: 'If empty, the agent chooses the structure',
			withoutSchema: 'The agent chooses the structure',
		}),
		...additionalFields({
			effort: oneOf('Effort', 'How thoroughly to search; higher effort costs more credits', {
				default: 'medium',
				options: { high: 'High', low: 'Low', medium: 'Medium' },
			}),
			maxCredits: hidden(integerSchema({ min: 1 })),
			mode: oneOf('Mode', 'Type of response', {
				default: 'extract',
				options: {
					chat: ['Chat', 'Responds in natural language, under message'],
					extract: ['Extract', 'Responds with structured data'],
				},
			}),
			requestJson,
			strictConstrainToURLs: boolean(
				'Only These URLs',
				'Whether to restrict the agent to the given URLs',
			),
			threadId: id(
				'Thread ID',
				'Thread of an earlier run to continue; empty fields are taken from that run',
			),
			urls: textField(
				'URLs',
				'Comma-separated start URLs; if empty, the agent searches the web',
				urls(),
				{ placeholder: 'e.g. https://example.com/team' },
			),
			webhook: webhook({
				action: 'Action',
				cancelled: 'Cancelled',
				completed: 'Completed',
				failed: 'Failed',
				started: 'Started',
			}),
		}),
	},
	({ threadId, strictConstrainToURLs, urls: given }, reject) => {
		if (strictConstrainToURLs && !given?.length && threadId === undefined) {
			reject(`requires 'URLs'`, 'strictConstrainToURLs');
		}
	},
);

/** The body of POST /agent (https://docs.firecrawl.dev/features/agent). */
const agentRequest = mapSchema(newRun, (schema) => withSchema(withRequestJson(schema)));

/** POST /agent. At most `maxCredits` is charged, by default the limit of the node; 5 runs a day are free. */
function agentStart(
	given: z.output<typeof newRun.schema>,
	{ maxCreditsPerExecution: most }: Settings,
): Request {
	const limit = most === undefined ? {} : { maxCredits: Math.max(1, Math.floor(most)) };
	const body: typeof given = { ...limit, ...given };
	return {
		endpoint: start,
		body,
		jobLookup: { list, entries: 'agents', target: body.prompt, showsOrigin: true },
		price: body.maxCredits ?? defaultMaxCredits,
		limitedBy: 'maxCredits',
	};
}

/** The list that a result consists of: itself, or `items`, as the schema of a list as example has it. */
function entriesOf(data: unknown): unknown[] | undefined {
	const isNamed = isRecord(data) && Object.keys(data).join() === 'items';
	const found = isNamed ? data.items : data;
	return Array.isArray(found) && found.length > 0 ? found : undefined;
}

/** One item per entry of a result that is a list, otherwise one; the first with cost and state of the run. */
function runResults(
	response: IDataObject,
	{ output }: Pick<ReadContext['settings'], 'output'>,
): Result[] {
	if (output === 'raw') return [{ json: response }];
	const { data, id: runJobId, creditsUsed } = response;
	const request = without(response, 'data', 'success', 'id', 'agent_hints', 'creditsUsed');
	const entries = entriesOf(data) ?? [data ?? {}];
	return entries.map((entry, index) => ({
		json: label(asRecord(entry), { jobId: runJobId, ...(index === 0 && { creditsUsed, request }) }),
	}));
}

const hasNoValue = (value: unknown) =>
	isUnset(value) || (Array.isArray(value) && value.length === 0);

const isNothing = (value: unknown) => hasNoValue(value) || typeof value === 'boolean';

/** Whether a result has no values: null, {}, [] or an object of such. */
const isEmpty = (data: unknown) =>
	isNothing(data) || (isRecord(data) && Object.values(data).every(hasNoValue));

/** Shows the terms that a person must accept before the agent may use a provider. */
function noticeTerms({ pendingApproval, exchange }: IDataObject, context: ReadContext): void {
	const lists = [
		fieldOf(pendingApproval, 'terms'),
		fieldOf(fieldOf(exchange, 'requiresAction'), 'providers'),
	];
	const found = lists
		.flatMap((entries) => (Array.isArray(entries) ? entries : []))
		.map((entry: unknown) => fieldOf(entry, 'url'));
	for (const url of new Set(found.filter((each) => typeof each === 'string'))) {
		context.notice(
			`The agent requires a person to accept the terms at ${url}. This node never accepts terms.`,
		);
	}
}

/** Whether a job was cancelled, in either spelling. */
const wasCancelled = ({ status }: IDataObject) =>
	typeof status === 'string' && /^cancell?ed$/i.test(status);

/** Advice to get a complete result. A run in the same thread continues with these findings. */
function advice(response: IDataObject): string {
	const { threadId, stopReason } = response;
	const thread = typeof threadId === 'string' ? ` with the 'Thread ID' ${threadId}` : '';
	if (stopReason === 'credit_limit_reached') {
		const again = thread && ` To continue from its result, run the agent again${thread}.`;
		return `Narrow the prompt.${again} A higher 'Max Credits per Execution' allows more.`;
	}
	return wasCancelled(response)
		? `Start it again${thread} if needed.`
		: `Use 'Get Trace' to see what happened.`;
}

/** Turns an ended run into items; findings of a failed one are marked, as its thread builds on them. @throws its error */
async function finishRun(response: IDataObject, context: ReadContext): Promise<Result[]> {
	const { id: runJobId, error, message, partial, stopReason, creditsUsed, data } = response;
	noticeTerms(response, context);
	const run = `agent run ${String(runJobId)}`;
	const cost =
		typeof creditsUsed === 'number' ? `It used ${pluralize(creditsUsed, 'credit')}.` : '';
	if (hasCompleted(response) && isUnset(stopReason) && (!partial || isUnset(partial))) {
		const hasMessage = typeof message === 'string' && message !== '';
		if (isEmpty(data) && !hasMessage)
			context.notice(`The ${run} completed without a result. ${cost}`.trim());
		return runResults(response, context.settings);
	}
	const problem =
		errorMessageIn(error) ??
		errorMessageIn(stopReason) ??
		(hasCompleted(response)
			? 'It stopped early'
			: `The agent run ended as ${String(response.status)}`);
	const found = isNothing(data) ? partial : data;
	if (hasCompleted(response) || !isNothing(found)) {
		const notice = `The result of the ${run} is partial: ${problem.replace(/\.$/, '')}. ${advice(response)}`;
		context.notice(notice);
		const marked = { ...response, isPartial: true, notice };
		if (context.settings.output === 'raw') return [{ json: marked }];
		const rest = found === partial ? without(marked, 'partial') : marked;
		return runResults({ ...rest, data: found } as IDataObject, context.settings);
	}
	const job = { id: String(runJobId), noun: agentRun.noun, hasEnded: true };
	throw operationError(
		`${problem} (${run})`,
		`${advice(response)} ${cost}`.trim(),
		{ ...context.errorSource, job },
		typeof message === 'string' && message !== '' ? `Its message: ${message}` : undefined,
	);
}

/** The agent's run as a job of the runtime. */
const agentRun: Job = {
	noun: 'agent run',
	status,
	cancel: { ...status, method: 'DELETE' },
	finish: finishRun,
	started: (response, settings) => runResults(response, settings)[0],
};

/** POST /agent, then its result (https://docs.firecrawl.dev/api-reference/endpoint/agent). */
const run = operation({
	name: 'Run',
	value: 'run',
	action: 'Run agent',
	description:
		'Runs an agent that searches and scrapes the web for the prompt, and returns structured data. Takes minutes; credits depend on the work.',
	request: agentRequest,
	settings: settingsFields('output', 'maxCreditsPerExecution', 'maxRetryTime', 'maxWait'),
	costs: '5 free runs a day, then depends on effort; failed runs are free',
	run: async (body, context) => await context.runJob(agentRun, agentStart(body, context.settings)),
	job: agentRun,
});

/** POST /agent (https://docs.firecrawl.dev/api-reference/endpoint/agent). */
const startRun = operation({
	name: 'Start',
	value: 'start',
	action: 'Start agent run',
	description:
		'Starts an agent run and returns its job ID, by which the result can be fetched later. Credits depend on the work.',
	request: agentRequest,
	settings: settingsFields('maxCreditsPerExecution', 'maxRetryTime'),
	costs: 'as Run',
	run: async (body, context) =>
		await context.startJob(agentRun, agentStart(body, context.settings)),
});

/** GET /agent/{jobId} (https://docs.firecrawl.dev/api-reference/endpoint/agent-get). */
const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get agent run',
	description:
		'Returns the status of an agent run and, once finished, its result. A partial result is marked with request.isPartial. Free.',
	request: form({ jobId: runId }),
	settings: settingsFields('output'),
	async run({ jobId: given }, context) {
		const response = await context.send(statusRequest(agentRun, given));
		const state: IDataObject = { ...(response.body as IDataObject), id: given };
		if (isFinished(state)) {
			const errorSource = { ...context.errorSource, job: { id: given, noun: agentRun.noun } };
			return await finishRun(state, { ...context, errorSource });
		}
		context.notice(`The agent run ${given} has not finished (${String(state.status)}).`);
		return [agentRun.started(state, context.settings)];
	},
});

/** DELETE /agent/{jobId}. The run ends a little later (https://docs.firecrawl.dev/api-reference/endpoint/agent-delete). */
const cancel = operation({
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel agent run',
	description:
		'Cancels a running agent and returns its job ID, with alreadyEnded if it had ended. Free.',
	request: form({ jobId: runId }),
	run: async ({ jobId: given }, context) => await cancelJob(agentRun.cancel, given, context),
});

/** Time of a trace's event, for which texts with and without fractions of a second do not compare; Infinity without one. */
const timeOf = ({ occurredAt }: IDataObject) => Date.parse(String(occurredAt)) || Infinity;
const sequenceOf = ({ producerSequence }: IDataObject) => Number(producerSequence) || 0;

/** Compares events by time, those of one moment by sequence. */
const byTime = (one: IDataObject, other: IDataObject): number =>
	timeOf(one) - timeOf(other) || sequenceOf(one) - sequenceOf(other);

/** GET /agent/{jobId}/trace (https://docs.firecrawl.dev/api-reference/endpoint/agent-trace). */
const getTrace = operation({
	name: 'Get Trace',
	value: 'getTrace',
	action: 'Get agent trace',
	description:
		'Returns the events of an agent run by time, such as tool calls and documents. Shows what a run did. Free.',
	request: form({
		jobId: runId,
		...additionalFields({
			liveView: boolean(
				'Live View',
				"Whether to include live view URLs of the agent's open browsers",
			),
		}),
	}),
	settings: settingsFields('output'),
	simplified: [
		'type',
		'occurredAt',
		'message',
		'text',
		'toolName',
		'snapshotId',
		'artifact',
		'eventError',
	],
	async run({ jobId: given, liveView }, context) {
		const query = liveView === undefined ? {} : { liveView };
		const response = await context.send({ endpoint: trace, ids: { id: given }, query });
		const body = asRecord(response.body);
		const events = requireArray(body.events, context.errorSource).map(asRecord).sort(byTime);
		if (context.settings.output === 'raw') return [{ json: { ...body, events } }];
		return events.map(({ error, ...event }) => {
			const snapshotId = fieldOf(event.artifact, 'snapshotId');
			return {
				json: {
					...event,
					// A first item with `error` would be repeated by n8n's Retry On Fail.
					...(!isUnset(error) && { eventError: error }),
					...(typeof snapshotId === 'string' && { snapshotId }),
					jobId: given,
				},
			};
		});
	},
});

/** GET /agent/{jobId}/snapshots/{snapshotId} (https://docs.firecrawl.dev/api-reference/endpoint/agent-snapshot). */
const getSnapshot = operation({
	name: 'Get Snapshot',
	value: 'getSnapshot',
	action: 'Get agent snapshot',
	description:
		'Returns a version of a document (artifact) that an agent worked on, by its ID. Free.',
	request: form({
		jobId: runId,
		snapshotId: jobId('ID from an artifact.updated event in the trace', 'Snapshot ID'),
	}),
	async run({ jobId: given, snapshotId }, context) {
		const response = await context.send({ endpoint: snapshot, ids: { id: given, snapshotId } });
		const content = fieldOf(response.body, 'snapshot');
		if (content === undefined) throw missingInResponse('the snapshot', context.errorSource);
		return [
			{ json: { jobId: given, snapshotId, snapshot: fromJson(content) as IDataObject[string] } },
		];
	},
});

export const agent: Resource = {
	name: 'Agent',
	value: 'agent',
	operations: [run, startRun, get, cancel, getTrace, getSnapshot],
};
