import { randomUUID } from 'node:crypto';
import type { JobLookup, Request } from '../http/client';
import { send, type RequestContext } from '../http/send';
import { lookItUp } from '../http/serviceError';
import { mayHaveCost, statusOf } from '../errors/webDataError';
import type { ApiResponse } from '../errors/response';
import { startedId } from '../output/results';
import { settle } from '../values/outcome';
import { fieldOf, isRecord } from '../values/record';
import { canonicalUrl } from '../values/text';
import { delay } from '../values/time';

/** Milliseconds from the failure to the lookup: lists show a job shortly after its start. */
const pauseBefore = 3_000;

/** Most candidates that an error names. */
const mostCandidates = 5;

const textIn = (value: unknown, ...names: string[]): string | undefined =>
	names
		.map((name) => fieldOf(value, name))
		.find((text): text is string => typeof text === 'string');

/** The first page of a list, newest first, or why there is none. Waits for a server that restarts. */
async function listedJobs(
	{ list, query, entries }: JobLookup,
	requestContext: RequestContext,
): Promise<unknown[] | string> {
	const policy = { ...requestContext.policy, maxAttempts: Infinity };
	const request: Request = { endpoint: list, query, accepts: ({ status }) => status === 500 };
	const sent = await settle(send(request, { ...requestContext, policy }));
	const listed: unknown = sent.ok ? fieldOf(sent.value.body, entries) : undefined;
	if (Array.isArray(listed)) return listed;
	const isAway = !sent.ok && [0, 429, 502, 503, 504].includes(statusOf(sent.error));
	return isAway
		? `The server could not be reached to list its jobs. ${lookItUp}`
		: `The server does not list its jobs, for example without a database. ${lookItUp}`;
}

/** The listed jobs that may have the target of a request, each with its start. */
const candidatesIn = (listed: unknown[], noun: string, { target }: JobLookup): string[] =>
	listed
		.filter((entry) => {
			const own = textIn(entry, 'target', 'url') ?? textIn(fieldOf(entry, 'options'), 'prompt');
			return own !== undefined && canonicalUrl(own) === canonicalUrl(target);
		})
		.flatMap((entry) => {
			const id = startedId(entry);
			const at = textIn(entry, 'created_at', 'createdAt');
			if (id === undefined) return [];
			return [`the ${noun} ${id}${at === undefined ? '' : ` (started ${at})`}`];
		})
		.slice(0, mostCandidates);

/**
 * Sends a start by `transport`. If its response is lost, looks the job up, since a start is never sent
 * twice: a job with the unique `origin` of its request is continued. Other lists prove nothing, so the
 * error names the candidates.
 */
export async function startOrFind(
	noun: string,
	request: Request,
	requestContext: RequestContext,
	transport: (request: Request) => Promise<ApiResponse>,
): Promise<ApiResponse> {
	const { jobLookup, body } = request;
	if (!jobLookup) return await transport(request);
	const { notice, signal } = requestContext;
	const isMarked = jobLookup.showsOrigin && isRecord(body) && body.origin === undefined;
	const origin = `n8n-web-data-${randomUUID()}`;
	const sent = await settle(
		transport(isMarked ? { ...request, body: { ...body, origin } } : request),
	);
	if (sent.ok) return sent.value;
	const { error } = sent;
	if (!mayHaveCost(error) || signal?.aborted) throw error;
	await settle(delay(pauseBefore, signal));
	const listed = await listedJobs(jobLookup, requestContext);
	const jobs = typeof listed === 'string' ? [] : listed;
	const id = startedId(jobs.find((entry) => isMarked && fieldOf(entry, 'origin') === origin));
	if (id !== undefined) {
		notice?.(
			`The response to a start was lost. Its job ${id} was found in the list, and continued.`,
		);
		return { status: 200, headers: {}, body: { success: true, id } };
	}
	const candidates = isMarked ? [] : candidatesIn(jobs, noun, jobLookup);
	const found =
		candidates.length > 0
			? `The server lists ${candidates.join(', ')}, which may be its job. Use 'Get' with the ID to compare it with the request before you start again.`
			: `The server lists no such job yet. ${lookItUp}`;
	error.search = typeof listed === 'string' ? listed : found;
	throw error;
}
