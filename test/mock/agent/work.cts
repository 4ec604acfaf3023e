import { randomUUID } from 'node:crypto';

import type { SitePage } from '../site/site.cjs';
import type { Context } from '../context.cjs';
import { readData } from '../data.cjs';
import { ApiError } from '../errors.cjs';
import { answer, extract, noAnswer, type Readable } from '../scrape/readings.cjs';
import { wordsOf } from '../search/textIndex.cjs';
import type { AgentJob, JobFacts, Outcome, Result, Step, Task, TraceError } from './job.cjs';

/** How a run ends by itself. */
export interface Ending {
	outcome: Outcome;
	result?: Result;
	price: number;
}

interface ReadPage extends Readable {
	url: string;
	title: string;
}

const thinking = { low: 10, medium: 20, high: 40 };
const pagesToRead = { low: 2, medium: 3, high: 5 };
const perPage = 6;

/** Does the work of a run: it reads pages, and fills its result from them. Every run goes the same way. */
export async function workOut(
	context: Context,
	{ about }: AgentJob,
): Promise<{ steps: Step[]; ending: Ending }> {
	const { task, teamId, behaviour, free } = about;
	const { effort = 'medium', maxCredits, prompt, urls: given = [] } = task;
	const query = longestWords(prompt);
	const urls = [...new Set([...given, ...(task.strict ? [] : find(context, query))])];
	const wanted = urls.slice(0, Math.max(pagesToRead[effort], given.length));
	const read = await Promise.all(wanted.map((url) => readPage(context, teamId, url)));
	const pages = read.flatMap((page) => page ?? []);
	const price = thinking[effort] + perPage * pages.length;
	const outcome = price > maxCredits ? 'credit_limit_reached' : behaviour.outcome;
	const limited = outcome === 'credit_limit_reached';
	const result =
		limited || outcome === 'succeeded'
			? resultOf(task, limited ? pages.slice(0, 1) : pages)
			: undefined;
	const ending = { outcome, result, price: free ? 0 : Math.min(price, maxCredits) };
	return { steps: stepsOf(about, query, pages, ending), ending };
}

function longestWords(prompt: string): string {
	const words = [...new Set(wordsOf(prompt))].sort((a, b) => b.length - a.length);
	return words.slice(0, 3).join(' ');
}

/** The addresses of pages that fit. The agent has no patience with slow pages and documents. */
function find({ search }: Context, query: string): string[] {
	const [longest = ''] = query.split(' ');
	const accepts = ({ delayMs, processingMs }: SitePage) => !delayMs && !processingMs;
	const found = [query, longest].flatMap((terms) => search.findPages(terms, { accepts }));
	return query === '' ? [] : found.slice(0, 10).map(({ item }) => item.url);
}

/** A page as the agent reads it; undefined for one that cannot be read. */
async function readPage(
	{ scraper, teams }: Context,
	teamId: string,
	url: string,
): Promise<ReadPage | undefined> {
	const formats = (['markdown', 'links', 'images'] as const).map((type) => ({ type }));
	try {
		const task = { url, options: { formats }, team: teams.get(teamId) };
		const { document } = await scraper.scrape(task);
		const { markdown, links = [], images = [], metadata } = document;
		if (metadata.statusCode >= 400) return undefined;
		const about = { url: metadata.url, title: metadata.title ?? url };
		return { ...about, markdown: markdown ?? '', metadata, links, images };
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		return undefined;
	}
}

/** Code, source, whether to try again, and the usual words. */
const causes = {
	failed: ['internal', 'agent', true, 'The agent failed unexpectedly.'],
	cancelled: ['cancelled', 'system', false, 'Agent was cancelled.'],
	refused: ['refused', 'agent', false, 'The agent refused this task.'],
	credit_limit_reached: ['credit_limit_reached', 'billing', false, ''],
} as const;

/** Why a run ended as it did; null for one that succeeded. */
export function errorOf({ behaviour, task }: JobFacts, outcome: Outcome): TraceError | null {
	if (outcome === 'succeeded') return null;
	const [code, source, retryable, usual] = causes[outcome];
	const atLimit = `Agent reached its credit limit of ${task.maxCredits} credits (maxCredits).`;
	const message = outcome === 'credit_limit_reached' ? atLimit : (behaviour.error ?? usual);
	return Object.assign({ code, source, retryable }, { message });
}

function resultOf({ mode, schema, prompt }: Task, pages: readonly ReadPage[]): Result {
	const answers = pages.map(({ markdown }) => answer(markdown, prompt));
	const best = answers.find((each) => each !== noAnswer) ?? 'Nothing was found about this.';
	const sources = pages.map(({ url, title }) => ({ url, title }));
	const data = schema && extract(together(pages), schema, undefined);
	if (mode === 'chat') {
		return {
			data: data ?? null,
			message: [best, ...sources.map(({ url, title }) => `- [${title}](${url})`)].join('\n'),
		};
	}
	const findings = pages.map(({ url, title, metadata }) => ({
		...{ url, title },
		summary: metadata.description ?? title,
	}));
	return { data: data ?? { answer: best, findings, sources } };
}

/** Several pages read as one, which says about itself what the first does. */
const together = (pages: readonly ReadPage[]): Readable => ({
	markdown: pages.map(({ markdown }) => markdown).join('\n\n'),
	metadata: { 'og:url': pages.at(0)?.url, ...pages.at(0)?.metadata },
	links: pages.flatMap(({ links }) => links),
	images: pages.flatMap(({ images }) => images),
});

type Part = 'start' | 'search' | 'page' | 'writing' | 'result' | 'failure' | 'cancel' | 'end';

/** The parts of every trace; a text with `$` stands for a value of the run. */
const parts = readData<Record<Part, Step[]>>('data/agentTrace.json');

/** A part of the trace with its values; `content` is that of the artifact in it. */
export function told(part: Part, values: Record<string, unknown>, content?: string): Step[] {
	const ids = { snapshot: randomUUID(), call: randomUUID(), session: randomUUID() };
	const all = new Map<string, unknown>(Object.entries({ ...ids, ...values }));
	const json = JSON.stringify(parts[part], (_key, value: unknown) =>
		typeof value === 'string' && value.startsWith('$') ? all.get(value.slice(1)) : value,
	);
	const steps: Step[] = JSON.parse(json);
	return steps.map((step) => ({ ...step, content }));
}

/** Search by the orchestrator, each page by a sub-agent with a browser, then the result. */
function stepsOf(
	about: JobFacts,
	query: string,
	pages: readonly ReadPage[],
	{ outcome, result }: Ending,
): Step[] {
	const isGiven = ({ url }: ReadPage) => about.task.urls?.includes(url) === true;
	const others = pages.filter((page) => !isGiven(page));
	const reading = (page: ReadPage): Step[] => {
		const { url, title, markdown } = page;
		const number = pages.indexOf(page) + 1;
		const names = { reader: `reader ${number}`, browser: `browser ${number}` };
		const file = { page: `pages/${number}`, path: `pages/${number}.md` };
		return told('page', { url, title, ...names, ...file }, markdown);
	};
	const content = result && (result.data ?? { message: result.message });
	const changed = Array.isArray(content)
		? { itemCount: content.length }
		: { changedFields: Object.keys(Object(content)) };
	const { durationMs } = about.behaviour;
	const error = errorOf(about, outcome);
	return [
		...told('start', {}, 'null'),
		...pages.filter(isGiven).flatMap(reading),
		...told('search', { query, urls: others.map(({ url }) => url) }),
		...others.flatMap(reading),
		...told('writing', {}),
		...(content ? told('result', changed, JSON.stringify(content)) : []),
		...(error ? told('failure', { error }) : []),
		...told('end', { outcome, durationMs, error }),
	];
}
