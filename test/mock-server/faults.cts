import { STATUS_CODES } from 'node:http';
import { z } from 'zod';

/**
 * A disturbance to inject. It meets the next `count` requests whose method and path match, after
 * letting `skip` of them pass. A path matches exactly, or as a prefix when it ends with `*`.
 *
 * `stage` says where: `before` the work (nothing is done or charged), `during` (the work goes on and
 * is charged; only resets and delays, and a delay holds the team's work slot), `after` (done and
 * charged, the answer is replaced, held back or lost). Every fault can also delay by `delayMs` on the clock first.
 */
const base = z.object({
	method: z.string().optional(),
	path: z.string().default('/v2/*'),
	count: z.number().int().positive().default(1),
	skip: z.number().int().nonnegative().default(0),
	delayMs: z.number().nonnegative().default(0),
	stage: z.enum(['before', 'during', 'after']).default('before'),
});

const kinds = z.discriminatedUnion('kind', [
	/** An error status. The hints say how long to wait, each in its own place. */
	z.object({
		kind: z.literal('status'),
		status: z.number().int().min(200).max(599),
		error: z.string().optional(),
		code: z.string().optional(),
		body: z.unknown().optional(),
		headers: z.record(z.string()).default({}),
		/** `Retry-After` header: seconds, or an HTTP date. */
		retryAfter: z.union([z.number(), z.string()]).optional(),
		/** `retry_after_seconds` in the body. */
		retryAfterSeconds: z.number().optional(),
		/** "please retry after Ns" in the error text. */
		textHint: z.number().optional(),
	}),
	z.object({ kind: z.literal('delay') }),
	z.object({ kind: z.literal('reset') }),
	/** The true answer, with its full content-length, cut after `bytes` (half of it by default). */
	z.object({ kind: z.literal('truncate'), bytes: z.number().int().nonnegative().optional() }),
	/** Nothing comes but `bytes` of the true answer, and the connection stays open until the client ends it. */
	z.object({ kind: z.literal('stall'), bytes: z.number().int().nonnegative().default(0) }),
	/** An HTML page, as a proxy in front of the service answers. */
	z.object({ kind: z.literal('html'), status: z.number().int().default(502) }),
	z.object({ kind: z.literal('empty'), status: z.number().int().default(502) }),
	/** Sent elsewhere; the request's path is appended to an origin. */
	z.object({
		kind: z.literal('redirect'),
		location: z.string(),
		status: z.number().int().min(300).max(399).default(307),
	}),
	z.object({ kind: z.literal('failure'), error: z.string(), code: z.string().optional() }),
]);

export const faultSchema = z.intersection(base, kinds);
export type Fault = z.infer<typeof faultSchema>;
/** A fault as tests write it: everything with a default can be left out. */
export type FaultInput = z.input<typeof faultSchema>;

/** The faults still to come, in the order in which they were added. */
export class Faults {
	private queue: Fault[] = [];

	add(...faults: FaultInput[]): void {
		this.queue.push(...faults.map((fault) => faultSchema.parse(fault)));
	}

	get pending(): readonly Fault[] {
		return this.queue;
	}

	clear(): void {
		this.queue = [];
	}

	/** The fault that meets this request, used up by one. */
	take(method: string, path: string): Fault | undefined {
		const fault = this.queue.find((each) => matches(each, method, path));
		if (!fault) return undefined;
		if (fault.skip > 0) {
			fault.skip--;
			return undefined;
		}
		fault.count--;
		if (fault.count === 0) this.queue.splice(this.queue.indexOf(fault), 1);
		return fault;
	}
}

function matches(fault: Fault, method: string, path: string): boolean {
	if (fault.method && fault.method.toUpperCase() !== method) return false;
	if (fault.path.endsWith('*')) return path.startsWith(fault.path.slice(0, -1));
	return path === fault.path;
}

interface FaultAnswer {
	status: number;
	headers: Record<string, string>;
	body: unknown;
}

/** The answer that a fault gives in place of the true one; none for delays, resets and truncation. */
export function faultAnswer(fault: Fault, path: string): FaultAnswer | undefined {
	switch (fault.kind) {
		case 'status':
			return statusAnswer(fault);
		case 'html':
			return {
				status: fault.status,
				headers: { 'content-type': 'text/html; charset=utf-8' },
				body: `<html><head><title>${fault.status}</title></head><body><h1>${fault.status}</h1></body></html>`,
			};
		case 'empty':
			return { status: fault.status, headers: {}, body: '' };
		case 'redirect': {
			const location = new URL(fault.location);
			if (location.pathname === '/') location.pathname = path;
			return { status: fault.status, headers: { location: location.href }, body: '' };
		}
		case 'failure':
			return {
				status: 200,
				headers: {},
				body: { success: false, error: fault.error, ...(fault.code && { code: fault.code }) },
			};
		default:
			return undefined;
	}
}

/** `error` texts of the public API reference's table that are not the status's own words. */
const texts: Record<number, string | undefined> = {
	401: 'Unauthorized: Invalid token',
	402: 'Payment Required: Insufficient credits',
	429: 'Rate limit exceeded',
};

function statusAnswer(fault: Extract<Fault, { kind: 'status' }>): FaultAnswer {
	const { status } = fault;
	const text = fault.error ?? texts[status] ?? STATUS_CODES[status] ?? `Status ${status}`;
	const hint = fault.textHint === undefined ? '' : `, please retry after ${fault.textHint}s`;
	const body = fault.body ?? {
		success: false,
		error: text + hint,
		...(fault.code && { code: fault.code }),
		...(fault.retryAfterSeconds !== undefined && { retry_after_seconds: fault.retryAfterSeconds }),
	};
	const retryAfter: Record<string, string> =
		fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
	return { status: fault.status, headers: { ...retryAfter, ...fault.headers }, body };
}
