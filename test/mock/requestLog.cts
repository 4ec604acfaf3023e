import type { FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';

import type { Clock } from './clock.cjs';

/** What one request looked like from the inside. `body` is the parsed one, if it could be parsed. */
export interface LogEntry {
	id: string;
	at: number;
	method: string;
	path: string;
	query: Record<string, unknown>;
	headers: Record<string, string | string[] | undefined>;
	body?: unknown;
	/** Whether an Authorization header came along, and the bearer token in it. */
	authorization: boolean;
	key?: string;
	teamId?: string;
	/** The status answered; missing while the request is under way. */
	status?: number;
	/** How the answer left: in full, cut short, never to its end, or not at all. */
	delivery?: 'complete' | 'truncated' | 'stalled' | 'reset';
	/** Whether what it asked for was done, whatever answer left. */
	done?: boolean;
	fault?: string;
	credits: number;
}

/** Every request received, in order of arrival. */
export class RequestLog {
	readonly entries: LogEntry[] = [];
	private readonly byRequest = new WeakMap<object, LogEntry>();

	add(request: FastifyRequest, at: number): void {
		const authorization = request.headers.authorization;
		const entry: LogEntry = {
			id: randomUUID(),
			at,
			method: request.method,
			path: request.url.split('?')[0],
			query: request.query as Record<string, unknown>,
			headers: request.headers,
			authorization: authorization !== undefined,
			key: bearerToken(authorization),
			credits: 0,
		};
		this.entries.push(entry);
		this.byRequest.set(request, entry);
	}

	entryOf(request: FastifyRequest): LogEntry {
		const entry = this.byRequest.get(request);
		if (!entry) throw new Error('The request is not in the log');
		return entry;
	}

	of(method: string, path: string): LogEntry[] {
		return this.entries.filter((entry) => entry.method === method && entry.path === path);
	}

	clear(): void {
		this.entries.length = 0;
	}
}

function bearerToken(authorization: string | string[] | undefined): string | undefined {
	if (typeof authorization !== 'string') return undefined;
	return /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
}

/** One charge. `credits` may be 0 (a free call that is worth a line) and, for a refund, negative. */
interface LedgerEntry {
	at: number;
	teamId: string;
	requestId: string;
	jobId?: string;
	endpoint: string;
	credits: number;
}

/** What every team was charged, in order. Balances are computed from it, never stored. */
export class Ledger {
	readonly entries: LedgerEntry[] = [];

	constructor(private readonly clock: Clock) {}

	charge(entry: Omit<LedgerEntry, 'at'>): void {
		this.entries.push({ at: this.clock.now(), ...entry });
	}

	spent(teamId: string): number {
		const own = this.entries.filter((entry) => entry.teamId === teamId);
		return own.reduce((sum, { credits }) => sum + credits, 0);
	}

	clear(): void {
		this.entries.length = 0;
	}
}
