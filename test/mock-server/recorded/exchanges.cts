import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from '../../root.cjs';

/** A part of a multipart form; the content as text or in Base64. */
export interface RecordedPart {
	name: string;
	filename?: string;
	contentType?: string;
	content?: string;
	contentBase64?: string;
}

export interface RecordedRequest {
	method: string;
	path: string;
	headers?: Record<string, string>;
	/** A text was sent raw, `{ multipart }` as a form, anything else as JSON. */
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
	/** How many webhooks came, by type. */
	webhooksReceived?: Record<string, number>;
	/** Bodies of the webhooks, of many the first and the last ones. */
	webhooks?: RecordedWebhook[];
}

/** Every exchange, as `shorten.mjs` wrote them. */
export function recordedExchanges(): RecordedExchange[] {
	const file = join(projectRoot, 'test/mock-server/recorded/exchanges.json');
	const exchanges: RecordedExchange[] = JSON.parse(readFileSync(file, 'utf8'));
	return exchanges;
}
