import type { IDataObject } from 'n8n-workflow';
import { operationError, type Message } from '../../../runtime/api/errors';
import { oneOf, withDefault } from '../../../runtime/form/field';
import type { ReadContext, Result } from '../../../runtime/operation/operation';
import { isRecord } from '../../../runtime/values/record';
import { asRecord, label } from '../../../runtime/output/results';
import type { ApiResponse } from '../../../runtime/api/retry';
import { forCaller, forUser, quoted, type Sentence } from '../../../runtime/api/sentence';

/**
 * The action for failed code: the service then returns 200 with `success: false`
 * (https://docs.firecrawl.dev/api-reference/endpoint/browser-create).
 */
export const onFailedCode = withDefault(
	oneOf({
		displayName: 'On Failure',
		default: 'error',
		options: [
			{
				name: 'Return an Item',
				value: 'item',
				description: 'With success false and the full output of the code',
			},
			{
				name: 'Throw an Error',
				value: 'error',
				description: "With the exit code and the end of the code's output",
			},
		],
		description: 'What to do when the code or the prompt fails; charged in both cases',
	}),
	'error',
);

/** Whether a response reports a run, successful or not: its output is paid for. */
export const isExecutionReport = ({ status, body }: ApiResponse): boolean =>
	status === 200 &&
	isRecord(body) &&
	['exitCode', 'stdout', 'stderr', 'output'].some((name) => name in body);

/** Most characters of the code's output in an error. */
const longestTail = 4_000;

const written = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

function tail(name: string, value: unknown): Sentence[] {
	const text = written(value);
	if (text === '') return [];
	const end = text.length > longestTail ? `… ${text.slice(-longestTail)}` : text;
	return [quoted(`\n${name}:\n${end}`)];
}

/** The advice for a failed run, by its kind. */
const fixes = { code: 'Correct the code.', prompt: 'Rephrase the prompt, or use code.' };

function whatHappened(
	{ killed, exitCode, error, stderr }: IDataObject,
	ran: keyof typeof fixes,
): Message {
	const reason = written(error) || (written(stderr).split('\n').at(-1) ?? '');
	const code = typeof exitCode === 'number' ? ` with exit code ${exitCode}` : '';
	const event = killed === true ? 'was stopped before it finished' : 'failed';
	const own = `The ${ran} ${event}${code}`;
	return reason === '' ? own : { text: `${own}: ${reason}`, own };
}

/**
 * Turns a run into an item, with `labels` beside its output.
 * @throws NodeOperationError with the run's own message if it failed and the user chose an error
 */
export function finishRun(
	response: ApiResponse,
	labels: IDataObject,
	{ ran, onFailedCode }: { ran: keyof typeof fixes; onFailedCode: 'error' | 'item' },
	context: ReadContext,
): Result[] {
	const body = asRecord(response.body);
	if (body.success !== false || onFailedCode === 'item') return [{ json: label(body, labels) }];
	const cure =
		body.killed === true
			? [forCaller('Do less per run.'), forUser(`A higher 'Timeout' allows more.`)]
			: [forCaller(fixes[ran])];
	const advice = [
		...cure,
		forUser(`To get its full output as an item, set 'On Failure' to 'Return an Item'.`),
		...tail('stderr', body.stderr),
		...tail('stdout', body.stdout),
		...tail('output', body.output),
	];
	throw operationError(whatHappened(body, ran), advice, context.errorSource);
}
