import { ApiError } from '../errors.cjs';
import { extract, type Readable } from '../scrape/jsonFormat.cjs';
import { answer, summary } from '../scrape/readings.cjs';
import type { Result, Task } from './job.cjs';
import type { ReadPage } from './research.cjs';

type Schema = Record<string, unknown>;

/** A paid call's outcome, as the free form of the result shows it. */
export interface ToolData {
	provider: string;
	capability: string;
	data: unknown;
}

const nothing: Readable = { html: '', markdown: '', metadata: {}, links: [], images: [] };
const noAnswer = 'The page does not answer this.';

/** What the pages say to the task: `data` by mode and schema, an answer in words, and follow-ups. */
export function resultOf(
	task: Task,
	pages: readonly ReadPage[],
	tools: readonly ToolData[],
): Result {
	const chat = task.mode === 'chat';
	return {
		data: chat && !task.schema ? null : dataOf(task, pages, tools),
		message: chat ? messageOf(task, pages, tools) : null,
		suggestions: chat ? suggestionsOf(pages) : [],
	};
}

/** The structured result: the schema filled, or a free object. Throws 422 for a schema it cannot fill. */
export function dataOf(
	task: Task,
	pages: readonly ReadPage[],
	tools: readonly ToolData[] = [],
): unknown {
	if (task.schema) return fillFrom(task.schema, pages);
	return {
		answer: bestAnswer(task.prompt, pages),
		findings: pages.map(({ url, title, content }) => ({
			url,
			title,
			summary: summary(content.markdown),
		})),
		sources: pages.map(({ url, title }) => ({ url, title })),
		...(tools.length > 0 && { tools }),
	};
}

/**
 * Fills a schema from several pages: a list of objects has one for every page, any other property is
 * the first page's that knows it.
 */
export function fillFrom(schema: Schema, pages: readonly ReadPage[]): unknown {
	const contents = pages.length > 0 ? pages.map(({ content }) => content) : [nothing];
	const items = objectItems(schema);
	if (items) return pages.map(({ content }) => extract(content, items, undefined));
	const { properties } = schema;
	if (!isObject(properties)) return extract(contents[0], schema, undefined);
	return Object.fromEntries(
		Object.entries(properties).map(([name, each]) => {
			if (isObject(each) && objectItems(each)) return [name, fillFrom(each, pages)];
			const values = contents.map((content) => property(content, name, each));
			return [name, values.find(isKnown) ?? values[0]];
		}),
	);
}

function property(content: Readable, name: string, schema: unknown): unknown {
	const filled = extract(content, { type: 'object', properties: { [name]: schema } }, undefined);
	return isObject(filled) ? filled[name] : null;
}

/** The schema of a list's items when they are objects. */
function objectItems({ type, items }: Schema): Schema | undefined {
	if (type !== 'array' && type !== undefined) return undefined;
	return isObject(items) && (items.type === 'object' || isObject(items.properties))
		? items
		: undefined;
}

function isKnown(value: unknown): boolean {
	return value !== null && value !== noAnswer && !(Array.isArray(value) && value.length === 0);
}

function bestAnswer(prompt: string, pages: readonly ReadPage[]): string {
	const answers = pages.map(({ content }) => answer(content.markdown, prompt));
	return answers.find(isKnown) ?? 'Nothing was found about this.';
}

function messageOf(task: Task, pages: readonly ReadPage[], tools: readonly ToolData[]): string {
	const sources = pages.map(({ url, title }) => `- [${title}](${url})`);
	const called = tools.map(({ provider, capability }) => `- ${provider}/${capability}`);
	return [bestAnswer(task.prompt, pages), ...sources, ...called].join('\n');
}

function suggestionsOf(pages: readonly ReadPage[]): Result['suggestions'] {
	return pages.slice(0, 3).map(({ title, url }) => ({
		label: title,
		prompt: `Tell me more about ${title} (${url}).`,
	}));
}

/** Runs `fill`, and says in words why a schema cannot be filled. */
export function attempt<T>(fill: () => T): { value: T } | { why: string } {
	try {
		return { value: fill() };
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		return { why: error.message };
	}
}

function isObject(value: unknown): value is Schema {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
