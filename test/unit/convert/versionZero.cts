import { z } from 'zod/v4';

/** An object of JSON. */
type Fields = Record<string, unknown>;

/** A request of v0 as one of v2, and what v0 makes of its response. */
export interface VersionZero {
	method: string;
	path: string;
	body?: Fields;
	responseOf(answer: Fields): Fields;
}

const tags = z.union([z.string().transform((tag) => [tag]), z.array(z.string())]);
const pageOptions = z
	.strictObject({
		includeMarkdown: z.boolean().default(true),
		includeHtml: z.boolean().default(false),
		includeRawHtml: z.boolean().default(false),
		screenshot: z.boolean().default(false),
		fullPageScreenshot: z.boolean().default(false),
		onlyMainContent: z.boolean().default(false),
		fetchPageContent: z.boolean().default(true),
		waitFor: z.number().optional(),
		onlyIncludeTags: tags.optional(),
		removeTags: tags.optional(),
	})
	.prefault({});
const scrapeBody = z.strictObject({
	url: z.string(),
	timeout: z.number().optional(),
	pageOptions,
	extractorOptions: z
		.strictObject({
			mode: z.enum(['markdown', 'llm-extraction', 'llm-extraction-from-markdown']),
			extractionPrompt: z.string().optional(),
			extractionSchema: z.record(z.string(), z.unknown()).optional(),
		})
		.optional(),
});
const crawlBody = z.strictObject({
	url: z.string(),
	crawlerOptions: z
		.strictObject({
			includes: z.array(z.string()).optional(),
			excludes: z.array(z.string()).optional(),
			limit: z.number().int().default(10_000),
		})
		.prefault({}),
	pageOptions,
});
const searchBody = z.strictObject({
	query: z.string(),
	pageOptions,
	searchOptions: z
		.strictObject({ limit: z.number().int().default(7), tbs: z.string().optional() })
		.default({ limit: 5 }),
});

/** Page options as scrape options of v2. The links were always returned. */
function newOptions(options: z.output<typeof pageOptions>): Fields & { formats: unknown[] } {
	const { includeMarkdown, includeHtml, includeRawHtml, screenshot, fullPageScreenshot } = options;
	const { onlyMainContent, waitFor, onlyIncludeTags, removeTags } = options;
	return {
		formats: [
			...(includeMarkdown ? ['markdown'] : []),
			...(includeHtml ? ['html'] : []),
			...(includeRawHtml ? ['rawHtml'] : []),
			...(fullPageScreenshot ? [{ type: 'screenshot', fullPage: true }] : []),
			...(screenshot && !fullPageScreenshot ? ['screenshot'] : []),
			'links',
		],
		onlyMainContent,
		...(waitFor !== undefined && { waitFor }),
		...(onlyIncludeTags && { includeTags: onlyIncludeTags }),
		...(removeTags && { excludeTags: removeTags }),
	};
}

/** A page of v2 as v0 has it. */
function formerPage(page: unknown): Fields {
	const { markdown, html, rawHtml, links, json, metadata, screenshot, actions, warning } =
		Object(page);
	const { error, statusCode, ...rest } = Object(metadata);
	return {
		content: markdown,
		...{ markdown, html, rawHtml, actions, warning },
		linksOnPage: links,
		llm_extraction: json,
		metadata: { ...rest, pageError: error, pageStatusCode: statusCode, screenshot },
	};
}

const formerPages = (pages: unknown): Fields[] =>
	Array.isArray(pages) ? pages.map(formerPage) : [];

function scrape(given: unknown): VersionZero {
	const { url, timeout, extractorOptions, pageOptions: options } = scrapeBody.parse(given);
	const isExtraction = extractorOptions?.mode.startsWith('llm-extraction') ?? false;
	const { formats, ...more } = newOptions(options);
	const { extractionPrompt: prompt, extractionSchema: schema } = extractorOptions ?? {};
	const json = { type: 'json', ...(prompt !== undefined && { prompt }), ...(schema && { schema }) };
	return {
		method: 'POST',
		path: '/scrape',
		body: {
			url,
			...(timeout !== undefined && { timeout }),
			...more,
			...(isExtraction && { onlyMainContent: true }),
			formats: [...formats, ...(isExtraction ? [json] : [])],
		},
		responseOf: ({ data }) => ({ success: true, data: formerPage(data), returnCode: 200 }),
	};
}

function crawl(given: unknown): VersionZero {
	const { url, crawlerOptions, pageOptions: options } = crawlBody.parse(given);
	const { includes, excludes, limit } = crawlerOptions;
	return {
		method: 'POST',
		path: '/crawl',
		body: {
			url,
			limit,
			...(includes && { includePaths: includes }),
			...(excludes && { excludePaths: excludes }),
			scrapeOptions: newOptions(options),
		},
		responseOf: ({ id }) => ({ jobId: id }),
	};
}

const crawlStatus = (id: string): VersionZero => ({
	method: 'GET',
	path: `/crawl/${id}`,
	responseOf({ status, completed, total, data }) {
		const isCompleted = status === 'completed';
		const pages = formerPages(data);
		return {
			status: isCompleted ? 'completed' : status === 'cancelled' ? 'failed' : 'active',
			current: completed,
			total,
			data: isCompleted ? pages : null,
			partial_data: isCompleted ? [] : pages,
		};
	},
});

function search(given: unknown): VersionZero {
	const { query, searchOptions, pageOptions: options } = searchBody.parse(given);
	const { fetchPageContent } = options;
	const { limit, ...more } = searchOptions;
	return {
		method: 'POST',
		path: '/search',
		body: {
			query,
			limit: Math.min(limit, 10),
			...more,
			...(fetchPageContent && { scrapeOptions: newOptions(options) }),
		},
		responseOf: ({ data }) => {
			const { web } = Object(data);
			return { success: true, data: fetchPageContent ? formerPages(web) : web, returnCode: 200 };
		},
	};
}

const starts = new Map([
	['/scrape', scrape],
	['/crawl', crawl],
	['/search', search],
]);

/**
 * A request of API v0 by its path after the version, after the server's own controllers of it;
 * undefined where it has none.
 * @throws ZodError for a body that v0 does not have
 */
export function versionZero(path: string, body: unknown): VersionZero | undefined {
	const [, id] = /^\/crawl\/status\/([^/]+)$/.exec(path) ?? [];
	return id === undefined ? starts.get(path)?.(body) : crawlStatus(id);
}
