import { choice, fields, flag, membersOf, text } from '../../../runtime/contract';
import { wasRefused } from '../../../runtime/errors';
import { operation } from '../../../runtime/operation';
import { settle } from '../../../runtime/outcome';
import { settingsFields } from '../../../runtime/settings';
import { uuid } from '../../fields/uuid';
import { code, codeField, language, languageField, runTime, timeout, timeoutField } from './code';
import { finishRun, onFailedCodeField, reportsRun } from './codeRun';
import { sendToSession } from './ended';
import { activityTtl, activityTtlField, closeSessionField, ttl, ttlField } from './lifetime';
import { boundSessionPath, scrapeIdField } from './scrapeId';
import { sessionId } from './sessionId';

const advice = `Scrape the page again and interact with the new ID. If the session ended too early, raise 'Time to Live' or 'Idle Time'.`;

/** POST /scrape/{jobId}/interact (addendum 9). Never repeated when its fate is unknown: it acts on the world. */
export const interact = operation({
	name: 'Interact',
	value: 'interact',
	action: 'Interact with a scraped page',
	description:
		'Goes on with a page that was scraped, in a live browser: carries out a task in plain words (click, type, read) or runs code, and returns the answer or what the code wrote. Opens the browser, or uses the one that is open for the page. Costs 7 credits for each started minute with a prompt, 2 with code.',
	fields: [
		scrapeIdField,
		{
			displayName: 'Task',
			name: 'taskType',
			type: 'options',
			default: 'prompt',
			options: [
				{ name: 'Code', value: 'code', description: 'JavaScript, Python or Bash' },
				{ name: 'Prompt', value: 'prompt', description: 'Plain words' },
			],
			description: 'How the task is given',
		},
		{
			displayName: 'Prompt',
			name: 'prompt',
			type: 'string',
			typeOptions: { rows: 4 },
			required: true,
			default: '',
			displayOptions: { show: { taskType: ['prompt'] } },
			placeholder: 'e.g. Open the opening hours and tell me when it is open on Sundays',
			description: 'What to do on the page and what to answer, up to 10,000 characters',
		},
		{ ...codeField, displayOptions: { show: { taskType: ['code'] } } },
		{ ...languageField, displayOptions: { show: { taskType: ['code'] } } },
		{
			...closeSessionField,
			description:
				'Whether to close the session when the execution ends or is stopped; one given as Existing Session ID stays open. An open session is charged by the minute; turn this off to use it from another execution. An execution that goes to sleep leaves it open until its idle time is over.',
		},
		onFailedCodeField,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Existing Session ID',
					name: 'existingSessionId',
					type: 'string',
					default: '',
					description: 'Open session to go on with, in place of one for this page',
				},
				activityTtlField,
				ttlField,
				timeoutField,
			],
		},
		...settingsFields({ sends: true }),
	],
	costs: 'per started minute: 7 credits with a prompt, 2 with code',
	contract: fields(
		{
			jobId: uuid(),
			taskType: choice('prompt', 'code'),
			prompt: text({ max: 10_000 }).optional(),
			code: code().optional(),
			language: language().optional(),
			timeout: timeout().optional(),
			ttl: ttl().optional(),
			activityTtl: activityTtl().optional(),
			existingSessionId: sessionId().optional(),
			closeSession: flag().default(true),
			onFailedCode: choice('error', 'item').default('error'),
		},
		({ taskType, prompt, code }, refuse) => {
			if (taskType === 'prompt' && prompt === undefined) refuse('is required', 'prompt');
			if (taskType === 'code' && code === undefined) refuse('is required', 'code');
		},
	),
	// Sent together, the code would win over the prompt.
	read: ({ taskType, prompt, code, language: written, additionalFields, ...values }) => ({
		jobId: values.jobId,
		taskType,
		...(taskType === 'code' ? { code, language: written ?? 'node' } : { prompt }),
		closeSession: values.closeSession,
		onFailedCode: values.onFailedCode,
		...membersOf(additionalFields),
	}),
	inTurn: true,
	async run({ jobId, taskType, closeSession, onFailedCode, ...body }, _values, call) {
		const path = boundSessionPath(jobId);
		// Before it is sent: a run that is stopped, or whose answer is lost, leaves its session open, too.
		const doNotClose =
			closeSession && body.existingSessionId === undefined
				? call.atExecutionEnd({ method: 'DELETE', path, cost: 'read' })
				: undefined;
		const request = {
			method: 'POST',
			path,
			body,
			serviceTimeout: runTime(body.timeout),
			cost: 'paid start',
			price: taskType === 'prompt' ? 7 : 2,
			accepts: reportsRun,
		} as const;
		const sent = await settle(sendToSession(request, advice, call));
		if ('error' in sent) {
			if (wasRefused(sent.error)) doNotClose?.();
			throw sent.error;
		}
		return finishRun(sent.value, { jobId }, { ran: taskType, onFailedCode }, call);
	},
});
