import { randomUUID } from 'node:crypto';

import type { Context } from '../context.cjs';
import { ApiError } from '../errors.cjs';
import { extract, type Readable } from '../scrape/jsonFormat.cjs';
import { answer, noAnswer } from '../scrape/readings.cjs';
import { wordsOf } from '../search/textIndex.cjs';
import type { ExchangeDecision } from './approvals.cjs';
import type { AgentJob, Result, Task } from './job.cjs';
import type { AgentIdentity, Occurrence, Outcome, TraceError } from './trace.cjs';

/** An event of a run. */
export interface Step {
	agent: AgentIdentity;
	occurrence: Occurrence;
	/** Content of the artifact that the event names. */
	content?: string;
}

/** How a run ends by itself. */
export interface Ending {
	outcome: Outcome;
	error?: TraceError;
	result?: Result;
	/** What is billed for the run if it is billed. */
	price: number;
}

interface ReadPage {
	url: string;
	title: string;
	content: Readable;
}

const thinking = { low: 10, medium: 20, high: 40 };
const pagesToRead = { low: 2, medium: 3, high: 5 };
const perPage = 6;

/** Does the work of a run: it reads pages, and fills its result from them. Every run goes the same way. */
export async function workOut(
	context: Context,
	job: AgentJob,
	decision: ExchangeDecision | undefined,
): Promise<{ steps: Step[]; ending: Ending }> {
	const { task, teamId, behaviour, free } = job.about;
	const { effort = 'medium', maxCredits, prompt } = task;
	const query = longestWords(prompt);
	const urls = task.strict ? (task.urls ?? []) : [...(task.urls ?? []), ...find(context, query)];
	const wanted = [...new Set(urls)].slice(0, Math.max(pagesToRead[effort], task.urls?.length ?? 0));
	const read = await Promise.all(wanted.map((url) => readPage(context, task, teamId, url)));
	const pages = read.flatMap((page) => page ?? []);
	const paid = decision?.summary.creditsUsed ?? 0;
	const price = thinking[effort] + perPage * pages.length + paid;
	const limited = behaviour.outcome === 'credit_limit_reached' || price > maxCredits;
	const outcome = limited ? 'credit_limit_reached' : behaviour.outcome;
	const ending: Ending = {
		outcome,
		error: errorOf(job, outcome),
		...((limited || outcome === 'succeeded') && {
			result: resultOf(task, limited ? pages.slice(0, 1) : pages),
		}),
		price: free ? (limited ? 0 : paid) : Math.min(price, maxCredits),
	};
	return { steps: stepsOf(job, query, pages, ending), ending };
}

/** What the agent searches for. */
function longestWords(prompt: string): string {
	const words = [...new Set(wordsOf(prompt))].sort((a, b) => b.length - a.length);
	return words.slice(0, 3).join(' ');
}

/** The addresses of pages that fit. The agent has no patience with slow pages and documents. */
function find({ search }: Context, query: string): string[] {
	const [longest = ''] = query.split(' ');
	const found = [query, longest].map((terms) =>
		search
			.findPages(
				{ terms, conditions: [] },
				{
					accepts: ({ explicit, delayMs, processingMs }) => !explicit && !delayMs && !processingMs,
				},
			)
			.map(({ item }) => item.url),
	);
	return query === '' ? [] : found.flat().slice(0, 10);
}

/** A page as the agent reads it; undefined for one that cannot be read. */
async function readPage(
	{ scraper, teams }: Context,
	{ threatProtection }: Task,
	teamId: string,
	url: string,
): Promise<ReadPage | undefined> {
	const formats = (['markdown', 'rawHtml', 'links', 'images'] as const).map((type) => ({ type }));
	try {
		const { document } = await scraper.scrape({
			url,
			options: { formats, threatProtection },
			team: teams.get(teamId),
			zdr: false,
		});
		const { markdown, rawHtml = '', links = [], images = [] } = document;
		const metadata = { 'og:url': document.metadata.url, ...document.metadata };
		if (metadata.statusCode >= 400) return undefined;
		const content: Readable = { html: rawHtml, markdown: markdown ?? '', metadata, links, images };
		return { url: metadata.url, title: metadata.title ?? url, content };
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		return undefined;
	}
}

function errorOf(
	{ about: { behaviour, task } }: AgentJob,
	outcome: Outcome,
): TraceError | undefined {
	const { error } = behaviour;
	if (outcome === 'credit_limit_reached') {
		const message = `Agent reached its credit limit of ${task.maxCredits} credits (maxCredits).`;
		return { code: outcome, source: 'billing', retryable: false, message };
	}
	if (outcome === 'refused') {
		const message = error ?? 'The agent refused this task.';
		return { code: outcome, source: 'agent', retryable: false, message };
	}
	if (outcome === 'succeeded') return undefined;
	const message = error ?? 'The agent failed unexpectedly.';
	return { code: 'internal', source: 'agent', retryable: true, message };
}

function resultOf(task: Task, pages: readonly ReadPage[]): Result {
	const { mode, schema, prompt } = task;
	const sources = pages.map(({ url, title }) => ({ url, title }));
	const answers = pages.map(({ content }) => answer(content.markdown, prompt));
	const best = answers.find((each) => each !== noAnswer) ?? 'Nothing was found about this.';
	const free = mode === 'chat' ? null : { answer: best, findings: findings(pages), sources };
	return {
		data: schema ? filled(schema, pages) : free,
		message:
			mode === 'chat'
				? [best, ...sources.map(({ url, title }) => `- [${title}](${url})`)].join('\n')
				: null,
		suggestions:
			mode === 'chat'
				? sources.map(({ url, title }) => ({ label: title, prompt: `Tell me more about ${url}.` }))
				: [],
	};
}

const findings = (pages: readonly ReadPage[]): object[] =>
	pages.map(({ url, title, content }) => ({
		url,
		title,
		summary: content.metadata.description ?? title,
	}));

type Schema = Record<string, unknown>;
const nothing: Readable = { html: '', markdown: '', metadata: {}, links: [], images: [] };

/** A list of objects has one for every page, any other property is the first page's that knows it. */
function filled(schema: Schema, pages: readonly ReadPage[]): unknown {
	const { properties, items } = schema;
	const contents = pages.length > 0 ? pages.map(({ content }) => content) : [nothing];
	if (isObject(items) && isObject(items.properties)) {
		return pages.map(({ content }) => extract(content, items, undefined));
	}
	if (!isObject(properties)) return extract(contents[0], schema, undefined);
	return Object.fromEntries(
		Object.entries(properties).map(([name, each]) => {
			if (isObject(each) && isObject(each.items)) return [name, filled(each, pages)];
			const values = contents.map((content) => {
				const one = extract(content, { type: 'object', properties: { [name]: each } }, undefined);
				return isObject(one) ? one[name] : null;
			});
			return [name, values.find((value) => value !== null && value !== noAnswer) ?? values[0]];
		}),
	);
}

function isObject(value: unknown): value is Schema {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Search by the orchestrator, each page by a sub-agent with a browser, then the result. */
function stepsOf(
	job: AgentJob,
	query: string,
	pages: readonly ReadPage[],
	{ outcome, error, result }: Ending,
): Step[] {
	const role = 'orchestrator';
	const orchestrator: AgentIdentity = { id: `${job.id}-0`, role, name: role };
	const system = systemOf(job);
	const given = pages.filter(({ url }) => job.about.task.urls?.includes(url));
	const others = pages.filter((page) => !given.includes(page));
	const urls = others.map(({ url }) => url);
	const report = (phase: 'planning' | 'finalizing', message: string): Step =>
		step(orchestrator, { type: 'progress.reported', phase, message });
	const end = { durationMs: job.about.behaviour.durationMs, error: error ?? null, outcome };
	const readers = (read: readonly ReadPage[]): Step[] =>
		read.flatMap((page) => readerSteps(job, orchestrator, page, pages.indexOf(page) + 1));
	return [
		step(system, { type: 'run.started' }),
		step(orchestrator, { type: 'agent.started' }),
		report('planning', 'Planning the research'),
		step(orchestrator, { type: 'reasoning.summary', text: 'Read, then answer.' }),
		artifact(orchestrator, { kind: 'json', change: 'init', path: 'result.json' }, 'null'),
		...readers(given),
		...toolCall(orchestrator, 'search', { query }, { urls }).steps,
		...readers(others),
		report('finalizing', 'Writing the result'),
		...(result ? [resultStep(orchestrator, result)] : []),
		...(error ? [step(orchestrator, { type: 'error.occurred', error })] : []),
		step(orchestrator, { type: 'agent.finished', ...end }),
		step(system, { type: 'run.finished', outcome, error: error ?? null }),
	];
}

const step = (agent: AgentIdentity, occurrence: Occurrence): Step => ({ agent, occurrence });

/** The producer of the run's own events. */
export const systemOf = ({ id }: AgentJob): AgentIdentity => ({
	id: `${id}-system`,
	role: 'system',
	name: 'run',
});

function readerSteps(
	job: AgentJob,
	{ id: parentId }: AgentIdentity,
	{ url, title, content }: ReadPage,
	number: number,
): Step[] {
	const id = `${job.id}-${number}`;
	const reader: AgentIdentity = { id, role: 'subagent', name: `reader ${number}`, parentId };
	const browser: AgentIdentity = { ...reader, id: `${id}-browser`, role: 'browser', parentId: id };
	const sessionId = randomUUID();
	const durationMs = 100;
	const call = toolCall(reader, 'scrape', { url }, { title });
	const page = { kind: 'markdown', change: 'init', path: `pages/${number}.md` } as const;
	const end = { outcome: 'succeeded', durationMs, error: null } as const;
	return [
		step(reader, { type: 'agent.started' }),
		step(browser, { type: 'browser.session.started', sessionId }),
		...call.steps,
		artifact(reader, { ...page, sourceToolCallId: call.id }, content.markdown),
		step(browser, { type: 'browser.session.finished', sessionId, durationMs }),
		step(reader, { type: 'agent.finished', ...end }),
	];
}

function toolCall(
	agent: AgentIdentity,
	toolName: string,
	parameters: unknown,
	result: unknown,
): { id: string; steps: Step[] } {
	const id = randomUUID();
	const call = { toolCallId: id, toolName };
	const started = step(agent, { type: 'tool_call.started', ...call, parameters });
	return { id, steps: [started, step(agent, { type: 'tool_call.finished', ...call, result })] };
}

function resultStep(agent: AgentIdentity, { data, message }: Result): Step {
	const content = data ?? { message };
	const counted = Array.isArray(content)
		? { itemCount: content.length }
		: { changedFields: Object.keys(content) };
	const about = { kind: 'json', change: 'update', path: 'result.json', ...counted } as const;
	return artifact(agent, about, JSON.stringify(content));
}

type About = Omit<
	Extract<Occurrence, { type: 'artifact.updated' }>['artifact'],
	'artifactId' | 'snapshotId'
>;

function artifact(
	agent: AgentIdentity,
	{ kind, path, change, ...more }: About,
	content: string,
): Step {
	const artifactId = path.replace(/\.\w+$/, '');
	const named = { artifactId, kind, path, snapshotId: randomUUID(), change, ...more };
	return { agent, occurrence: { type: 'artifact.updated', artifact: named }, content };
}
