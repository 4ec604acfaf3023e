import { randomUUID } from 'node:crypto';
import type { Request } from '../http/client';
import { send, type RequestContext } from '../http/send';
import { lookItUp } from '../http/serviceError';
import { mayHaveCost, statusOf } from '../errors/webDataError';
import type { ApiResponse } from '../errors/response';
import { startedId } from './results';
import { settle } from '../values/outcome';
import { fieldOf, isRecord } from '../values/record';
import { canonicalUrl, firstText } from '../values/text';
import { delay } from '../values/time';
import { startOrCancel } from './atEnd';

/** Milliseconds from the failure to the lookup: lists show a job shortly after its start. */
const pauseBefore = 3_000;

/** Most candidates that an error names. */
const mostCandidates = 5;

/** The listed jobs that may have the target of a request, each with its start. */
const candidatesIn = (listed: unknown[], noun: string, target: string): string[] =>
	listed
		.flatMap((entry) => {
			const prompt = fieldOf(fieldOf(entry, 'options'), 'prompt');
			const own = firstText(fieldOf(entry, 'target'), fieldOf(entry, 'url'), prompt);
			const id = startedId(entry);
			if (id === undefined || own === '' || canonicalUrl(own) !== canonicalUrl(target)) return [];
			const at = firstText(fieldOf(entry, 'created_at'), fieldOf(entry, 'createdAt'));
			return [`the ${noun} ${id}${at === '' ? '' : ` (started ${at})`}`];
		})
		.slice(0, mostCandidates);

/**
 * Sends a start, and `cancellationFor` its response if stopped meanwhile. If the response is lost, looks the job up in
 * the first page of its list, newest first, since a start is never sent twice: a job with the unique `origin` of its
 * request is continued. Other lists prove nothing, so the error names the candidates.
 */
export async function startOrFind(
	noun: string,
	request: Request,
	cancellationFor: (response: ApiResponse) => Request | undefined,
	requestContext: RequestContext,
): Promise<ApiResponse> {
	const { jobLookup, body } = request;
	const { notice, signal } = requestContext;
	const isMarked = jobLookup?.showsOrigin && isRecord(body) && body.origin === undefined;
	const origin = `n8n-web-data-${randomUUID()}`;
	const start = isMarked ? { ...request, body: { ...body, origin } } : request;
	const sent = await settle(startOrCancel(start, cancellationFor, requestContext));
	if (sent.ok) return sent.value;
	const { error } = sent;
	if (!jobLookup || !mayHaveCost(error) || signal?.aborted) throw error;
	await settle(delay(pauseBefore, signal));
	const { list, query, entries, target } = jobLookup;
	// It waits for a server that restarts.
	const policy = { ...requestContext.policy, maxAttempts: Infinity };
	const lookup: Request = { endpoint: list, query, accepts: ({ status }) => status === 500 };
	const found = await settle(send(lookup, { ...requestContext, policy }));
	const jobs: unknown = found.ok ? fieldOf(found.value.body, entries) : undefined;
	if (!Array.isArray(jobs)) {
		const isAway = !found.ok && [0, 429, 502, 503, 504].includes(statusOf(found.error));
		error.search = isAway
			? `The server could not be reached to list its jobs. ${lookItUp}`
			: `The server does not list its jobs, for example without a database. ${lookItUp}`;
		throw error;
	}
	const id = startedId(jobs.find((entry) => isMarked && fieldOf(entry, 'origin') === origin));
	if (id !== undefined) {
		notice?.(
			`The response to a start was lost. Its job ${id} was found in the list, and continued.`,
		);
		return { status: 200, headers: {}, body: { success: true, id } };
	}
	const candidates = isMarked ? [] : candidatesIn(jobs, noun, target);
	error.search =
		candidates.length > 0
			? `The server lists ${candidates.join(', ')}, which may be its job. Use 'Get' with the ID to compare it with the request before you start again.`
			: `The server lists no such job yet. ${lookItUp}`;
	throw error;
}
