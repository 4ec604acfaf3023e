import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.cjs';
import type { LogEntry } from './requestLog.cjs';

/** Kinds of jobs, as `/team/activity` names them, by the path that does or starts them. */
const endpoints = {
	'/v2/agent': 'agent',
	'/v2/batch/scrape': 'batch_scrape',
	'/v2/browser': 'browser',
	'/v2/crawl': 'crawl',
	'/v2/interact': 'browser',
	'/v2/map': 'map',
	'/v2/parse': 'parse',
	'/v2/scrape': 'scrape',
	'/v2/search': 'search',
} as const;
type JobEndpoint = (typeof endpoints)[keyof typeof endpoints] | 'alexandria';

const isStart = (path: string): path is keyof typeof endpoints => Object.hasOwn(endpoints, path);

/** A job that a request did or started. */
interface ActivityEntry {
	/** The id by which the job can be asked for. */
	id: string;
	teamId: string;
	endpoint: JobEndpoint;
	at: number;
	target: string | null;
}

/** Every team's jobs, in the order of their answers. The request log may be cleared without losing them. */
export class Activity {
	readonly entries: ActivityEntry[] = [];
	/** How many other clients of the team ask for the same at the same moment: their jobs differ by their ids only. */
	lookAlikes = 0;
	readonly ofOthers = new Set<string>();

	constructor(private readonly clock: Clock) {}

	/** Notes the job that a successful request did or started; other requests leave no trace. */
	note({ method, path, teamId, body }: LogEntry, answer: unknown): void {
		const id = jobId(answer);
		if (method !== 'POST' || !isStart(path) || !id || !teamId) return;
		const endpoint: JobEndpoint = isToolCall(body) ? 'alexandria' : endpoints[path];
		const entry = { id, teamId, endpoint, at: this.clock.now(), target: targetOf(body) };
		this.entries.push(entry);
		for (let other = 0; other < this.lookAlikes; other += 1) {
			const otherId = randomUUID();
			this.ofOthers.add(otherId);
			this.entries.push({ ...entry, id: otherId });
		}
	}

	clear(): void {
		this.entries.length = 0;
		this.lookAlikes = 0;
		this.ofOthers.clear();
	}
}

/** The id that an answer names: its own, or that of the scrape whose document it holds. */
function jobId(answer: unknown): string | undefined {
	if (!isObject(answer)) return undefined;
	const { id, scrape_id: toolRun, data } = answer;
	const metadata = isObject(data) && isObject(data.metadata) ? data.metadata : {};
	return [id, toolRun, metadata.scrapeId].find((each) => typeof each === 'string');
}

function isToolCall(body: unknown): boolean {
	return isObject(body) && 'alexandria' in body;
}

function targetOf(body: unknown): string | null {
	if (!isObject(body)) return null;
	const { url, query, prompt, urls } = body;
	const [first]: unknown[] = Array.isArray(urls) ? urls : [];
	return [url, query, prompt, first].find((each) => typeof each === 'string') ?? null;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
