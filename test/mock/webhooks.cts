import { createHmac, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';

import type { Clock } from './clock.cjs';
import type { WebhookConfig } from './schemas/fields.cjs';

/** An event of a job, as it is delivered. */
export interface WebhookEvent {
	type: string;
	/** The job's id; for monitors the check's. */
	id: string;
	success: boolean;
	data: unknown;
	error?: string;
}

/** One event on its way to one address, signed by the team's secret if it has one, with the status of every attempt; none when nothing came. */
export interface Delivery {
	url: string;
	body: string;
	headers: Record<string, string>;
	attempts: Array<{ status?: number }>;
}

const minute = 60_000;
const pauses = [0, minute, 5 * minute, 15 * minute];

function newEnd(): AbortController {
	const end = new AbortController();
	// Every delivery that waits for its repeat listens.
	setMaxListeners(0, end.signal);
	return end;
}

/** Sends the events of jobs to the addresses that their requests named, for all kinds of jobs. */
export class Webhooks {
	readonly deliveries: Delivery[] = [];
	/** New events are made, and not sent. */
	held = false;
	private readonly underWay = new Set<Promise<unknown>>();
	private ended = newEnd();

	constructor(
		private readonly clock: Clock,
		private readonly secretOf: (teamId: string) => string | undefined,
	) {}

	/** Delivers an event that is wanted: at once, then 1, 5 and 15 minutes later, until it is answered 2xx. */
	send(teamId: string, config: WebhookConfig | undefined, event: WebhookEvent): void {
		if (!config || !wants(config, event.type)) return;
		const { type, id, success, data, error } = event;
		const { url, headers = {}, metadata = {} } = config;
		const webhookId = randomUUID();
		const body = JSON.stringify({
			...{ success, type, id, webhookId, data, metadata },
			...(error && { error }),
		});
		const secret = this.secretOf(teamId);
		const signature = secret && createHmac('sha256', secret).update(body).digest('hex');
		const delivery: Delivery = {
			...{ url, body, attempts: [] },
			headers: {
				...headers,
				'content-type': 'application/json',
				...(signature && { 'x-firecrawl-signature': `sha256=${signature}` }),
			},
		};
		this.deliveries.push(delivery);
		if (!this.held) void this.deliver(delivery, this.ended.signal);
	}

	/** Resolves when no attempt is under way; repeats that wait do not count. Await it before the clock moves on. */
	async idle(): Promise<void> {
		while (this.underWay.size > 0) {
			await Promise.all(this.underWay);
			await new Promise((resolve) => setImmediate(resolve));
		}
	}

	clear(): void {
		this.ended.abort();
		this.ended = newEnd();
		this.deliveries.length = 0;
		this.held = false;
	}

	private async deliver(delivery: Delivery, ended: AbortSignal): Promise<void> {
		for (const pause of pauses) {
			if (pause > 0) await this.clock.wait(pause, ended).catch(() => undefined);
			if (ended.aborted) return;
			const posted = post(delivery, ended);
			this.underWay.add(posted);
			const isTaken = await posted.finally(() => this.underWay.delete(posted));
			if (isTaken) return;
		}
	}
}

/** Makes an attempt. @returns whether the event was taken */
async function post(
	{ url, body, headers, attempts }: Delivery,
	signal: AbortSignal,
): Promise<boolean> {
	const attempt: Delivery['attempts'][number] = {};
	attempts.push(attempt);
	const request = { method: 'POST', redirect: 'manual', headers, body, signal } as const;
	const response = await fetch(url, request).catch(() => undefined);
	attempt.status = response?.status;
	await response?.body?.cancel();
	return response?.ok ?? false;
}

function wants({ events }: WebhookConfig, type: string): boolean {
	const short = type.slice(type.indexOf('.') + 1);
	return !events || events.includes(short) || events.includes(type);
}
