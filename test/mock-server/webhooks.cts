import { createHmac, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';

import type { Clock } from './clock.cjs';
import type { WebhookConfig } from './schemas/webhook.cjs';

/** An event of a job, as it is delivered. */
export interface WebhookEvent {
	/** `<family>.<event>`, e.g. `agent.completed`. */
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
	/** The same in every attempt. */
	webhookId: string;
	teamId: string;
	type: string;
	id: string;
	url: string;
	/** The raw body, as it is signed. */
	body: string;
	headers: Record<string, string>;
	attempts: Attempt[];
	state: 'pending' | 'delivered' | 'given up';
}

const signatureHeader = 'x-firecrawl-signature';
const answerMs = 10_000;
const minute = 60_000;
const pauses = [minute, 5 * minute, 15 * minute];

/** What ends all deliveries. */
function newEnd(): AbortController {
	const end = new AbortController();
	// Every delivery that waits for its repeat listens.
	setMaxListeners(0, end.signal);
	return end;
}

/** Sends the events of jobs to the addresses that their requests named, for all kinds of jobs. */
export class Webhooks {
	/** Every delivery, in the order of the events. */
	readonly deliveries: Delivery[] = [];
	/** New events wait until they are released, in whatever order. */
	held = false;
	private readonly underWay = new Set<Promise<unknown>>();
	private ended = newEnd();

	constructor(
		private readonly clock: Clock,
		private readonly secretOf: (teamId: string) => string | undefined,
	) {}

	/**
	 * Delivers an event if the configuration wants it: at once, then up to three more times, 1, 5 and
	 * 15 minutes after the attempt before, until it is answered 2xx within 10 s on the clock. Nothing is
	 * attempted while events are held.
	 */
	send(teamId: string, config: WebhookConfig | undefined, event: WebhookEvent): void {
		if (!config || !wants(config, event.type)) return;
		const webhookId = randomUUID();
		const { type, id, success, data, error } = event;
		const { metadata = {} } = config;
		const delivery: Delivery = {
			webhookId,
			teamId,
			type,
			id,
			url: config.url,
			body: JSON.stringify({
				success,
				type,
				id,
				webhookId,
				data,
				metadata,
				...(error && { error }),
			}),
			headers: withoutReserved(config.headers ?? {}),
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

	/**
	 * Resolves when no attempt is under way and what follows the last ones is arranged; repeats that wait
	 * for their time do not count. To be awaited before the clock is moved further: an attempt that the
	 * clock overtakes by 10 s counts as unanswered.
	 */
	async idle(): Promise<void> {
		while (this.underWay.size > 0) {
			await Promise.all(this.underWay);
			await new Promise((resolve) => setImmediate(resolve));
		}
	}

	/** Forgets every delivery and ends what is under way. */
	clear(): void {
		this.close();
		this.ended = newEnd();
		this.deliveries.length = 0;
		this.held = false;
	}

	/** Ends every attempt and repeat. */
	close(): void {
		this.ended.abort();
	}

	private find(webhookId: string): Delivery {
		const found = this.deliveries.find((each) => each.webhookId === webhookId);
		if (!found) throw new Error(`No such delivery: ${webhookId}`);
		return found;
	}

	private async deliver(delivery: Delivery, ended: AbortSignal): Promise<void> {
		for (const pause of [0, ...pauses]) {
			if (pause > 0 && !(await this.pause(pause, ended))) return;
			const { status = 0 } = await this.attempt(delivery, 'valid', ended);
			if (ended.aborted) return;
			if (status >= 200 && status < 300) {
				delivery.state = 'delivered';
				return;
			}
		}
		delivery.state = 'given up';
	}

	/** Whether the pause came to its end. */
	private pause(ms: number, ended: AbortSignal): Promise<boolean> {
		return this.clock.wait(ms, ended).then(
			() => true,
			() => false,
		);
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
		const answered = new AbortController();
		const late = new AbortController();
		const stop = AbortSignal.any([ended, late.signal]);
		const answeredOrEnded = AbortSignal.any([ended, answered.signal]);
		this.clock.wait(answerMs, answeredOrEnded).then(
			() => late.abort(new Error('No answer within 10 s')),
			() => undefined,
		);
		try {
			const response = await fetch(delivery.url, {
				method: 'POST',
				redirect: 'manual',
				headers: {
					...delivery.headers,
					'content-type': 'application/json',
					...this.signed(delivery, attempt.signature),
				},
				body: delivery.body,
				signal: stop,
			});
			attempt.status = response.status;
			await response.body?.cancel();
		} catch (error) {
			attempt.error = error instanceof Error ? error.message : String(error);
		} finally {
			answered.abort();
		}
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

/** The signature's header is the service's own: a configured one of that name never goes out. */
function withoutReserved(headers: Record<string, string>): Record<string, string> {
	const entries = Object.entries(headers);
	return Object.fromEntries(entries.filter(([name]) => name.toLowerCase() !== signatureHeader));
}
