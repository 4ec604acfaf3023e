import { choice, fields, membersOf } from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { settingsFields } from '../../../runtime/settings';
import { code, codeField, language, languageField, runTime, timeout, timeoutField } from './code';
import { finishRun, onFailedCodeField, reportsRun } from './codeRun';
import { sendToSession } from './ended';
import { sessionId, sessionIdField, sessionPath } from './sessionId';

const advice = `Open a new one with Create. If it ended too early, raise 'Time to Live' or 'Idle Time' there.`;

/** POST /interact/{id}/execute (addendum 9). Never repeated when its fate is unknown: code acts on the world. */
export const execute = operation({
	name: 'Execute Code',
	value: 'execute',
	action: 'Run code in a browser session',
	description:
		'Runs JavaScript, Python or Bash in an open browser session and returns what it wrote (stdout, result, stderr) and its exit code. The browser stays as it is for the next run; only its minutes are charged. For a task in plain words, use Interact.',
	fields: [
		sessionIdField,
		codeField,
		languageField,
		onFailedCodeField,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [timeoutField],
		},
		...settingsFields({ sends: true }),
	],
	costs: "in the session's minutes",
	contract: fields({
		sessionId: sessionId(),
		code: code(),
		language: language().default('node'),
		timeout: timeout().optional(),
		onFailedCode: choice('error', 'item').default('error'),
	}),
	read: ({ additionalFields, ...values }) => ({
		sessionId: values.sessionId,
		code: values.code,
		language: values.language,
		onFailedCode: values.onFailedCode,
		...membersOf(additionalFields),
	}),
	inTurn: true,
	async run({ sessionId: id, onFailedCode, ...body }, _values, call) {
		const answer = await sendToSession(
			{
				method: 'POST',
				path: `${sessionPath(id)}/execute`,
				body,
				serviceTimeout: runTime(body.timeout),
				cost: 'paid start',
				accepts: reportsRun,
			},
			advice,
			call,
		);
		return finishRun(answer, { sessionId: id }, { ran: 'code', onFailedCode }, call);
	},
});
