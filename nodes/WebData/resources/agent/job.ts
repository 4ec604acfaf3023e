import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../../runtime/api/endpoint';
import { isUnset } from '../../../runtime/form/schema';
import { operationError } from '../../../runtime/api/errors';
import { errorMessageIn } from '../../../runtime/api/errorMessage';
import type { ReadContext, Job, Result } from '../../../runtime/operation/operation';
import { hasCompleted, wasCancelled } from '../../../runtime/jobs/poll';
import { fieldOf } from '../../../runtime/values/record';
import { isNamedList } from '../../fields/jsonSchema';
import type { Settings } from '../../../runtime/form/options';
import { asRecord, label, onlyList, without } from '../../../runtime/output/results';
import {
	fact,
	forCaller,
	forUser,
	quoted,
	textOf,
	type Advice,
} from '../../../runtime/api/sentence';
import { jobId } from '../../fields/ids';

const availability = {
	since: 'April 2026',
	instead: `Use 'Query' of the search with scrape options and the format JSON.`,
	needsDatabase: true,
} as const;

export const startAgentRun: Endpoint = {
	method: 'POST',
	path: '/agent',
	bucket: 'agent',
	retrySafety: 'mayStartTwice',
	...availability,
};

const getAgentRun: Endpoint = {
	method: 'GET',
	path: '/agent/{id}',
	bucket: 'agentStatus',
	...availability,
};

const cancelAgentRun: Endpoint = {
	method: 'DELETE',
	path: '/agent/{id}',
	bucket: 'agentStatus',
	...availability,
};

/** The alternative on a server without lists of runs and their events. */
export const useGet = `Use 'Get' with the ID of the run.`;

export const listAgentRuns: Endpoint = {
	method: 'GET',
	path: '/agent',
	bucket: 'agentStatus',
	since: 'October 2026',
	instead: `Store the ID that 'Start' returns, and use 'Get' with it.`,
};

/** The fields of a run's response other than its data: cost, status, suggestions. */
const aboutRun = (response: IDataObject): IDataObject => without(response, 'data', 'success', 'id');

/** One item with the run's data, or one per entry of its list; each with the fields of the run. */
export function runResults(response: IDataObject, output: Settings['output']): Result[] {
	if (output === 'response') return [{ json: response }];
	const { data, id } = response;
	const about = aboutRun(response);
	const split = output === 'entries' ? onlyList(data) : undefined;
	if (!split) return [{ json: label(asRecord(data ?? {}), { jobId: id, request: about }) }];
	const { entries, beside } = split;
	const request = Object.keys(beside).length === 0 ? about : { ...about, data: beside };
	return entries.map((entry) => ({ json: label(asRecord(entry), { jobId: id, request }) }));
}

/** The URLs of terms that a person must accept before the agent may use a provider. */
function termsToAccept({ pendingApproval, exchange }: IDataObject): string[] {
	const lists = [
		fieldOf(pendingApproval, 'terms'),
		fieldOf(fieldOf(exchange, 'requiresAction'), 'providers'),
	];
	const urls = lists
		.flatMap((list) => (Array.isArray(list) ? list : []))
		.map((entry: unknown) => fieldOf(entry, 'url'));
	return [...new Set(urls.filter((url) => typeof url === 'string'))];
}

function noticeTerms(response: IDataObject, context: ReadContext): void {
	for (const url of termsToAccept(response)) {
		context.notice(
			`The agent requires a person to accept the terms at ${url}. This node never accepts terms.`,
		);
	}
}

/** The reason why a run is incomplete. */
type Stop = 'cancelled' | 'credits' | 'refused' | 'other';

/** Returns the reason of a stop, which only newer servers name; otherwise it is in the message. */
function stopOf(response: IDataObject, problem: string): Stop {
	if (response.stopReason === 'credit_limit_reached') return 'credits';
	if (wasCancelled(response)) return 'cancelled';
	if (/cancel/i.test(problem)) return 'cancelled';
	if (/credit/i.test(problem)) return 'credits';
	return /refus/i.test(problem) ? 'refused' : 'other';
}

/** Advice to get a complete result. A run in the same thread continues with these findings. */
function advice(stop: Stop, { threadId }: IDataObject): Advice {
	const thread = typeof threadId === 'string' ? ` with the 'Thread ID' ${threadId}` : '';
	switch (stop) {
		case 'credits':
			return [
				forCaller('Narrow the prompt.'),
				...(thread === ''
					? []
					: [forUser(`To continue from its result, run the agent again${thread}.`)]),
				forUser(`A higher 'Max Credits' allows more.`),
			];
		case 'cancelled':
			return [
				thread === ''
					? forCaller('Start it again if needed.')
					: forUser(`Start it again${thread} if needed.`),
			];
		case 'refused':
			return [fact('The agent declined this task.'), forCaller('Rephrase the prompt.')];
		case 'other':
			return [forUser(`Use 'Get Trace' to see what happened.`)];
	}
}

const isNothing = (value: unknown) =>
	isUnset(value) || typeof value === 'boolean' || (Array.isArray(value) && value.length === 0);

/** The findings of a failed run, if any. */
function dataSoFar({ data, partial }: IDataObject): unknown {
	if (!isNothing(data)) return data;
	return isNothing(partial) ? undefined : partial;
}

/**
 * Results of a run that stopped early, with its findings as data. They are marked as partial,
 * because a resumed execution shows no notice.
 */
function partialResults(
	response: IDataObject,
	notice: string,
	output: Settings['output'],
): Result[] {
	const found = dataSoFar(response);
	const marked = { ...response, isPartial: true, notice };
	if (output === 'response') return [{ json: marked }];
	const whole = {
		...(found === response.partial ? without(marked, 'partial') : marked),
		data: found,
	};
	const results = runResults(whole as IDataObject, output);
	return results.length > 0 ? results : runResults(whole as IDataObject, 'result');
}

/**
 * Turns a finished run into items, or throws its error. A failed run returns its findings: they may
 * be paid for, and the next run of its thread builds on them
 * (https://docs.firecrawl.dev/features/agent; docs/api-notes.md, Jobs and their status).
 */
export async function finishRun(
	response: IDataObject,
	output: Settings['output'],
	context: ReadContext,
): Promise<Result[]> {
	const { id, status, error, message, partial, stopReason, creditsUsed } = response;
	noticeTerms(response, context);
	const isWhole = hasCompleted(response) && isUnset(stopReason) && (!partial || isUnset(partial));
	if (isWhole) return runResults(response, output);
	const problem =
		errorMessageIn(error) ??
		errorMessageIn(stopReason) ??
		(hasCompleted(response) ? 'It stopped early' : `The agent run ended as ${String(status)}`);
	const stop = stopOf(response, problem);
	if (hasCompleted(response) || dataSoFar(response) !== undefined) {
		const notice = `The result of the agent run ${String(id)} is partial: ${problem.replace(/\.$/, '')}. ${textOf(advice(stop, response))}`;
		context.notice(notice);
		return partialResults(response, notice, output);
	}
	const report =
		typeof message === 'string' && message !== '' ? [quoted(`Its message: ${message}`)] : [];
	const cost = typeof creditsUsed !== 'number' ? [] : [fact(`It used ${creditsUsed} credits.`)];
	// The run has ended, so the error names it without advice to get it later.
	const errorSource = { ...context.errorSource, job: undefined };
	throw operationError(
		{ text: `${problem} (agent run ${String(id)})`, own: `The agent run ${String(id)} failed` },
		[...advice(stop, response), ...cost, ...report],
		errorSource,
	);
}

/** The form of the items, as the user chose or as it follows from the example. */
function outputOf({ settings: { output }, requests }: ReadContext): Settings['output'] {
	if (output !== 'auto') return output;
	return isNamedList(fieldOf(requests.at(0)?.body, 'schema')) ? 'entries' : 'result';
}

/** The agent's run as a job of the runtime. */
export const agentRun: Job = {
	noun: 'agent run',
	status: getAgentRun,
	cancel: cancelAgentRun,
	finish: async (response, context) => await finishRun(response, outputOf(context), context),
	started: (response, { output }) => runResults(response, output)[0],
};

/** The run of an operation. */
export const runId = jobId('ID of the run, returned by Run and Start; retained for 24 hours');
