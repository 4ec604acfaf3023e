import type { IDataObject } from 'n8n-workflow';

/** A call of the Web Data Trigger's webhook. */
interface Delivery {
	body: string;
	/** Whether the credential holds a secret, with which the call is not signed. */
	hasSecret?: boolean;
}

/** An answer to an operation of the Web Data node. */
interface ServiceReply {
	status: number;
	body: string;
	resource: string;
	operation: string;
	parameters: IDataObject;
	/** Whether an AI model asks. */
	isTool?: boolean;
}

export type HostileInput = { delivery: Delivery } | { reply: ServiceReply };

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

const reply = (of: typeof search | typeof scrape, body: string, status = 200) => ({
	reply: { ...of, status, body },
});

const kinds: Record<string, (size: number) => HostileInput> = {
	'delivery: dots in the type, and entries': (size) => ({
		delivery: { body: event(`monitor${'.'.repeat(size / 2)}`, times(size / 4, '1')) },
	}),
	"delivery: dots in a job's type, and entries": (size) => ({
		delivery: { body: event(`crawl${'.'.repeat(size / 2)}`, times(size / 4, '1')) },
	}),
	'delivery: completed checks, with Add Pages': (size) => ({
		delivery: {
			body: event('monitor.check.completed', times(size / 40, '{"monitorId":"a","checkId":"b"}')),
		},
	}),
	'delivery: changed pages': (size) => ({
		delivery: { body: event('monitor.page', times(size / 40, '{"status":"changed","url":"a"}')) },
	}),
	'delivery: nested lists': (size) => ({
		delivery: { body: event('monitor.page', nested(size)) },
	}),
	'delivery: unsigned': (size) => ({
		delivery: {
			hasSecret: true,
			body: event('monitor.page', times(size / 40, '{"status":"changed","url":"a"}')),
		},
	}),
	'answer: 502 of <': (size) => reply(search, '<'.repeat(size), 502),
	'answer: 400 that says .': (size) =>
		reply(search, JSON.stringify({ success: false, error: '.'.repeat(size) }), 400),
	"answer: slashes in a result's address": (size) =>
		reply(search, found(`[{"url":"https://a.example${'/'.repeat(size)}x"}]`)),
	'answer: = in a text': (size) => reply(scrape, read(`"rawBase64":"${'='.repeat(size)}"`)),
	'answer: many results': (size) => reply(search, found(times(size / 20, '{"url":"https://a"}'))),
	'answer: nested lists': (size) => reply(scrape, read(`"json":${nested(size)}`)),
	'answer: a page for an AI model': (size) => {
		const { reply: answer } = reply(scrape, read(`"markdown":"${'\\n'.repeat(size / 2)}"`));
		return { reply: { ...answer, isTool: true } };
	},
	'answer: a list for an AI model': (size) => {
		const { reply: answer } = reply(search, found(times(size / 20, '{"url":"https://a"}')));
		return { reply: { ...answer, isTool: true } };
	},
};

export const hostileKinds = Object.keys(kinds);

/** What is sent of a kind, about so many bytes. @throws for a kind that there is not */
export function hostileInput(name: string, size: number): HostileInput {
	const make = kinds[name];
	if (!make) throw new Error(`There is no ${name}`);
	return make(size);
}
