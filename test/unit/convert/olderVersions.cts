import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';
import { versionZero } from './versionZero.cjs';

/** An object of JSON. */
type Fields = Record<string, unknown>;

/** A response of the service. */
export interface Answer {
	status: number;
	body: Fields;
}

/** Asks the service for something of `/v2`. */
type Ask = (method: string, path: string, body?: Fields) => Promise<Answer>;

const fields = z.record(z.string(), z.unknown());
const extracted = z.strictObject({
	mode: z.literal('llm').optional(),
	prompt: z.string().optional(),
	schema: fields.optional(),
});

/** What v1 has otherwise than v2; both have the same names for all the rest, which v2 checks. */
const scrapeOptions = z.looseObject({
	formats: z
		.array(
			z.enum([
				...(['markdown', 'html', 'rawHtml', 'links', 'summary', 'screenshot'] as const),
				...(['screenshot@fullPage', 'json', 'extract', 'changeTracking'] as const),
			]),
		)
		.optional(),
	jsonOptions: extracted.optional(),
	extract: extracted.optional(),
	changeTrackingOptions: fields.optional(),
	parsePDF: z.boolean().optional(),
	geolocation: fields.optional(),
	parsers: z.undefined(),
});
const mapBody = z.looseObject({
	sitemapOnly: z.boolean().optional(),
	ignoreSitemap: z.boolean().optional(),
	limit: z.number().int().default(5000),
	sitemap: z.undefined(),
});
const crawlBody = z.looseObject({
	maxDepth: z.number().int().optional(),
	allowBackwardLinks: z.boolean().optional(),
	ignoreSitemap: z.boolean().optional(),
	limit: z.number().int().default(10_000),
	scrapeOptions: scrapeOptions.optional(),
	...{ sitemap: z.undefined(), maxDiscoveryDepth: z.undefined() },
});
const searchBody = z.looseObject({
	limit: z.number().int().default(5),
	scrapeOptions: scrapeOptions.optional(),
	...{ sources: z.undefined(), categories: z.undefined() },
});
const extractBody = z
	.strictObject({
		urls: z.array(z.string()).min(1).max(10).optional(),
		prompt: z.string().optional(),
		schema: fields.optional(),
		integration: z.string().optional(),
		...{ ignoreSitemap: z.boolean().optional(), includeSubdomains: z.boolean().optional() },
		...{ enableWebSearch: z.boolean().optional(), showSources: z.boolean().optional() },
		scrapeOptions: fields.optional(),
	})
	.refine(({ urls, prompt }) => urls ?? prompt, 'urls or prompt is required');

/** Scrape options of v1 as those of v2. */
function newScrapeOptions(body: unknown): Fields {
	const { formats, jsonOptions, extract, changeTrackingOptions, parsePDF, geolocation, ...rest } =
		scrapeOptions.parse(body);
	const { mode: _mode, ...json } = { ...jsonOptions, ...extract };
	const newFormat: Record<string, Fields> = {
		'screenshot@fullPage': { type: 'screenshot', fullPage: true },
		json: { type: 'json', ...json },
		extract: { type: 'json', ...json },
		changeTracking: { type: 'changeTracking', ...changeTrackingOptions },
	};
	return {
		...rest,
		...(formats && { formats: formats.map((type) => newFormat[type] ?? type) }),
		...(parsePDF !== undefined && { parsers: parsePDF ? ['pdf'] : [] }),
		...(geolocation && { location: geolocation }),
	};
}

const options = ({ scrapeOptions: given }: { scrapeOptions?: unknown }) =>
	given === undefined ? {} : { scrapeOptions: newScrapeOptions(given) };

/** Bodies of v1 as those of v2, by path. */
const newBodies: Record<string, (body: unknown) => Fields> = {
	'/scrape': newScrapeOptions,
	'/batch/scrape': newScrapeOptions,
	'/map'(body) {
		const { sitemapOnly, ignoreSitemap, ...rest } = mapBody.parse(body);
		const sitemap = sitemapOnly ? 'only' : ignoreSitemap ? 'skip' : undefined;
		return { ...rest, ...(sitemap && { sitemap }) };
	},
	'/crawl'(body) {
		const { maxDepth, allowBackwardLinks, ignoreSitemap, ...rest } = crawlBody.parse(body);
		return {
			...rest,
			...(maxDepth !== undefined && { maxDiscoveryDepth: maxDepth }),
			...(allowBackwardLinks !== undefined && { crawlEntireDomain: allowBackwardLinks }),
			...(ignoreSitemap && { sitemap: 'skip' }),
			...options(rest),
		};
	},
	'/search'(body) {
		const request = searchBody.parse(body);
		return { ...request, ...options(request) };
	},
};

/** A response of v2 as v1 has it. */
function formerAnswer(path: string, body: unknown, answer: Fields): Fields {
	const { formats } = Object(body);
	const { links, data } = answer;
	if (path === '/map' && Array.isArray(links)) {
		return { ...answer, links: links.map((link: unknown) => Object(link).url) };
	}
	if (path === '/search') return { ...answer, data: Object(data).web ?? [] };
	if (path !== '/scrape' || !Array.isArray(formats) || !formats.includes('extract')) return answer;
	const { json, ...page } = Object(data);
	return { ...answer, data: { ...page, extract: json } };
}

/** Stands in front of the mock server for what its API v2 has no more: `/v0`, `/v1`, and the extraction of v1 and v2. */
export class OlderVersions {
	private readonly extractions = new Map<string, () => Promise<Answer>>();

	constructor(private readonly ask: Ask) {}

	/** The answer to a request, or undefined where it is one of v2. */
	async answer(method: string, path: string, body: unknown): Promise<Answer | undefined> {
		const [, version, rest] = /^\/(v0|v1|v2)(\/.*)$/.exec(path) ?? [];
		if (rest === undefined || (version === 'v2' && !rest.startsWith('/extract'))) return undefined;
		try {
			if (version === 'v0') return await this.ofVersionZero(rest, body);
			if (rest === '/extract') return await this.startExtraction(extractBody.parse(body));
			const extraction = this.extractions.get(rest.replace('/extract/', ''));
			if (extraction) return await extraction();
			const sent = body === undefined ? undefined : newBodies[rest]?.(body);
			const answer = await this.ask(method, `/v2${rest}`, sent);
			return answer.status === 200
				? { ...answer, body: formerAnswer(rest, body, answer.body) }
				: answer;
		} catch (error) {
			if (!(error instanceof z.ZodError)) throw error;
			return { status: 400, body: { success: false, error: error.message } };
		}
	}

	private async ofVersionZero(path: string, body: unknown): Promise<Answer> {
		const request = versionZero(path, body);
		if (!request) return { status: 404, body: { error: `v0 has no ${path}` } };
		const answer = await this.ask(request.method, `/v2${request.path}`, request.body);
		return answer.status === 200 ? { ...answer, body: request.responseOf(answer.body) } : answer;
	}

	/** One page is scraped; an agent does what asks for more. */
	private async startExtraction(request: z.output<typeof extractBody>): Promise<Answer> {
		const { urls = [], prompt, schema, scrapeOptions: scraping } = request;
		const id = randomUUID();
		const [url] = urls;
		const asked = { ...(prompt !== undefined && { prompt }), ...(schema && { schema }) };
		if (urls.length === 1 && !url.includes('*')) {
			const formats = [{ type: 'json', ...asked }];
			const { body } = await this.ask('POST', '/v2/scrape', { url, ...scraping, formats });
			const data = Object(body.data).json;
			this.extractions.set(id, async () => ({
				status: 200,
				body: { success: true, status: 'completed', data },
			}));
		} else {
			const sites = urls.map((each) => each.replace(/\/\*$/, ''));
			const started = { ...asked, ...(sites.length > 0 && { urls: sites }) };
			const { body } = await this.ask('POST', '/v2/agent', started);
			this.extractions.set(id, () => this.ask('GET', `/v2/agent/${String(body.id)}`));
		}
		return { status: 200, body: { success: true, id } };
	}
}
