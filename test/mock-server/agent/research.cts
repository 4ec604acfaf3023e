import type { SitePage } from '../../site/site.cjs';
import type { Context } from '../context.cjs';
import { ApiError } from '../errors.cjs';
import type { Readable } from '../scrape/jsonFormat.cjs';
import type { ParsedQuery } from '../search/queryOperators.cjs';
import { wordsOf } from '../search/textIndex.cjs';
import type { Team } from '../teams.cjs';
import type { Task } from './job.cjs';

/** A page that the agent read. */
export interface ReadPage {
	url: string;
	title: string;
	content: Readable;
	/** What scraping it cost. */
	credits: number;
}

/** One thing that the agent did to find out. */
export type Step =
	| { kind: 'search'; query: string; urls: string[] }
	| { kind: 'read'; page: ReadPage }
	| { kind: 'unreadable'; url: string; why: string };

/** Pages that a run reads, by its effort; without one it is a medium run. */
const pagesToRead = { low: 2, medium: 3, high: 5 };
const thinking = { low: 10, medium: 20, high: 40 };
const reading = 4;
const searching = 2;

/** The dynamic price: for thinking by effort, for every search, and for every page beside its scrape. */
export function priceOf(task: Task, steps: readonly Step[]): number {
	return steps.reduce((sum, step) => sum + stepPrice(step), thinking[task.effort ?? 'medium']);
}

function stepPrice(step: Step): number {
	if (step.kind === 'search') return searching;
	return step.kind === 'read' ? step.page.credits + reading : 0;
}

/** The first steps that `maxCredits` pays for; the last page read is never among them. */
export function affordable(task: Task, steps: readonly Step[]): Step[] {
	const lastRead = steps.map(({ kind }) => kind).lastIndexOf('read');
	const kept = steps.slice(0, Math.max(0, lastRead));
	while (kept.length > 0 && priceOf(task, kept) > task.maxCredits) kept.pop();
	return kept;
}

/** The pages among the steps, in the order of reading. */
export function pagesOf(steps: readonly Step[]): ReadPage[] {
	return steps.flatMap((step) => (step.kind === 'read' ? [step.page] : []));
}

/**
 * Searches the small web and reads its pages: the addresses given, then what searches find, up to the
 * effort's number of pages. `next` is the page that would have come then.
 */
export async function research(
	context: Context,
	task: Task,
	team: Team,
): Promise<{ steps: Step[]; next?: string }> {
	const steps: Step[] = [];
	const wanted = Math.max(pagesToRead[task.effort ?? 'medium'], task.urls?.length ?? 0);
	const seen = new Set<string>();
	const read = async (url: string): Promise<void> => {
		seen.add(url);
		steps.push(await readPage(context, task, team, url));
	};

	for (const url of new Set(task.urls)) await read(url);
	if (task.strict && task.urls) return { steps };
	for (const query of queries(task.prompt)) {
		const urls = find(context, query);
		steps.push({ kind: 'search', query, urls });
		for (const url of urls.filter((each) => !seen.has(each))) {
			if (pagesOf(steps).length >= wanted) return { steps, next: url };
			await read(url);
		}
	}
	return { steps };
}

/** Words of a task that say what to do and not what about. */
const orders = new Set(
	(
		'answer article articles collect compare describe each explain extract fetch find get give list look ' +
		'name page pages please return say search sell site show summarise summarize tell url web website write ' +
		'does http https its one them which'
	).split(' '),
);

/** What the agent searches for: the task's own words, fewer of them each time; at most four searches. */
function queries(prompt: string): string[] {
	const words = [...new Set(wordsOf(prompt))].filter((word) => !orders.has(word)).slice(0, 12);
	const byLength = [...words].sort((a, b) => b.length - a.length);
	const tries = [words, byLength.slice(0, 3), byLength.slice(0, 1), byLength.slice(1, 2)];
	return [...new Set(tries.map((each) => each.join(' ')))].filter((text) => text !== '');
}

function find({ search, unsupportedHosts }: Context, terms: string): string[] {
	const query: ParsedQuery = { terms, conditions: [], related: [] };
	const accepts = ({ host, explicit, delayMs }: SitePage): boolean =>
		!explicit && !delayMs && !unsupportedHosts.has(host);
	return search
		.findPages(query, { accepts })
		.slice(0, 10)
		.map(({ item }) => item.url);
}

/** The agent has no patience with a page whose server is slow: its work must not depend on the clock. */
async function readPage(context: Context, task: Task, team: Team, url: string): Promise<Step> {
	if (context.site.find(url)?.delayMs) {
		return { kind: 'unreadable', url, why: 'The page did not answer in time' };
	}
	const { threatProtection } = task;
	try {
		const { document, credits } = await context.scraper.scrape({
			url,
			options: {
				formats: (['markdown', 'rawHtml', 'links', 'images'] as const).map((type) => ({ type })),
				...(threatProtection && { threatProtection }),
			},
			team,
			zdr: false,
		});
		const { markdown, rawHtml = '', links = [], images = [] } = document;
		// A file has no tag that names its address.
		const metadata = { 'og:url': document.metadata.url, ...document.metadata };
		if (metadata.statusCode >= 400)
			return { kind: 'unreadable', url, why: `Status ${metadata.statusCode}` };
		const content: Readable = { html: rawHtml, markdown: markdown ?? '', metadata, links, images };
		return {
			kind: 'read',
			page: { url: metadata.url, title: metadata.title ?? url, content, credits },
		};
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		return { kind: 'unreadable', url, why: error.message };
	}
}
