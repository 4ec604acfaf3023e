import type { FastifyReply, FastifyRequest } from 'fastify';

import { identify } from './access.cjs';
import type { Context } from './context.cjs';
import { ApiError } from './errors.cjs';
import { faultAnswer, type Fault } from './faults.cjs';
import type { LogEntry } from './requestLog.cjs';
import type { Team } from './teams.cjs';

/** What an endpoint answers. A Buffer or string body is sent as it is, anything else as JSON. */
export interface Answer {
	status?: number;
	headers?: Record<string, string>;
	body: unknown;
}

/** A request on its way through an endpoint. */
export interface Call {
	params: Record<string, string>;
	query: Record<string, unknown>;
	body: unknown;
	headers: FastifyRequest['headers'];
	entry: LogEntry;
}

/** A call by somebody who may make it. */
export interface ApiCall extends Call {
	team: Team;
	/** Books the work's price. A call that throws before it charges costs nothing. */
	charge(credits: number, jobId?: string): void;
}

interface Route {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Fastify path, e.g. `/v2/scrape/:id`. */
	path: string;
}

/** An endpoint of the API: behind keys and limits. */
interface ApiEndpoint extends Route {
	handle(call: ApiCall): Answer | Promise<Answer>;
}

/** A route anybody may call: files, health, the control path. */
interface OpenEndpoint extends Route {
	open(call: Call): Answer | Promise<Answer>;
}

export type Endpoint = ApiEndpoint | OpenEndpoint;

/** Endpoints of the API by method and path, e.g. `GET /v2/scrape/:id`. */
export type Endpoints = Record<string, ApiEndpoint['handle']>;

/** Routes that anybody may call, in the same way. */
export type OpenEndpoints = Record<string, OpenEndpoint['open']>;

/** Makes the route's handler: fault, key, limits, work, fault, answer. */
export function handler(
	context: Context,
	endpoint: Endpoint,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
	const process = async (request: FastifyRequest, reply: FastifyReply) => {
		const entry = context.log.entryOf(request);
		entry.body = request.body;
		const fault = context.faults.take(entry.method, entry.path);
		if (fault) entry.fault = fault.kind;
		const call: Call = {
			params: request.params as Record<string, string>,
			query: entry.query,
			body: request.body ?? {},
			headers: request.headers,
			entry,
		};

		if (fault?.stage === 'before' && (await disturb(context, reply, entry, fault))) return;
		if (fault?.stage === 'during' && fault.kind === 'reset') reset(reply, entry);
		const answer = await answerTo(context, endpoint, call, fault);
		entry.done = (answer.status ?? 200) < 300;
		if (entry.delivery) return;
		if (fault?.stage === 'after' && (await disturb(context, reply, entry, fault, answer))) return;
		send(reply, entry, answer);
	};
	return async (request, reply) => {
		const gone = new AbortController();
		reply.raw.once('close', () => gone.abort());
		await context.clock.working(request, gone.signal, async () => await process(request, reply));
	};
}

/** Disturbs the answer, if there is one yet. @returns whether nothing is left to send */
async function disturb(
	context: Context,
	reply: FastifyReply,
	entry: LogEntry,
	fault: Fault,
	answer?: Answer,
): Promise<boolean> {
	if (fault.delayMs) await context.clock.wait(fault.delayMs);
	switch (fault.kind) {
		case 'delay':
			return false;
		case 'reset':
			reset(reply, entry);
			return true;
		case 'stall':
		case 'truncate':
			await cut(context, reply, entry, fault, answer);
			return true;
		default:
			send(reply, entry, faultAnswer(fault, answer));
			return true;
	}
}

async function answerTo(
	context: Context,
	endpoint: Endpoint,
	call: Call,
	fault: Fault | undefined,
): Promise<Answer> {
	try {
		if ('open' in endpoint) return await endpoint.open(call);
		return await work(context, endpoint, call, fault);
	} catch (error) {
		return errorAnswer(error);
	}
}

async function work(
	context: Context,
	endpoint: ApiEndpoint,
	call: Call,
	fault: Fault | undefined,
): Promise<Answer> {
	const { entry } = call;
	const team = identify(context, entry);
	entry.teamId = team.id;
	context.limits.countRequest(team);
	const release = context.limits.takeSlot(team);
	const charge: ApiCall['charge'] = (credits, jobId) => {
		entry.credits += credits;
		const { id: requestId, path } = entry;
		context.ledger.charge({ teamId: team.id, requestId, jobId, endpoint: path, credits });
	};
	try {
		if (fault?.stage === 'during' && fault.delayMs) await context.clock.wait(fault.delayMs);
		return await endpoint.handle({ ...call, team, charge });
	} finally {
		release();
	}
}

/** What the web framework of the service answers where there is no route: a page, also under /v2. */
export const missingRoute = ({ method, path }: Pick<LogEntry, 'method' | 'path'>): Answer => ({
	status: 404,
	headers: { 'content-type': 'text/html; charset=utf-8' },
	body: `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot ${method} ${path}</pre>\n</body>\n</html>\n`,
});

/** Errors that nobody foresaw are the generic 500. */
export function errorAnswer(error: unknown): Answer {
	if (error instanceof ApiError) {
		const { status, headers, body } = error;
		return { status, headers, body: { success: false, ...body } };
	}
	const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
	return {
		status: 500,
		body: { success: false, code: 'UNKNOWN_ERROR', error: `An unexpected error occurred: ${text}` },
	};
}

export function send(reply: FastifyReply, entry: LogEntry, answer: Answer): void {
	const { status, headers, body } = encode(answer);
	entry.status = status;
	entry.delivery = reply.raw.destroyed ? 'reset' : 'complete';
	reply.code(status).headers(headers).send(body);
}

function encode({ status = 200, headers = {}, body }: Answer): {
	status: number;
	headers: Record<string, string>;
	body: Buffer | string;
} {
	if (Buffer.isBuffer(body) || typeof body === 'string') return { status, headers, body };
	const json = { 'content-type': 'application/json; charset=utf-8', ...headers };
	return { status, headers: json, body: JSON.stringify(body) };
}

function reset(reply: FastifyReply, entry: LogEntry): void {
	entry.delivery = 'reset';
	reply.hijack();
	reply.raw.destroy();
}

/** Longer than anybody waits, in milliseconds. */
const forever = 86_400_000;

/** Sends the first bytes of an answer, half of it by default, or nothing. A stalled connection stays open until the client ends it. */
async function cut(
	{ clock }: Context,
	reply: FastifyReply,
	entry: LogEntry,
	{ kind, bytes }: { kind: 'truncate' | 'stall'; bytes?: number },
	answer: Answer | undefined,
): Promise<void> {
	const stalls = kind === 'stall';
	entry.delivery = stalls ? 'stalled' : 'truncated';
	reply.hijack();
	const { raw } = reply;
	const closed = new AbortController();
	raw.once('close', () => closed.abort());
	if (answer && !(stalls && bytes === 0)) {
		const { status, headers, body } = encode(answer);
		const whole = Buffer.from(body);
		entry.status = status;
		const length = whole.length + (stalls ? 1 : 0);
		raw.writeHead(status, { ...headers, 'content-length': String(length) });
		const part = whole.subarray(0, bytes ?? Math.floor(whole.length / 2));
		await new Promise((resolve) => raw.write(part, resolve));
	}
	if (stalls && !raw.destroyed) await clock.wait(forever, closed.signal).catch(() => undefined);
	raw.destroy();
}
