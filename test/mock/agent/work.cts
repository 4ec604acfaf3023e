import { randomUUID } from 'node:crypto';

import type { SitePage } from '../site/site.cjs';
import type { Context } from '../context.cjs';
import { readData } from '../data.cjs';
import { ApiError } from '../errors.cjs';
import { answer, extract, noAnswer, type Readable } from '../scrape/readings.cjs';
import { wordsOf } from '../search/textIndex.cjs';
import {
	type AgentJob,
	type JobFacts,
	type Outcome,
	type Result,
	type Step,
	type Task,
} from './job.cjs';

/** How a run ends by itself. */
export interface Ending {
	outcome: Outcome;
	error?: TraceError;
	result?: Result;
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
): Promise<{ steps: Step[]; ending: Ending }> {
	const { task, teamId, behaviour, free } = job.about;
	const { effort = 'medium', maxCredits, prompt } = task;
	const query = longestWords(prompt);
	const urls = task.strict ? (task.urls ?? []) : [...(task.urls ?? []), ...find(context, query)];
	const wanted = [...new Set(urls)].slice(0, Math.max(pagesToRead[effort], task.urls?.length ?? 0));
	const read = await Promise.all(wanted.map((url) => readPage(context, teamId, url)));
	const pages = read.flatMap((page) => page ?? []);
	const price = thinking[effort] + perPage * pages.length;
	const limited = behaviour.outcome === 'credit_limit_reached' || price > maxCredits;
	const outcome = limited ? 'credit_limit_reached' : behaviour.outcome;
	const ending: Ending = {
		outcome,
		error: errorOf(job.about, outcome),
		...((limited || outcome === 'succeeded') && {
			result: resultOf(task, limited ? pages.slice(0, 1) : pages),
		}),
		price: free ? 0 : Math.min(price, maxCredits),
	};
	return { steps: stepsOf(job, query, pages, ending), ending };
}

function longestWords(prompt: string): string {
	const words = [...new Set(wordsOf(prompt))].sort((a, b) => b.length - a.length);
	return words.slice(0, 3).join(' ');
}

/** The addresses of pages that fit. The agent has no patience with slow pages and documents. */
function find({ search }: Context, query: string): string[] {
	const [longest = ''] = query.split(' ');
	const accepts = ({ explicit, delayMs, processingMs }: SitePage) =>
		!explicit && !delayMs && !processingMs;
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
		const { document } = await scraper.scrape({
			url,
			options: { formats },
			team: teams.get(teamId),
		});
		const { markdown, links = [], images = [] } = document;
		const metadata = { 'og:url': document.metadata.url, ...document.metadata };
		if (metadata.statusCode >= 400) return undefined;
		const content: Readable = { markdown: markdown ?? '', metadata, links, images };
		return { url: metadata.url, title: metadata.title ?? url, content };
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

export type TraceError = NonNullable<ReturnType<typeof errorOf>>;

/** Why a run ended as it did; undefined for one that succeeded. */
export function errorOf({ behaviour, task }: JobFacts, outcome: Outcome) {
	if (outcome === 'succeeded') return undefined;
	const [code, source, retryable, usual] = causes[outcome];
	const atLimit = `Agent reached its credit limit of ${task.maxCredits} credits (maxCredits).`;
	const message = outcome === 'credit_limit_reached' ? atLimit : (behaviour.error ?? usual);
	return { code, source, retryable, message };
}

function resultOf({ mode, schema, prompt }: Task, pages: readonly ReadPage[]): Result {
	const sources = pages.map(({ url, title }) => ({ url, title }));
	const answers = pages.map(({ content }) => answer(content.markdown, prompt));
	const best = answers.find((each) => each !== noAnswer) ?? 'Nothing was found about this.';
	const findings = pages.map(({ url, title, content }) => ({
		url,
		title,
		summary: content.metadata.description ?? title,
	}));
	const read = together(pages.map(({ content }) => content));
	const data = schema && extract(read, schema, undefined);
	if (mode !== 'chat') {
		return { data: data ?? { answer: best, findings, sources }, message: null, suggestions: [] };
	}
	return {
		data: data ?? null,
		message: [best, ...sources.map(({ url, title }) => `- [${title}](${url})`)].join('\n'),
		suggestions: sources.map(({ url, title }) => ({
			label: title,
			prompt: `Tell me more about ${url}.`,
		})),
	};
}

/** Several pages read as one, which says about itself what the first does. */
const together = (contents: readonly Readable[]): Readable => ({
	markdown: contents.map(({ markdown }) => markdown).join('\n\n'),
	metadata: contents.at(0)?.metadata ?? {},
	links: contents.flatMap(({ links }) => links),
	images: contents.flatMap(({ images }) => images),
});

/** The parts of every trace; a text with `$` stands for a value of the run. */
const parts =
	readData<
		Record<
			'start' | 'search' | 'page' | 'writing' | 'result' | 'failure' | 'cancel' | 'end',
			Step[]
		>
	>('data/agentTrace.json');

/** A part of the trace with its values; `content` is that of the artifact in it. */
export function told(
	part: keyof typeof parts,
	values: Record<string, unknown>,
	content?: string,
): Step[] {
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
	{ about }: AgentJob,
	query: string,
	pages: readonly ReadPage[],
	{ outcome, error, result }: Ending,
): Step[] {
	const isGiven = ({ url }: ReadPage) => about.task.urls?.includes(url) === true;
	const others = pages.filter((page) => !isGiven(page));
	const reading = (page: ReadPage): Step[] => {
		const { url, title, content } = page;
		const number = pages.indexOf(page) + 1;
		const names = { reader: `reader ${number}`, browser: `browser ${number}` };
		const file = { page: `pages/${number}`, path: `pages/${number}.md` };
		return told('page', { url, title, ...names, ...file }, content.markdown);
	};
	const content = result && (result.data ?? { message: result.message });
	const changed = Array.isArray(content)
		? { itemCount: content.length }
		: { changedFields: Object.keys(Object(content)) };
	const { durationMs } = about.behaviour;
	return [
		...told('start', {}, 'null'),
		...pages.filter(isGiven).flatMap(reading),
		...told('search', { query, urls: others.map(({ url }) => url) }),
		...others.flatMap(reading),
		...told('writing', {}),
		...(content ? told('result', changed, JSON.stringify(content)) : []),
		...(error ? told('failure', { error }) : []),
		...told('end', { outcome, durationMs, error: error ?? null }),
	];
}
