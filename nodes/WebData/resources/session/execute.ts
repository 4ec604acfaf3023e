import type { Endpoint } from '../../../runtime/api/endpoint';
import { required, withDefault } from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { fixedPrice } from '../../../runtime/limits/price';
import { settingsFields } from '../../../runtime/form/options';
import { code, language, runTime, timeout, defaultLanguage, sessionId, useActions } from './fields';
import { finishRun, onFailedCode, isExecutionReport } from './codeRun';
import { sendToSession } from './ended';
import { forCaller, forUser } from '../../../runtime/api/sentence';

const advice = [
	forCaller('Open a new session.'),
	forUser(`If it ended too early, raise its 'Time to Live' or 'Idle Timeout'.`),
];

const executeInBrowser: Endpoint = {
	method: 'POST',
	path: '/interact/{id}/execute',
	bucket: 'browserExecute',
	retrySafety: 'mayStartTwice',
	since: 'August 2026',
	instead: useActions,
	needsDatabase: true,
};

/**
 * POST /interact/{id}/execute (https://docs.firecrawl.dev/api-reference/endpoint/browser-execute).
 * Never retried after an unclear outcome: code has side effects.
 */
export const execute = operation({
	name: 'Execute Code',
	value: 'execute',
	action: 'Run code in a browser session',
	description:
		'Runs JavaScript, Python or Bash in an open browser session and returns its output (stdout, result, stderr) and exit code. The browser keeps its state; only session minutes are charged.',
	costs: "in the session's minutes",
	request: form({
		sessionId,
		code: required(code),
		language: withDefault(language, defaultLanguage),
		onFailedCode,
		...additionalFields({ timeout }),
	}),
	settings: settingsFields({ sends: true }),
	sequential: true,
	async run({ sessionId: id, onFailedCode: onFailure, ...body }, context) {
		const response = await sendToSession(
			{
				endpoint: executeInBrowser,
				ids: { id },
				body,
				serviceTimeout: runTime(body.timeout),
				price: fixedPrice(0, "Only the session's minutes are charged"),
				accepts: isExecutionReport,
			},
			advice,
			context,
		);
		return finishRun(
			response,
			{ sessionId: id },
			{ ran: 'code', onFailedCode: onFailure },
			context,
		);
	},
});
