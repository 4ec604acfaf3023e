import { randomUUID } from 'node:crypto';
import { NodeApiError } from 'n8n-workflow';
import type { NotFound } from '../http/serviceError';
import { delay, monotonicNow } from '../values/time';
import type { Found, JobLookup, Request } from '../http/client';
import { startedId } from '../output/results';
import { send } from '../http/send';
import { canonicalUrl } from '../values/text';
import { fieldOf, isRecord } from '../values/record';
import { settle } from '../values/outcome';
import type { Item } from './context';

/** Milliseconds from the failure to the lookup: lists show a job shortly after its start. */
const pauseBefore = 3_000;

/** Milliseconds between attempts to reach a server that restarts. */
const pauseBetween = 5_000;

/** Most candidates that an error names. */
const mostCandidates = 5;

const textIn = (value: unknown, ...names: string[]): string | undefined =>
	names
		.map((name) => fieldOf(value, name))
		.find((text): text is string => typeof text === 'string');

/** The entries of the first page of a list, newest first, or why there are none. */
async function listedJobs(
	{ list, query, entries }: JobLookup,
	item: Item,
): Promise<unknown[] | NotFound> {
	const { policy, signal, deadline = Infinity } = item;
	const until = Math.min(monotonicNow() + policy.budget, deadline);
	for (;;) {
		const sent = await settle(send({ endpoint: list, query }, item));
		const listed: unknown = sent.ok ? fieldOf(sent.value.body, entries) : undefined;
		if (Array.isArray(listed)) return listed;
		const status = !sent.ok && sent.error instanceof NodeApiError ? sent.error.httpCode : null;
		const isRestarting = !sent.ok && [null, '429', '502', '503', '504'].includes(status);
		if (!isRestarting) return 'unsupported';
		if (signal?.aborted || monotonicNow() + pauseBetween > until) return 'unreachable';
		await settle(delay(pauseBetween, signal));
	}
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
 * The request of a start that is looked up if its response is lost, since it is never sent twice.
 * A job with the unique `origin` of its request is continued. Other lists prove nothing, so the
 * error names the candidates.
 */
export function lookedUp(noun: string, request: Request, item: Item): Request {
	const { jobLookup, body } = request;
	if (!jobLookup) return request;
	const isMarked = jobLookup.showsOrigin && isRecord(body) && body.origin === undefined;
	const origin = `n8n-web-data-${randomUUID()}`;
	const findLost = async (): Promise<Found> => {
		await settle(delay(pauseBefore, item.signal));
		const listed = await listedJobs(jobLookup, item);
		if (!Array.isArray(listed)) return { notFound: listed };
		const own = listed.find((entry) => isMarked && fieldOf(entry, 'origin') === origin);
		const id = startedId(own);
		if (id !== undefined) return { id };
		const candidates = isMarked ? [] : candidatesIn(listed, noun, jobLookup);
		return { notFound: candidates.length === 0 ? 'none' : { candidates } };
	};
	return { ...request, ...(isMarked && { body: { ...body, origin } }), findLost };
}
