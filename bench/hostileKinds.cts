import type { IDataObject } from 'n8n-workflow';

/** A request to the Web Data Trigger's webhook. */
interface WebhookRequest {
	body: string;
	/** Whether the credential has a secret, with which the request is not signed. */
	hasSecret?: boolean;
}

/** A response to an operation of the Web Data node. */
interface ServiceResponse {
	status: number;
	body: string;
	resource: string;
	operation: string;
	parameters: IDataObject;
	/** Whether the node runs as a tool of an AI model. */
	isTool?: boolean;
}

export type HostileInput = { webhook: WebhookRequest } | { response: ServiceResponse };

const search = { resource: 'search', operation: 'query', parameters: { query: 'tides', limit: 5 } };
const scrape = {
	resource: 'page',
	operation: 'scrape',
	parameters: { url: 'https://tidewatch.example' },
};

const event = (type: string, data: string) =>
	`{"success":true,"type":"${type}","id":"1","webhookId":"1","data":${data},"metadata":{}}`;

const times = (count: number, entry: string) => `[${Array(Math.floor(count)).fill(entry).join()}]`;

const nested = (size: number) => '['.repeat(size / 2) + ']'.repeat(size / 2);

const found = (web: string) => `{"success":true,"creditsUsed":1,"id":"1","data":{"web":${web}}}`;
const read = (document: string) => `{"success":true,"data":{"metadata":{},${document}}}`;

const passages = { ...search, operation: 'passages' };

const respond = (
	to: Pick<ServiceResponse, 'resource' | 'operation' | 'parameters'>,
	body: string,
	more: Pick<Partial<ServiceResponse>, 'status' | 'isTool'> = {},
) => ({ response: { ...to, status: 200, body, ...more } });

const manyResults = (size: number) => found(times(size / 20, '{"url":"https://a"}'));

const kinds: Record<string, (size: number) => HostileInput> = {
	'webhook: dots in the type, and entries': (size) => ({
		webhook: { body: event(`monitor${'.'.repeat(size / 2)}`, times(size / 4, '1')) },
	}),
	"webhook: dots in a job's type, and entries": (size) => ({
		webhook: { body: event(`crawl${'.'.repeat(size / 2)}`, times(size / 4, '1')) },
	}),
	'webhook: completed checks, with Add Pages': (size) => ({
		webhook: {
			body: event('monitor.check.completed', times(size / 40, '{"monitorId":"a","checkId":"b"}')),
		},
	}),
	'webhook: changed pages': (size) => ({
		webhook: { body: event('monitor.page', times(size / 40, '{"status":"changed","url":"a"}')) },
	}),
	'webhook: nested lists': (size) => ({
		webhook: { body: event('monitor.page', nested(size)) },
	}),
	'webhook: unsigned': (size) => ({
		webhook: {
			hasSecret: true,
			body: event('monitor.page', times(size / 40, '{"status":"changed","url":"a"}')),
		},
	}),
	'response: 502 of <': (size) => respond(search, '<'.repeat(size), { status: 502 }),
	'response: 400 that says .': (size) =>
		respond(search, JSON.stringify({ success: false, error: '.'.repeat(size) }), { status: 400 }),
	"response: slashes in a result's URL": (size) =>
		respond(search, found(`[{"url":"https://a.example${'/'.repeat(size)}x"}]`)),
	'response: = in a text': (size) => respond(scrape, read(`"rawBase64":"${'='.repeat(size)}"`)),
	'response: many results': (size) => respond(search, manyResults(size)),
	'response: passages of many results': (size) => respond(passages, manyResults(size)),
	'response: nested lists': (size) => respond(scrape, read(`"json":${nested(size)}`)),
	'response: a page for an AI model': (size) =>
		respond(scrape, read(`"markdown":"${'\\n'.repeat(size / 2)}"`), { isTool: true }),
	'response: a list for an AI model': (size) =>
		respond(search, manyResults(size), { isTool: true }),
};

export const hostileKinds = Object.keys(kinds);

/** The input of a kind, of about `size` bytes. @throws for an unknown kind */
export function hostileInput(name: string, size: number): HostileInput {
	const make = kinds[name];
	if (!make) throw new Error(`There is no ${name}`);
	return make(size);
}
