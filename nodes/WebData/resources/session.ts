import type { IDataObject } from 'n8n-workflow';
import { endpoint, type Endpoint } from '../../runtime/http/endpoint';
import { operationError, wasRejected } from '../../runtime/errors/webDataError';
import { errorText, type ApiResponse } from '../../runtime/errors/response';
import {
	boolean,
	integer,
	oneOf,
	onlyFor,
	required,
	requiredFor,
	string,
	textField,
	withDefault,
} from '../../runtime/form/field';
import { additionalFields, form } from '../../runtime/form/form';
import { settingsFields } from '../../runtime/form/settings';
import type { Request } from '../../runtime/http/client';
import { requireArray } from '../../runtime/http/paging';
import {
	requireJobId,
	startedId,
	asRecord,
	label,
	listResults,
	without,
} from '../../runtime/execution/results';
import { operation, type ReadContext, type Resource, type Result } from '../../runtime/operation';
import { fieldOf, isRecord, isUnset } from '../../runtime/values/record';
import { settle } from '../../runtime/values/outcome';
import { jobId, limit, pathId, recordPicker } from '../fields/common';
import { costOf, prices } from '../fields/prices';
import { profile } from '../fields/scrapeOptions';

/** Opens a browser session (https://docs.firecrawl.dev/features/interact). */
const create = endpoint('POST', '/interact', 'browser', 'mayStartTwice');

/** GET /interact, without pagination. */
export const listSessions = endpoint('GET', '/interact', 'browserExecute');

/** Code has side effects: it is never retried after an unclear outcome. */
const executeCode = endpoint('POST', '/interact/{id}/execute', 'browserExecute', 'mayStartTwice');

const deleteSession = endpoint('DELETE', '/interact/{id}', 'browserExecute');

/** The path of the session of a scraped page, by the ID of the scrape. */
const ofScrape = '/scrape/{id}/interact';

const interactWithPage = endpoint('POST', ofScrape, 'browserExecute', 'mayStartTwice');

const stopInteraction = endpoint('DELETE', ofScrape, 'browserExecute');

/** An ID of a browser session, in any form because the API's documentation specifies none. */
const anySessionId = pathId(200);

/** A browser session. The node registers `searchSessions` for its list. */
const sessionId = required(
	recordPicker(
		'Session',
		'Open browser session, from the list or by ID, which Create returns',
		'searchSessions',
		anySessionId,
	),
);

/** The scrape to whose page a browser session is bound. */
const scrapeId = jobId('ID of the scrape: scrapeId of its item', 'Scrape ID');

const ttl = integer('Time to Live', 'Max duration of the session in seconds, 30 to 3,600', {
	min: 30,
	max: 3600,
	unit: 'seconds',
	default: 600,
});

const activityTtl = integer(
	'Idle Timeout',
	'Max idle time before the session ends, in seconds, 10 to 3,600',
	{ min: 10, max: 3600, unit: 'seconds', default: 300 },
);

/** Whether to close sessions at the execution's end; `exception` describes those that stay open. */
const closeSession = (exception = '') =>
	withDefault(
		boolean(
			'Close Session at End',
			`Whether to close the session at the end of the execution${exception}`,
			{ default: true },
		),
	);

const code = string('Code', 'Code to run in the session, up to 100,000 bytes', {
	rows: 4,
	isCode: true,
	maxBytes: 100_000,
	placeholder: "e.g. await page.goto('https://example.com'); console.log(await page.title());",
});

/** Always sent: the defaults of the service and its client differ. */
const defaultLanguage = 'node';

const language = oneOf('Language', 'Programming language of the code', {
	default: defaultLanguage,
	options: { bash: ['Bash', 'Command line of the browser'], node: 'JavaScript', python: 'Python' },
});

const timeout = integer(
	'Timeout',
	'Max time for the code or task, in seconds, 1 to 300; 30 if not set',
	{ min: 1, max: 300, unit: 'seconds', default: 60 },
);

/** The action for failed code: the service then responds with 200 and `success: false`. */
const onFailedCode = withDefault(
	oneOf('On Failure', 'What to do if the code or prompt does not succeed; charged in both cases', {
		default: 'error',
		options: {
			item: ['Return an Item', 'With success false and the full output of the code'],
			error: [
				'Throw an Error',
				"With the end of the code's output; an item if Retry On Fail is on, which would repeat it",
			],
		},
	}),
);

/** Whether a response reports a run, successful or not: its output is paid for. */
const isExecutionReport = ({ status, body }: ApiResponse): boolean =>
	status === 200 &&
	isRecord(body) &&
	['exitCode', 'stdout', 'stderr', 'output'].some((name) => name in body);

/** The request of a run, of 30 seconds if the user sets no other time. */
const runRequest = (endpoint: Endpoint, id: string, body: { timeout?: number }): Request => ({
	endpoint,
	ids: { id },
	body,
	serviceTimeout: (body.timeout ?? 30) * 1000,
	accepts: isExecutionReport,
});

/** Most characters of the code's output in an error. */
const longestTail = 4_000;

const trimmedText = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** The end of an output, below its name. */
function tail(name: string, value: unknown): string[] {
	const text = trimmedText(value);
	if (text === '') return [];
	return [`${name}:`, text.length > longestTail ? `… ${text.slice(-longestTail)}` : text];
}

/** The advice for a run that failed, by its kind, or that was stopped. */
const fixes = {
	code: 'Correct the code.',
	prompt: 'Rephrase the prompt, or use code.',
	stopped: `Do less per run. A higher 'Timeout' allows more.`,
};

/** The fields of a simplified run. */
const runFields = [
	'success',
	'output',
	'result',
	'stdout',
	'stderr',
	'exitCode',
	'killed',
	'codeError',
	'jobId',
	'sessionId',
];

/**
 * Turns a run into an item, with `labels` beside its output. The code's error is `codeError`: n8n's
 * Retry On Fail repeats a node whose first item has `error`, or that throws.
 * @throws WebDataError with the run's own message if it failed and the user chose an error
 */
function finishRun(
	response: ApiResponse,
	labels: IDataObject,
	{ ran, onFailure }: { ran: 'code' | 'prompt'; onFailure: 'error' | 'item' },
	context: ReadContext,
): Result[] {
	const { error, ...body } = asRecord(response.body);
	const isKept = onFailure === 'error' && context.errorSource.node.retryOnFail === true;
	if (body.success === false && isKept)
		context.notice(
			`The ${ran} did not succeed. It comes out as an item, since Retry On Fail would repeat it.`,
		);
	if (body.success !== false || onFailure === 'item' || isKept) {
		if (context.settings.output === 'raw') return [{ json: asRecord(response.body) }];
		return [{ json: label({ ...body, ...(!isUnset(error) && { codeError: error }) }, labels) }];
	}
	const { killed, exitCode, stderr } = body;
	const reason = trimmedText(error) || (trimmedText(stderr).split('\n').at(-1) ?? '');
	const exit = typeof exitCode === 'number' ? ` with exit code ${exitCode}` : '';
	const event = killed === true ? 'was stopped before it finished' : 'failed';
	throw operationError(
		`The ${ran} ${event}${exit}${reason && `: ${reason}`}`,
		`${fixes[killed === true ? 'stopped' : ran]} To get its full output as an item, set 'On Failure' to 'Return an Item'.`,
		context.errorSource,
		['stderr', 'stdout', 'output'].flatMap((name) => tail(name, body[name])).join('\n'),
	);
}

const endedMessage =
	/^(the |this )?(browser )?session\b.{0,80}\b(destroyed|expired|not found|gone|closed)\b/i;

/** Whether a response means that the session has ended. An unknown scrape is a different error. */
const hasSessionEnded = ({ status, body }: ApiResponse): boolean =>
	status === 410 || ([403, 404].includes(status) && endedMessage.test(errorText(body)));

/** Explains the error of a session that has expired or was closed, with advice. */
const explainEnded =
	(advice: string): Request['explain'] =>
	(failure) =>
		'response' in failure && hasSessionEnded(failure.response)
			? { text: 'The browser session is no longer open', advice }
			: undefined;

/** Closes a session and returns what it took, beside `labels`. */
async function close(
	endpoint: Endpoint,
	id: string,
	labels: IDataObject,
	{ send }: ReadContext,
): Promise<Result[]> {
	const explain = explainEnded(
		'There is no session to close, and no more minutes are charged. If this is unexpected, check the ID.',
	);
	const { body } = await send({ endpoint, ids: { id }, explain });
	return [{ json: label(without(asRecord(body), 'success'), labels) }];
}

/** POST /interact. `ttl` is always sent: the service's defaults differ (https://docs.firecrawl.dev/api-reference/endpoint/browser-create). */
const createOperation = operation({
	name: 'Create',
	value: 'create',
	action: 'Create browser session',
	description: `Opens a browser session and returns its ID, expiry, and URLs for live view and remote control. Costs ${costOf('codeMinute')} per minute until closed, billed by the second.`,
	costs: `${costOf('codeMinute')} per minute, by the second, at least one minute`,
	request: form({
		...additionalFields({
			activityTtl,
			closeSession: closeSession(),
			streamWebView: boolean('Live View', 'Whether to enable live view of the browser', {
				default: true,
			}),
			profile,
			recordSession: boolean('Record Session', 'Whether the service records the session', {
				default: true,
			}),
			ttl: withDefault(ttl),
		}),
	}),
	settings: settingsFields('maxCreditsPerExecution', 'maxRetryTime'),
	async run({ closeSession: closes, ...body }, context) {
		const request = { endpoint: create, body, price: prices.codeMinute.credits };
		const closing = ({ body: session }: ApiResponse): Request | undefined => {
			const id = startedId(session);
			return closes && id !== undefined ? { endpoint: deleteSession, ids: { id } } : undefined;
		};
		const response = await context.sendStart(request, closing);
		const atEnd = closing(response);
		if (atEnd) context.atExecutionEnd(atEnd);
		const session = requireJobId('browser session', response, context.errorSource);
		return [{ json: without(session, 'success') }];
	},
});

/** POST /interact/{id}/execute (https://docs.firecrawl.dev/api-reference/endpoint/browser-execute). */
const execute = operation({
	name: 'Execute Code',
	value: 'execute',
	action: 'Run code in browser session',
	description:
		'Runs JavaScript, Python or Bash in an open browser session and returns output and exit code. The browser keeps its state; only session minutes are charged.',
	costs: "in the session's minutes",
	request: form({
		sessionId,
		code: required(code),
		...additionalFields({ language: withDefault(language), onFailedCode, timeout }),
	}),
	settings: settingsFields('output', 'maxCreditsPerExecution', 'maxRetryTime'),
	simplified: runFields,
	sequential: true,
	async run({ sessionId: id, onFailedCode: onFailure, ...body }, context) {
		const response = await context.send({
			...runRequest(executeCode, id, body),
			price: 0,
			explain: explainEnded(
				`Open a new session. If it ended too early, raise its 'Time to Live' or 'Idle Timeout'.`,
			),
		});
		return finishRun(response, { sessionId: id }, { ran: 'code', onFailure }, context);
	},
});

/** GET /interact (https://docs.firecrawl.dev/api-reference/endpoint/browser-list). */
const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many browser sessions',
	description:
		"Returns the team's browser sessions: ID, status, last use, and URLs for live view and control. Free.",
	request: form({
		...limit({ default: 50 }),
		...additionalFields({
			status: oneOf('Status', 'Only sessions with this status', {
				default: 'active',
				options: {
					active: 'Active',
					destroyed: ['Destroyed', 'Closed or expired'],
					error: 'Error',
				},
			}),
		}),
	}),
	async run({ status, limit: most }, context) {
		const { body } = await context.send({ endpoint: listSessions, query: { status } });
		requireArray(fieldOf(body, 'sessions'), context.errorSource);
		return (await listResults(body, 'sessions', 'results', context.errorSource)).slice(0, most);
	},
});

/** DELETE /interact/{id} (https://docs.firecrawl.dev/api-reference/endpoint/browser-delete). */
const deleteOperation = operation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete browser session',
	description:
		'Closes a browser session, which stops the charge per minute. Saves its profile, if any, and returns its duration and credits.',
	request: form({ sessionId }),
	run: async ({ sessionId: id }, context) =>
		await close(deleteSession, id, { sessionId: id, deleted: true }, context),
});

/** POST /scrape/{jobId}/interact (https://docs.firecrawl.dev/api-reference/endpoint/scrape-execute). */
const interact = operation({
	name: 'Interact',
	value: 'interact',
	action: 'Interact with scraped page',
	description: `Performs a task in natural language or runs code on a scraped page in a live browser. Returns the output. Costs ${costOf('promptMinute')} per minute with a prompt, ${costOf('codeMinute')} with only code.`,
	costs: `per minute, by the second, at least one minute: ${costOf('promptMinute')} with a prompt, ${costOf('codeMinute')} with code`,
	request: form({
		jobId: scrapeId,
		taskType: required(
			oneOf('Task', 'How to specify the task', {
				default: 'prompt',
				options: {
					code: ['Code', 'JavaScript, Python or Bash'],
					prompt: ['Prompt', 'Natural language'],
				},
			}),
		),
		// If both were sent, the service would ignore the prompt.
		prompt: requiredFor(
			'taskType',
			'prompt',
			string('Prompt', 'What to do on the page and what to return, up to 10,000 characters', {
				rows: 2,
				max: 10_000,
				placeholder: 'e.g. Open the opening hours and tell me when it is open on Sundays',
			}),
		),
		code: requiredFor('taskType', 'code', code),
		language: onlyFor('taskType', 'code', {
			...language,
			read: ({ language: chosen }) => (isUnset(chosen) ? defaultLanguage : chosen),
		}),
		...additionalFields({
			closeSession: closeSession(', unless it existed'),
			onFailedCode,
			existingSessionId: textField(
				'Existing Session ID',
				'Open session to use instead of one for this page',
				anySessionId,
			),
			activityTtl,
			ttl,
			timeout,
		}),
	}),
	settings: settingsFields('output', 'maxCreditsPerExecution', 'maxRetryTime'),
	simplified: runFields,
	sequential: true,
	async run(
		{ jobId: id, taskType: ran, closeSession: closes, onFailedCode: onFailure, ...body },
		context,
	) {
		const closing: Request | undefined =
			closes && body.existingSessionId === undefined
				? { endpoint: stopInteraction, ids: { id } }
				: undefined;
		// Registered before the request: a run that is stopped or whose response is lost also
		// leaves its session open. The session may be open only after a stop, so it is closed then, too.
		const doNotClose = closing && context.atExecutionEnd(closing);
		const request = {
			...runRequest(interactWithPage, id, body),
			price: prices[ran === 'prompt' ? 'promptMinute' : 'codeMinute'].credits,
			explain: explainEnded(
				`Scrape the page again and interact with the new ID. If the session ended too early, raise 'Time to Live' or 'Idle Timeout'.`,
			),
		};
		const sent = await settle(context.sendStart(request, () => closing));
		if (!sent.ok) {
			if (wasRejected(sent.error)) doNotClose?.();
			throw sent.error;
		}
		return finishRun(sent.value, { jobId: id }, { ran, onFailure }, context);
	},
});

/** DELETE /scrape/{jobId}/interact (https://docs.firecrawl.dev/api-reference/endpoint/scrape-browser-delete). */
const stop = operation({
	name: 'Stop',
	value: 'stop',
	action: 'Stop interacting with scraped page',
	description:
		'Closes the browser session of a scraped page, which stops the charge per minute. Saves its profile, if any, and returns its duration and credits.',
	request: form({ jobId: scrapeId }),
	run: async ({ jobId: id }, context) =>
		await close(stopInteraction, id, { jobId: id, stopped: true }, context),
});

export const session: Resource = {
	name: 'Browser Session',
	value: 'session',
	operations: [interact, stop, createOperation, execute, getAll, deleteOperation],
};
