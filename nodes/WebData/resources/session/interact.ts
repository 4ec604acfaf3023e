import type { Endpoint } from '../../../runtime/api/endpoint';
import { isUnset } from '../../../runtime/form/schema';
import { wasRejected } from '../../../runtime/api/errors';
import { field, oneOf, onlyFor, required, requiredFor, string } from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { settle } from '../../../runtime/values/settle';
import { settingsFields } from '../../../runtime/form/options';
import { costOf, sessionPrice } from '../../fields/prices';
import {
	code,
	language,
	runTime,
	timeout,
	defaultLanguage,
	activityTtl,
	closeSession,
	ttl,
	boundSession,
	scrapeId,
	stopInteraction,
	anySessionId,
} from './fields';
import { finishRun, onFailedCode, isExecutionReport } from './codeRun';
import { sendToSession } from './ended';
import { forCaller, forUser } from '../../../runtime/api/sentence';

const advice = [
	forCaller('Scrape the page again and interact with the new ID.'),
	forUser(`If the session ended too early, raise 'Time to Live' or 'Idle Timeout'.`),
];

const interactWithPage: Endpoint = {
	method: 'POST',
	retrySafety: 'mayStartTwice',
	...boundSession,
};

/**
 * POST /scrape/{jobId}/interact (https://docs.firecrawl.dev/api-reference/endpoint/scrape-execute).
 * Never retried after an unclear outcome: it has side effects.
 */
export const interact = operation({
	name: 'Interact',
	value: 'interact',
	action: 'Interact with a scraped page',
	description: `Continues a scraped page in a live browser: performs a task in natural language (click, type, extract) or runs code, and returns the output. Costs ${costOf('promptMinute')} per minute with a prompt, ${costOf('codeMinute')} with only code.`,
	costs: `per minute, by the second, at least one minute: ${costOf('promptMinute')} with a prompt, ${costOf('codeMinute')} with code`,
	request: form({
		jobId: scrapeId,
		taskType: required(
			oneOf({
				displayName: 'Task',
				default: 'prompt',
				options: [
					{ name: 'Code', value: 'code', description: 'JavaScript, Python or Bash' },
					{ name: 'Prompt', value: 'prompt', description: 'Natural language' },
				],
				description: 'How to specify the task',
			}),
		),
		// If both were sent, the service would ignore the prompt.
		prompt: requiredFor(
			'taskType',
			'prompt',
			string({
				displayName: 'Prompt',
				rows: 4,
				max: 10_000,
				placeholder: 'e.g. Open the opening hours and tell me when it is open on Sundays',
				description: 'What to do on the page and what to return, up to 10,000 characters',
			}),
		),
		code: requiredFor('taskType', 'code', code),
		language: onlyFor('taskType', 'code', {
			...language,
			read: ({ language: chosen }) => (isUnset(chosen) ? defaultLanguage : chosen),
		}),
		closeSession: closeSession('; a session set as Existing Session ID stays open'),
		onFailedCode,
		...additionalFields({
			existingSessionId: field(
				{
					displayName: 'Existing Session ID',
					type: 'string',
					default: '',
					description: 'Open session to use instead of one for this page',
				},
				anySessionId,
			),
			activityTtl,
			ttl,
			timeout,
		}),
	}),
	settings: settingsFields({ sends: true }),
	sequential: true,
	async run({ jobId, taskType, closeSession: closes, onFailedCode: onFailure, ...body }, context) {
		const ids = { id: jobId };
		// Registered before the request: a run that is stopped or whose response is lost also
		// leaves its session open.
		const doNotClose =
			closes && body.existingSessionId === undefined
				? context.atExecutionEnd({ endpoint: stopInteraction, ids })
				: undefined;
		const request = {
			endpoint: interactWithPage,
			ids,
			body,
			serviceTimeout: runTime(body.timeout),
			price: sessionPrice(taskType === 'prompt' ? 'promptMinute' : 'codeMinute', 0, body.ttl),
			accepts: isExecutionReport,
		};
		const sent = await settle(sendToSession(request, advice, context));
		if (!sent.ok) {
			if (wasRejected(sent.error)) doNotClose?.();
			throw sent.error;
		}
		return finishRun(sent.value, { jobId }, { ran: taskType, onFailedCode: onFailure }, context);
	},
});
