import { once } from 'node:events';
import { request as httpRequest } from 'node:http';

import { readData } from '../data.cjs';
import type { PageJob } from '../pageJobs/job.cjs';
import type { Service } from '../service.cjs';
import type {
	RecordedExchange,
	RecordedPart,
	RecordedRequest,
	RecordedStep,
	RecordedWebhook,
} from './exchanges.cjs';

/** What one answer of the mock server has otherwise than the recorded one. */
export interface Replayed {
	/** Name of the exchange, with the step's number where there are several. */
	exchange: string;
	/** Method and path, with `:id` for IDs and without query; `webhook` and the type for webhooks. */
	endpoint: string;
	differences: string[];
}

/**
 * Sends every request of an exchange to the mock server, in their order, and compares the answers and
 * webhooks with the recorded ones: status, keys and types, and of refusals the texts. IDs of the recording are replaced by those
 * that the mock server gave at the same place. Its clock is held, and driven as far as the recorded
 * answer shows that time passed.
 */
export async function replay(service: Service, exchange: RecordedExchange): Promise<Replayed[]> {
	service.reset();
	service.clock.hold();
	// The recorded machine's team has no feature of a plan.
	service.teams.get('self-hosted').features = [];
	// The events are compared as they are made; nobody listens at the recorded addresses.
	service.context.webhooks.held = true;
	if (beginsLate(exchange)) service.context.pageJobs.paces.set({ earlyMs: 20_000 });
	const ids = new Map<string, string>();
	const replayed: Replayed[] = [];
	for (const [index, step] of exchange.steps.entries()) {
		await driveJob(service, step, ids);
		const { status, body } = await send(service, translate(service, step.request, ids));
		matchIds(step.response.body, body, ids);
		shortenAlternatives(step.response.body, body);
		const { response, request } = step;
		replayed.push({
			exchange: exchange.steps.length > 1 ? `${exchange.name} #${index + 1}` : exchange.name,
			endpoint: endpointOf(request),
			differences:
				status === response.status
					? [
							...shapeDifferences(response.body, body),
							...(status < 400 ? [] : textDifferences(response.body, body)),
						]
					: [`status ${response.status} → ${status}`],
		});
	}
	return [...replayed, ...webhookDifferences(service, exchange)];
}

/** Of a union's branches, the recording has the first ones. */
function shortenAlternatives(recorded: unknown, actual: unknown): void {
	if (!isObject(recorded) || !isObject(actual)) return;
	const others = new Map(Object.entries(actual));
	for (const [key, each] of Object.entries(recorded)) {
		const other: unknown = others.get(key);
		if (key === 'errors' && Array.isArray(each) && Array.isArray(other)) other.splice(each.length);
		shortenAlternatives(each, other);
	}
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function endpointOf({ method, path }: RecordedRequest): string {
	return `${method} ${path.replace(/\?.*/, '').replace(uuid, ':id')}`;
}

/** Lets a job come as far as the recorded answer to its status has it. */
async function driveJob(
	service: Service,
	{ request: { method, path }, response: { body } }: RecordedStep,
	ids: ReadonlyMap<string, string>,
): Promise<void> {
	const [recordedId] = path.match(uuid) ?? [];
	const id = recordedId && ids.get(recordedId);
	const job = id && service.context.pageJobs.find(id);
	if (!job || job === 'expired' || method !== 'GET' || !isStatus(body)) return;
	if (service.context.pageJobs.isEarly(job) && body.completed === 0) return;
	// The recorded server called a job completed only at its next tick: before that, a page is left here.
	const reached = (): boolean => {
		if (job.status !== 'scraping') return true;
		const known = job.about.source.total + job.errors.length;
		return body.status === 'scraping' && done(job) >= Math.min(body.completed, known - 1);
	};
	while (!reached()) {
		await service.clock.advance(10);
		// Reading a document takes turns of its own, in which this clock stands still.
		for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
	}
}

/** Whether the recorded job said that it had completed, and began then. */
function beginsLate({ steps }: RecordedExchange): boolean {
	const states = steps.map(({ response }) => response.body).filter(isStatus);
	const [first] = states;
	return (
		first?.status === 'completed' &&
		first.completed === 0 &&
		states.some(({ completed }) => completed > 0)
	);
}

const done = ({ documents, errors }: PageJob): number => documents.length + errors.length;

function isStatus(body: unknown): body is { status: string; completed: number } {
	return typeof body === 'object' && body !== null && 'status' in body && 'completed' in body;
}

/** The request as this server is to get it: its own hosts and IDs, long texts written out. */
function translate(
	{ url }: Service,
	request: RecordedRequest,
	ids: ReadonlyMap<string, string>,
): RecordedRequest {
	const text = (value: string): string =>
		value
			.replaceAll('http://api.example', url)
			.replaceAll(uuid, (recorded) => ids.get(recorded) ?? recorded);
	const deep = (value: unknown): unknown => {
		if (typeof value === 'string') return text(value);
		if (Array.isArray(value)) return value.map(deep);
		if (typeof value !== 'object' || value === null) return value;
		if ('$repeat' in value && Array.isArray(value.$repeat)) {
			const [part, count] = value.$repeat;
			return String(part).repeat(Number(count));
		}
		return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, deep(each)]));
	};
	return { ...request, path: text(request.path), body: deep(request.body) };
}

/** A body that the recording only describes: this server refuses it by its length, before it came. */
const tooLong = { described: '<JSON of 10.6 MB>', length: 11_000_000 };

async function send(
	service: Service,
	{ method, path, headers = {}, body }: RecordedRequest,
): Promise<{ status: number; body: unknown }> {
	const form = isForm(body) ? new Response(formOf(body.multipart)) : undefined;
	const { hostname, port } = new URL(service.url);
	const sent = httpRequest({
		hostname,
		port,
		method,
		path,
		headers: {
			...(body !== undefined && typeof body !== 'string' && { 'content-type': 'application/json' }),
			...(body === tooLong.described && { 'content-length': tooLong.length }),
			...headers,
			...(form && { 'content-type': form.headers.get('content-type') ?? '' }),
		},
	});
	if (form) sent.end(Buffer.from(await form.arrayBuffer()));
	else if (body === tooLong.described) sent.write('{');
	else if (typeof body === 'string') sent.end(body);
	else sent.end(body === undefined ? undefined : JSON.stringify(body));
	const answered = once(sent, 'response');
	if (takesTime(body)) await drive(service, answered);
	const [response] = await answered;
	const chunks: Buffer[] = [];
	for await (const chunk of response) chunks.push(chunk);
	sent.destroy();
	const text = Buffer.concat(chunks).toString('utf8');
	const isJson = String(response.headers['content-type']).includes('json') && text !== '';
	return { status: response.statusCode, body: isJson ? JSON.parse(text) : text };
}

/** Whether the scrape of a request waits on the clock: for the page, or in an action. */
function takesTime(body: unknown): boolean {
	if (typeof body !== 'object' || body === null || !('url' in body)) return false;
	return 'actions' in body || 'waitFor' in body || String(body.url).includes('/slow');
}

/** Moves the clock on until the answer is there: once the page and the request's own timeout wait. */
async function drive({ clock }: Service, answered: Promise<unknown>): Promise<void> {
	let isAnswered = false;
	void answered.then(() => (isAnswered = true));
	while (!isAnswered) {
		if (clock.waiting >= 2) await clock.advance(5_000);
		await new Promise((resolve) => setImmediate(resolve));
	}
}

function isForm(body: unknown): body is { multipart: RecordedPart[] } {
	return typeof body === 'object' && body !== null && 'multipart' in body;
}

function formOf(parts: readonly RecordedPart[]): FormData {
	const form = new FormData();
	for (const { name, filename, contentType: type, content = '', contentBase64 } of parts) {
		const bytes = contentBase64 === undefined ? content : Buffer.from(contentBase64, 'base64');
		if (filename === undefined) form.append(name, content);
		else form.append(name, new File([bytes], filename, { type }));
	}
	return form;
}

/** Notes which ID of the mock server stands where the recording has one. */
function matchIds(recorded: unknown, actual: unknown, ids: Map<string, string>): void {
	if (typeof recorded === 'string' && typeof actual === 'string') {
		const [before, after] = [recorded, actual].map((text) => text.match(uuid)?.[0]);
		if (before === recorded && after === actual && !ids.has(before)) ids.set(before, after);
		return;
	}
	if (typeof recorded !== 'object' || typeof actual !== 'object' || !recorded || !actual) return;
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
				...(ours.length > 0 && theirs.length > 0 ? shapeDifferences(theirs, ours) : []),
			],
		};
	});
}

const eventOf = ({ type, success }: RecordedWebhook): string =>
	success ? type : `${type} (success false)`;

/** Differences that stay: an entry covers those that it names, of its endpoint and its exchange, if it has one. */
export interface AcceptedDifferences {
	/**
	 * `hosted`: the hosted service behaves otherwise. `lacking`: the recorded machine lacked a part.
	 * `site`: the pages, the time or the order in the replay are others. `foreign`: a route that no node
	 * asks for. `simpler`: the mock server does not imitate it, because no request of the nodes depends on it.
	 */
	kind: 'hosted' | 'lacking' | 'site' | 'foreign' | 'simpler';
	reason: string;
	endpoints: string[];
	/** As the replay words them: recorded → mock server. */
	differences: string[];
	exchanges?: string[];
}

/** The table of differences. */
export const acceptedDifferences = () =>
	readData<AcceptedDifferences[]>('recorded/differences.json');

const isCovered = (entry: AcceptedDifferences, one: Replayed, difference: string): boolean =>
	entry.endpoints.includes(one.endpoint) &&
	entry.differences.includes(difference) &&
	(entry.exchanges?.includes(one.exchange) ?? true);

/** Which part of the responses is like the recorded one, of those that the mock server could give at all. */
export function agreement(
	replayed: readonly Replayed[],
	table: readonly AcceptedDifferences[],
): number {
	const kindsOf = (one: Replayed) =>
		one.differences.map(
			(difference) => table.find((entry) => isCovered(entry, one, difference))?.kind,
		);
	const comparable = replayed.filter((one) =>
		kindsOf(one).every((kind) => kind === undefined || kind === 'simpler'),
	);
	return (
		comparable.filter(({ differences }) => differences.length === 0).length / comparable.length
	);
}

export function judge(replayed: readonly Replayed[], table: readonly AcceptedDifferences[]) {
	const left = table.map(({ reason, endpoints, differences, exchanges = [] }) => ({
		reason,
		parts: new Set([...endpoints, ...differences, ...exchanges]),
	}));
	const unexpected: string[] = [];
	for (const one of replayed) {
		const { endpoint, exchange, differences } = one;
		for (const difference of differences) {
			const index = table.findIndex((entry) => isCovered(entry, one, difference));
			if (index < 0) unexpected.push(`${exchange} | ${endpoint} | ${difference}`);
			else for (const part of [endpoint, exchange, difference]) left[index].parts.delete(part);
		}
	}
	// Parts of entries that no longer occur.
	const stale = left.flatMap(({ reason, parts }) =>
		[...parts].map((part) => `${part} | ${reason}`),
	);
	return { unexpected, stale };
}

/** Types by their place in a body: `data[].title` → `string`. */
type Shape = ReadonlyMap<string, ReadonlySet<string>>;

const deepest = 12;

/**
 * What differs in keys and types between two bodies, e.g. `data.web[].position: nothing → number`. The
 * elements of a list count as one; a list that is empty on one side says nothing about its elements. Of
 * a missing key only the key is named, not what it holds.
 */
function shapeDifferences(expected: unknown, actual: unknown): string[] {
	const before = shapeOf(expected);
	const after = shapeOf(actual);
	const places = [...new Set([...before.keys(), ...after.keys()])].sort();
	return places.flatMap((place) => {
		if (place !== '' && !(isWithin(before, place) && isWithin(after, place))) return [];
		const [was, is] = [before, after].map((shape) => typesAt(shape, place));
		if (was === is) return [];
		if (place.endsWith('[]') && (was === nothing || is === nothing)) return [];
		return [`${place || 'body'}: ${was} → ${is}`];
	});
}

/**
 * Where two refusals have other texts at the same place, e.g. `details[0].message: other text`. IDs of errors
 * are opaque, and a text that the recording has cut off is compared up to there.
 */
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

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const nothing = 'nothing';

function typesAt(shape: Shape, place: string): string {
	const types = shape.get(place);
	return types ? [...types].sort().join(' or ') : nothing;
}

/** Whether a body has the list or object that the place belongs to. */
function isWithin(shape: Shape, place: string): boolean {
	const [parent, type] = place.endsWith('[]')
		? [place.slice(0, -2), 'list']
		: [place.slice(0, Math.max(0, place.lastIndexOf('.'))), 'object'];
	return shape.get(parent)?.has(type) ?? false;
}

function shapeOf(body: unknown): Shape {
	const types = new Map<string, Set<string>>();
	const visit = (value: unknown, place: string, depth: number): void => {
		types.set(place, (types.get(place) ?? new Set()).add(typeOf(value)));
		if (depth === 0 || typeof value !== 'object' || value === null) return;
		if (Array.isArray(value)) {
			for (const each of value) visit(each, `${place}[]`, depth - 1);
			return;
		}
		for (const [key, each] of Object.entries(value)) {
			// A dot in a key is no step down.
			const name = key.replaceAll('.', '·');
			visit(each, place === '' ? name : `${place}.${name}`, depth - 1);
		}
	};
	visit(body, '', deepest);
	return types;
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'list' : typeof value;
}
