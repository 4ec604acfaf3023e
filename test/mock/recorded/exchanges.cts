import type { Dispatcher } from 'undici';

import { readData } from '../data.cjs';

/** A part of a multipart form; the content as text or in Base64. */
export interface RecordedPart {
	name: string;
	filename?: string;
	contentType?: string;
	content?: string;
	contentBase64?: string;
}

export interface RecordedRequest {
	method: Dispatcher.HttpMethod;
	path: string;
	headers?: Record<string, string>;
	body?: unknown;
}

/** One request of an exchange with its answer. */
export interface RecordedStep {
	note?: string;
	request: RecordedRequest;
	response: { status: number; body: unknown };
}

/** Body of a webhook, as far as the replay reads it. */
export interface RecordedWebhook {
	type: string;
	success: boolean;
}

/** An exchange with a real self-hosted server: one request, or the requests around a job in their order. */
export interface RecordedExchange {
	name: string;
	group: string;
	steps: RecordedStep[];
	webhooksReceived?: Record<string, number>;
	/** Bodies of the webhooks, of many the first and the last ones. */
	webhooks?: RecordedWebhook[];
}

/** Every exchange, as `shorten.mjs` wrote them. */
export const recordedExchanges = () => readData<RecordedExchange[]>('recorded/exchanges.json');
