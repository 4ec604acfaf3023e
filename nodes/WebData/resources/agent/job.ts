import type { IDataObject } from 'n8n-workflow';
import { operationError } from '../../../runtime/errors';
import type { Call, Job, Result } from '../../../runtime/operation';
import { isRecord, memberOf } from '../../../runtime/record';
import { asRecord, label, noticesIn, without } from '../../../runtime/results';

export const runPath = (id: string) => `/agent/${encodeURIComponent(id)}`;

/** What a run's answer says beside its data: what it cost, where it stands, what it suggests. */
const aboutRun = (answer: IDataObject): IDataObject => without(answer, 'data', 'success', 'id');

/** The list to split and what stands beside it: `data` itself, or the only list inside it. */
function splitList(data: unknown): { entries: unknown[]; beside: IDataObject } | undefined {
	if (Array.isArray(data)) return { entries: data, beside: {} };
	if (!isRecord(data)) return undefined;
	const lists = Object.entries(data).filter(([, member]) => Array.isArray(member));
	const [[name, entries] = ['', undefined]] = lists;
	if (lists.length !== 1 || !Array.isArray(entries)) return undefined;
	return { entries, beside: without(asRecord(data), name) };
}

/** One item with the run's data, or one for each entry of its list; each with what is known about the run. */
export function runResults(answer: IDataObject, output: unknown): Result[] {
	if (output === 'response') return [{ json: answer }];
	const { data, id } = answer;
	const about = aboutRun(answer);
	const split = output === 'entries' ? splitList(data) : undefined;
	if (!split) return [{ json: label(asRecord(data ?? {}), { jobId: id, request: about }) }];
	const { entries, beside } = split;
	const request = Object.keys(beside).length === 0 ? about : { ...about, data: beside };
	return entries.map((entry) => ({ json: label(asRecord(entry), { jobId: id, request }) }));
}

/** Where a person must accept terms before the agent may use a provider. */
function termsToAccept({ pendingApproval, exchange }: IDataObject): string[] {
	const lists = [
		memberOf(pendingApproval, 'terms'),
		memberOf(memberOf(exchange, 'requiresAction'), 'providers'),
	];
	const urls = lists
		.flatMap((list) => (Array.isArray(list) ? list : []))
		.map((entry: unknown) => memberOf(entry, 'url'));
	return [...new Set(urls.filter((url) => typeof url === 'string'))];
}

function noticeTerms(answer: IDataObject, call: Call): void {
	for (const url of termsToAccept(answer)) {
		call.notice(
			`The agent needs a person to accept the terms at ${url}. This node never accepts terms.`,
		);
	}
}

const advice = {
	cancelled: 'Start it again if you still need it.',
	credits: `Raise 'Max Credits', or ask for less.`,
	refused: 'The agent declined this task. Word the prompt differently.',
	other: `'Get Trace' shows what happened.`,
};

function adviceFor(words: string, status: unknown): string {
	if (status === 'cancelled' || /cancel/i.test(words)) return advice.cancelled;
	if (/credit/i.test(words)) return advice.credits;
	return /refus/i.test(words) ? advice.refused : advice.other;
}

/** Makes items of a run that has come to its end, or the error that it ended with (api-v2, States; addendum 1). */
export async function finishRun(
	answer: IDataObject,
	output: unknown,
	call: Call,
): Promise<Result[]> {
	const { status, data, error, creditsUsed } = answer;
	noticeTerms(answer, call);
	for (const notice of noticesIn(answer)) call.notice(notice);
	const words = typeof error === 'string' ? error : `The agent run ended as ${String(status)}`;
	const whole =
		status === 'completed' && answer.partial !== true && answer.stopReason === undefined;
	if (whole) return runResults(answer, output);
	if (status === 'completed' || (data !== undefined && data !== null)) {
		const reason = answer.stopReason ?? words;
		call.notice(`The result of the agent run ${String(answer.id)} is partial (${String(reason)})`);
		return runResults(answer, output);
	}
	const cost = creditsUsed === undefined ? '' : ` It used ${String(creditsUsed)} credits.`;
	// The run's end is known, so the error names it without advising to read it later.
	const place = { ...call.place, job: undefined };
	throw operationError(
		`${words} (agent run ${String(answer.id)})`,
		adviceFor(words, status) + cost,
		place,
	);
}

/** The agent's run as a job: followed, cancelled and finished by the runtime. */
export const agentRun: Job = {
	noun: 'agent run',
	path: runPath,
	endEvents: ['completed', 'failed', 'cancelled'],
	finish: async (answer, { output }, call) => await finishRun(answer, output, call),
	started: (answer, { output }) => runResults(answer, output)[0],
};
