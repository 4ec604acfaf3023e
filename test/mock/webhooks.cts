import { createHmac, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';

import { withTimeout, type Clock } from './clock.cjs';
import type { WebhookConfig } from './schemas/body.cjs';

/** An event of a job, as it is delivered. */
export interface WebhookEvent {
	type: string;
	/** The job's id; for monitors the check's. */
	id: string;
	success: boolean;
	data: unknown;
	error?: string;
}

/** What the signature of a delivery is: true, left out, or of another secret. */
export type Signature = 'valid' | 'missing' | 'wrong';

export interface Attempt {
	at: number;
	signature: Signature;
	/** The status answered; missing when nothing came in time. */
	status?: number;
	error?: string;
}

/** One event on its way to one address, with every attempt so far. */
export interface Delivery {
	webhookId: string;
	teamId: string;
	type: string;
	id: string;
	url: string;
	body: string;
	headers: Record<string, string>;
	attempts: Attempt[];
	state: 'pending' | 'delivered' | 'given up';
}

const signatureHeader = 'x-firecrawl-signature';
const answerMs = 10_000;
const minute = 60_000;
const pauses = [minute, 5 * minute, 15 * minute];

function newEnd(): AbortController {
	const end = new AbortController();
	// Every delivery that waits for its repeat listens.
	setMaxListeners(0, end.signal);
	return end;
}

/** Sends the events of jobs to the addresses that their requests named, for all kinds of jobs. */
export class Webhooks {
	readonly deliveries: Delivery[] = [];
	/** New events wait until they are released, in whatever order. */
	held = false;
	private readonly underWay = new Set<Promise<unknown>>();
	private ended = newEnd();

	constructor(
		private readonly clock: Clock,
		private readonly secretOf: (teamId: string) => string | undefined,
	) {}

	/** Delivers an event that is wanted: at once, then 1, 5 and 15 minutes later, until it is answered 2xx within 10 s. */
	send(teamId: string, config: WebhookConfig | undefined, event: WebhookEvent): void {
		if (!config || !wants(config, event.type)) return;
		const webhookId = randomUUID();
		const { type, id, success, data, error } = event;
		const { url, headers = {}, metadata = {} } = config;
		const body = { success, type, id, webhookId, data, metadata, ...(error && { error }) };
		const delivery: Delivery = {
			...{ webhookId, teamId, type, id, url },
			body: JSON.stringify(body),
			headers,
			attempts: [],
			state: 'pending',
		};
		this.deliveries.push(delivery);
		if (!this.held) void this.deliver(delivery, this.ended.signal);
	}

	/** Delivers held events as `send` does, one after the other in this order. */
	async release(webhookIds: readonly string[]): Promise<void> {
		for (const webhookId of webhookIds) {
			void this.deliver(this.find(webhookId), this.ended.signal);
			await this.idle();
		}
	}

	/** One more attempt now, whatever became of the delivery; answers how it went. */
	async again(webhookId: string, signature: Signature = 'valid'): Promise<Attempt> {
		return this.attempt(this.find(webhookId), signature, this.ended.signal);
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

	private find(webhookId: string): Delivery {
		const found = this.deliveries.find((each) => each.webhookId === webhookId);
		if (!found) throw new Error(`No such delivery: ${webhookId}`);
		return found;
	}

	private async deliver(delivery: Delivery, ended: AbortSignal): Promise<void> {
		for (const pause of [0, ...pauses]) {
			if (pause > 0) await this.clock.wait(pause, ended).catch(() => undefined);
			if (ended.aborted) return;
			const { status = 0 } = await this.attempt(delivery, 'valid', ended);
			if (ended.aborted) return;
			if (status >= 200 && status < 300) {
				delivery.state = 'delivered';
				return;
			}
		}
		delivery.state = 'given up';
	}

	private async attempt(
		delivery: Delivery,
		signature: Signature,
		ended: AbortSignal,
	): Promise<Attempt> {
		const attempt: Attempt = { at: this.clock.now(), signature };
		delivery.attempts.push(attempt);
		const posted = this.post(delivery, attempt, ended);
		this.underWay.add(posted);
		await posted.finally(() => this.underWay.delete(posted));
		return attempt;
	}

	private async post(delivery: Delivery, attempt: Attempt, ended: AbortSignal): Promise<void> {
		const { url, body, headers: own } = delivery;
		const signature = this.signed(delivery, attempt.signature);
		const headers = { ...own, 'content-type': 'application/json', ...signature };
		const late = () => new Error('No answer within 10 s');
		const answered = withTimeout(this.clock, answerMs, late, async (expired) => {
			const signal = AbortSignal.any([ended, expired]);
			const response = await fetch(url, {
				method: 'POST',
				redirect: 'manual',
				headers,
				body,
				signal,
			});
			attempt.status = response.status;
			await response.body?.cancel();
		});
		await answered.catch((error: Error) => (attempt.error = error.message));
	}

	private signed({ teamId, body }: Delivery, signature: Signature): Record<string, string> {
		const secret = this.secretOf(teamId);
		if (signature === 'missing' || secret === undefined) return {};
		const key = signature === 'wrong' ? `not ${secret}` : secret;
		const digest = createHmac('sha256', key).update(body).digest('hex');
		return { [signatureHeader]: `sha256=${digest}` };
	}
}

function wants({ events }: WebhookConfig, type: string): boolean {
	const short = type.slice(type.indexOf('.') + 1);
	return !events || events.includes(short) || events.includes(type);
}
