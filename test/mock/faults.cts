import { STATUS_CODES } from 'node:http';

import type { Answer } from './pipeline.cjs';

/** A disturbance of the next `count` requests of a method and path (a prefix if it ends with `*`), after `skip` of them. */
interface Where {
	method?: string;
	path: string;
	count: number;
	skip: number;
	delayMs: number;
	/** Before the work; during it, which is charged and holds a slot; or after it, which is what cuts and additions always are. */
	stage: 'before' | 'during' | 'after';
}

interface StatusFault {
	kind: 'status';
	status: number;
	error?: string;
	code?: string;
	body?: unknown;
	headers?: Record<string, string>;
	/** `Retry-After` header: seconds, or an HTTP date. */
	retryAfter?: number | string;
}

type Kind =
	| StatusFault
	| { kind: 'delay' | 'reset' }
	/** The true answer, with its full content-length, cut after `bytes` (half of it by default). */
	| { kind: 'truncate'; bytes?: number }
	/** Nothing comes but `bytes` of the true answer, and the connection stays open until the client ends it. */
	| { kind: 'stall'; bytes?: number }
	/** An HTML page, as a proxy in front of the service answers. */
	| { kind: 'html'; status?: number }
	/** The true answer with more fields beside its own. */
	| { kind: 'addition'; fields: object };

export type Fault = Where & Kind;
/** A fault as tests write it: everything with a default can be left out. */
export type FaultInput = Partial<Where> & Kind;

const usual: Where = { path: '/v2/*', count: 1, skip: 0, delayMs: 0, stage: 'before' };

/** The faults still to come, in the order in which they were added. */
export class Faults {
	private queue: Fault[] = [];

	add(...faults: FaultInput[]): void {
		for (const fault of faults) {
			const ofTrueAnswer = fault.kind === 'truncate' || fault.kind === 'addition';
			this.queue.push({ ...usual, ...fault, ...(ofTrueAnswer && { stage: 'after' }) });
		}
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

/** The answer that a fault gives in place of the true one, if there is one yet. */
export function faultAnswer(
	fault: Exclude<Fault, { kind: 'delay' | 'reset' | 'truncate' | 'stall' }>,
	answer: Answer = { body: {} },
): Answer {
	switch (fault.kind) {
		case 'status':
			return statusAnswer(fault);
		case 'html':
			return {
				status: fault.status ?? 502,
				headers: { 'content-type': 'text/html; charset=utf-8' },
				body: '<html><head><title>Bad Gateway</title></head><body></body></html>',
			};
		case 'addition':
			return { ...answer, body: { ...Object(answer.body), ...fault.fields } };
	}
}

/** `error` texts of the public API reference's table that are not the status's own words. */
const texts: Record<number, string | undefined> = {
	401: 'Unauthorized: Invalid token',
	402: 'Payment Required: Insufficient credits',
	429: 'Rate limit exceeded',
};

function statusAnswer(fault: StatusFault): Answer {
	const { status } = fault;
	const error = fault.error ?? texts[status] ?? STATUS_CODES[status] ?? `Status ${status}`;
	const body = fault.body ?? { success: false, error, ...(fault.code && { code: fault.code }) };
	const retryAfter: Record<string, string> =
		fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
	return { status: fault.status, headers: { ...retryAfter, ...fault.headers }, body };
}
