import { type Dispatcher, request } from 'undici';

import { readData } from '../data.cjs';
import type { PageJob } from '../pageJobs.cjs';
import type { Service } from '../service.cjs';

interface RecordedRequest {
	method: Dispatcher.HttpMethod;
	path: string;
	headers?: Record<string, string>;
	/** JSON, or a text as it was sent. */
	body?: string | object;
}

/** One request of an exchange with its answer. */
interface RecordedStep {
	request: RecordedRequest;
	response: { status: number; body: unknown };
}

/** Body of a webhook, as far as the replay reads it. */
interface RecordedWebhook {
	type: string;
	success: boolean;
}

/** An exchange with a real self-hosted server: one request, or the requests around a job in their order. */
interface RecordedExchange {
	name: string;
	steps: RecordedStep[];
	webhooksReceived?: Record<string, number>;
	/** Bodies of the webhooks, of many the first and the last ones. */
	webhooks?: RecordedWebhook[];
}

/** Every exchange, as `shorten.mjs` wrote them. */
export const recordedExchanges = () => readData<RecordedExchange[]>('recorded/exchanges.json');

/** What one answer of the mock server has otherwise than the recorded one. */
export interface Replayed {
	/** Name of the exchange, with the step's number where there are several. */
	exchange: string;
	/** Method and path, with `:id` for IDs and without query; `webhook` and the type for webhooks. */
	endpoint: string;
	differences: string[];
}

/** Sends the requests of an exchange to the mock server, its clock driven as the recorded responses show, and compares status, keys, types, the texts of refusals, and webhooks. */
export async function replay(service: Service, exchange: RecordedExchange): Promise<Replayed[]> {
	const { name, steps } = exchange;
	service.reset();
	service.clock.hold();
	// The events are compared as they are made; nobody listens at the recorded addresses.
	service.context.webhooks.held = true;
	const ids = new Map<string, string>();
	const replayed: Replayed[] = [];
	for (const [index, step] of steps.entries()) {
		const { method, path } = step.request;
		await driveJob(service, step, ids);
		const answer = await send(service, translate(service, step.request, ids));
		matchIds(step.response.body, answer.body, ids);
		replayed.push({
			exchange: steps.length > 1 ? `${name} #${index + 1}` : name,
			endpoint: `${method} ${path.replace(/\?.*/, '').replace(uuid, ':id')}`,
			differences: answerDifferences(step.response, answer),
		});
	}
	return [...replayed, ...webhookDifferences(service, exchange)];
}

type Answer = RecordedStep['response'];

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isStatus = (body: unknown): body is { status: string; completed: number } =>
	isObject(body) && 'status' in body && 'completed' in body;

const done = ({ documents, errors }: PageJob): number => documents.length + errors.length;

/** Lets a job come as far as the recorded answer to its status has it. */
async function driveJob(
	{ clock, context: { pageJobs } }: Service,
	{ request: { method, path }, response: { body } }: RecordedStep,
	ids: ReadonlyMap<string, string>,
): Promise<void> {
	const [recordedId = ''] = path.match(uuid) ?? [];
	const job = pageJobs.find(ids.get(recordedId) ?? '');
	if (!job || method !== 'GET' || !isStatus(body)) return;
	// The recorded server called a job completed only at its next tick: before that, a page is left here.
	const reached = (): boolean => {
		if (job.status !== 'scraping') return true;
		const known = job.about.source.total + job.errors.length;
		return body.status === 'scraping' && done(job) >= Math.min(body.completed, known - 1);
	};
	while (!reached()) {
		await clock.advance(10);
		// Reading a document takes turns of its own, in which this clock stands still.
		for (let turn = 0; turn < 5; turn++) await nextTurn();
	}
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** The request as this server is to get it: with its own hosts and IDs. */
const translate = (
	{ url }: Service,
	recorded: RecordedRequest,
	ids: ReadonlyMap<string, string>,
): RecordedRequest =>
	JSON.parse(
		JSON.stringify(recorded)
			.replaceAll('http://api.example', url)
			.replaceAll(uuid, (id) => ids.get(id) ?? id),
	);

async function send(service: Service, { method, path, headers, body }: RecordedRequest) {
	const isJson = isObject(body);
	const answered = request(service.url + path, {
		method,
		headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
		body: isJson ? JSON.stringify(body) : body,
	});
	if (path === '/v2/scrape') await drive(service, answered);
	const response = await answered;
	const text = await response.body.text();
	const hasJson = String(response.headers['content-type']).includes('json') && text !== '';
	return { status: response.statusCode, body: hasJson ? (JSON.parse(text) as unknown) : text };
}

/** Moves the clock on until the answer is there, where the page waits beside the request's own timeout. */
async function drive({ clock }: Service, answered: Promise<unknown>): Promise<void> {
	let isAnswered = false;
	void answered.then(() => (isAnswered = true));
	while (!isAnswered) {
		if (clock.waiting >= 2) await clock.advance(5_000);
		await nextTurn();
	}
}

/** Notes which ID of the mock server stands where the recording has one. */
function matchIds(recorded: unknown, actual: unknown, ids: Map<string, string>): void {
	if (typeof recorded === 'string' && typeof actual === 'string') {
		const isId = (text: string) => text.replace(uuid, '') === '' && text !== '';
		if (isId(recorded) && isId(actual) && !ids.has(recorded)) ids.set(recorded, actual);
	}
	if (!isObject(recorded) || !isObject(actual)) return;
	const others = new Map(Object.entries(actual));
	for (const [key, each] of Object.entries(recorded)) matchIds(each, others.get(key), ids);
}

/** Of each type of webhook, how many came and what their bodies have otherwise. */
function webhookDifferences(
	{ context }: Service,
	{ name, webhooks = [], webhooksReceived = {} }: RecordedExchange,
): Replayed[] {
	if (webhooks.length === 0) return [];
	const sent = context.webhooks.deliveries.map(({ body }): RecordedWebhook => JSON.parse(body));
	const types = new Set([...Object.keys(webhooksReceived), ...sent.map(eventOf)]);
	return [...types].sort().map((type) => {
		const ours = sent.filter((each) => eventOf(each) === type);
		const theirs = webhooks.filter((each) => eventOf(each) === type);
		const { [type]: expected = 0 } = webhooksReceived;
		return {
			exchange: `${name} webhooks`,
			endpoint: `webhook ${type}`,
			differences: [
				...(ours.length === expected ? [] : [`count ${expected} → ${ours.length}`]),
				...shapeDifferences([theirs], [ours]),
			],
		};
	});
}

const eventOf = ({ type, success }: RecordedWebhook): string =>
	success ? type : `${type} (success false)`;

/** Differences that stay: an entry covers those that it names, of its endpoint and its exchange, if it has one. */
interface AcceptedDifferences {
	/**
	 * `hosted`: the hosted service behaves otherwise. `lacking`: the recorded machine lacked a part.
	 * `site`: the pages, the time, the order or how much was kept are others. `foreign`: a route that no node
	 * asks for. `simpler`: the mock server does not imitate it, because no request of the nodes depends on it.
	 */
	kind: 'hosted' | 'lacking' | 'site' | 'foreign' | 'simpler';
	reason: string;
	endpoints: string[];
	/** As the replay words them: recorded → mock server. */
	differences: string[];
	exchanges?: string[];
}

/** Judges a replay by the table of differences. */
export function judge(replayed: readonly Replayed[]) {
	const table = readData<AcceptedDifferences[]>('recorded/differences.json');
	const judged = replayed.map(({ endpoint, exchange, differences }) =>
		differences.map((difference) => ({
			name: `${exchange} | ${endpoint} | ${difference}`,
			entry: table.find(
				(each) =>
					each.endpoints.includes(endpoint) &&
					each.differences.includes(difference) &&
					(each.exchanges?.includes(exchange) ?? true),
			),
		})),
	);
	const comparable = judged.filter((found) =>
		found.every(({ entry }) => !entry || entry.kind === 'simpler'),
	);
	const alike = comparable.filter((found) => found.length === 0);
	const all = judged.flat();
	return {
		unexpected: all.filter(({ entry }) => !entry).map(({ name }) => name),
		/** The entries that nothing is covered by any more. */
		stale: table.filter((each) => !all.some(({ entry }) => entry === each)),
		/** Which part of the answers is like the recorded one, of those that the mock server could give at all. */
		agreement: alike.length / comparable.length,
	};
}

function answerDifferences(recorded: Answer, { status, body }: Answer): string[] {
	if (status !== recorded.status) return [`status ${recorded.status} → ${status}`];
	const texts = status < 400 ? [] : textDifferences(recorded.body, body);
	return [...shapeDifferences([recorded.body], [body]), ...texts];
}

/** What differs in keys and types between the values of a place, e.g. `data.web[].position: nothing → number`; the elements of a list count as one. */
function shapeDifferences(
	expected: readonly unknown[],
	actual: readonly unknown[],
	place = '',
): string[] {
	const [was, is] = [expected, actual].map(typesOf);
	const own = was === is ? [] : [`${place || 'body'}: ${was} → ${is}`];
	const [before, after] = [expected, actual].map((values) => values.filter(isRecord));
	const both = before.length > 0 && after.length > 0 ? [...before, ...after] : [];
	const keys = new Set(both.flatMap((each) => Object.keys(each)));
	const inner = [...keys].flatMap((key) => {
		const [theirs, ours] = [before, after].map((objects) =>
			objects.filter((each) => key in each).map((each) => each[key]),
		);
		// A dot in a key is no step down.
		const name = key.replaceAll('.', '·');
		return shapeDifferences(theirs, ours, place === '' ? name : `${place}.${name}`);
	});
	const [theirs, ours] = [expected, actual].map((values) => values.filter(Array.isArray).flat());
	if (theirs.length === 0 || ours.length === 0) return [...own, ...inner];
	return [...own, ...inner, ...shapeDifferences(theirs, ours, `${place}[]`)];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
	isObject(value) && !Array.isArray(value);

const typesOf = (values: readonly unknown[]): string =>
	values.length === 0 ? 'nothing' : [...new Set(values.map(typeOf))].sort().join(' or ');

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'list' : typeof value;
}

/** Where two refusals have other texts, e.g. `details[0].message: other text`, but for IDs of errors and behind where the recording is cut. */
function textDifferences(expected: unknown, actual: unknown, place = ''): string[] {
	if (typeof expected === 'string' && typeof actual === 'string') {
		const [before, after] = [expected, actual].map((text) => text.replace(/Error ID: .*/, ''));
		const same = before.endsWith('…') ? after.startsWith(before.slice(0, -1)) : after === before;
		return same ? [] : [`${place || 'body'}: other text`];
	}
	if (!isObject(expected) || !isObject(actual)) return [];
	const others = new Map(Object.entries(actual));
	return Object.entries(expected).flatMap(([key, each]) =>
		textDifferences(each, others.get(key), place === '' ? key : `${place}.${key}`),
	);
}
