import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';

/** An object of JSON. */
type Fields = Record<string, unknown>;

/** A response of the service. */
interface Answer {
	status: number;
	body: Fields;
}

/** Asks the service for something of `/v2`. */
type Ask = (method: string, path: string, body?: Fields) => Promise<Answer>;

const fields = z.record(z.string(), z.unknown());
const extraction = z.strictObject({ prompt: z.string(), schema: fields });

/** A page of v2 as v0 has it. */
function pageOfV0(page: unknown): Fields {
	const { markdown, links, json, metadata, screenshot } = Object(page);
	const { error, statusCode, ...rest } = Object(metadata);
	return {
		...{ content: markdown, markdown, linksOnPage: links, llm_extraction: json },
		metadata: { ...rest, pageError: error, pageStatusCode: statusCode, screenshot },
	};
}

const pagesOfV0 = (pages: unknown): Fields[] => (Array.isArray(pages) ? pages.map(pageOfV0) : []);

/** What v0 scrapes without page options: the links were always returned. */
const formatsOfV0: unknown[] = ['markdown', 'links'];
const optionsOfV0 = { formats: formatsOfV0, onlyMainContent: false };

/** A body of an older version as that of v2, and a response of v2 as that version has it. */
interface Former {
	/** @throws ZodError for a body that the version does not have */
	newBody(body: unknown): Fields;
	formerAnswer?(answer: Fields, body: unknown): Fields;
}

/** Scrape options of v1, as far as the samples have them. */
const scrapeV1 = z
	.looseObject({
		formats: z.array(z.enum(['markdown', 'extract', 'screenshot@fullPage'])).optional(),
		extract: extraction.optional(),
	})
	.transform(({ formats, extract, ...rest }): Fields => {
		const newFormats: Record<string, Fields> = {
			extract: { type: 'json', ...extract },
			'screenshot@fullPage': { type: 'screenshot', fullPage: true },
		};
		return {
			...rest,
			...(formats && { formats: formats.map((type) => newFormats[type] ?? type) }),
		};
	});

const scrape: Former = {
	newBody: (body) => scrapeV1.parse(body),
	formerAnswer({ data, ...answer }, body) {
		if (!('extract' in Object(body))) return { ...answer, data };
		const { json, ...page } = Object(data);
		return { ...answer, data: { ...page, extract: json } };
	},
};

/** What older versions have otherwise than v2, by path. */
const formerPaths = new Map<string, Former>([
	['/v1/scrape', scrape],
	['/v1/batch/scrape', scrape],
	[
		'/v1/map',
		{
			newBody(body) {
				const { ignoreSitemap, ...rest } = z
					.strictObject({
						url: z.string(),
						ignoreSitemap: z.boolean().optional(),
						limit: z.int().default(5000),
					})
					.parse(body);
				return { ...rest, ...(ignoreSitemap && { sitemap: 'skip' }) };
			},
			formerAnswer: ({ links, ...answer }) => ({
				...answer,
				links: Array.isArray(links) ? links.map((link: unknown) => Object(link).url) : links,
			}),
		},
	],
	[
		'/v1/crawl',
		{ newBody: (body) => z.strictObject({ url: z.string(), limit: z.int() }).parse(body) },
	],
	[
		'/v1/search',
		{
			newBody: (body) =>
				z.strictObject({ query: z.string(), limit: z.int(), scrapeOptions: scrapeV1 }).parse(body),
			formerAnswer: ({ data, ...answer }) => ({ ...answer, data: Object(data).web ?? [] }),
		},
	],
	[
		'/v0/scrape',
		{
			newBody(body) {
				const { url, extractorOptions } = z
					.strictObject({
						url: z.string(),
						extractorOptions: z
							.strictObject({
								mode: z.literal('llm-extraction'),
								extractionPrompt: z.string(),
								extractionSchema: fields,
							})
							.optional(),
					})
					.parse(body);
				if (!extractorOptions) return { url, ...optionsOfV0 };
				const { extractionPrompt: prompt, extractionSchema: schema } = extractorOptions;
				const formats = [...formatsOfV0, { type: 'json', prompt, schema }];
				return { url, formats, onlyMainContent: true };
			},
			formerAnswer: ({ data }) => ({ success: true, data: pageOfV0(data), returnCode: 200 }),
		},
	],
	[
		'/v0/crawl',
		{
			newBody(body) {
				const { url, crawlerOptions } = z
					.strictObject({ url: z.string(), crawlerOptions: z.strictObject({ limit: z.int() }) })
					.parse(body);
				return { url, ...crawlerOptions, scrapeOptions: optionsOfV0 };
			},
			formerAnswer: ({ id }) => ({ jobId: id }),
		},
	],
	[
		'/v0/search',
		{
			newBody(body) {
				const { query, searchOptions } = z
					.strictObject({ query: z.string(), searchOptions: z.strictObject({ limit: z.int() }) })
					.parse(body);
				return { query, ...searchOptions, scrapeOptions: optionsOfV0 };
			},
			formerAnswer: ({ data }) => ({
				...{ success: true, data: pagesOfV0(Object(data).web), returnCode: 200 },
			}),
		},
	],
]);

/** The state of a crawl as v0 has it. */
function crawlOfV0({ status, completed, total, data }: Fields): Fields {
	const isCompleted = status === 'completed';
	const pages = pagesOfV0(data);
	return {
		status: isCompleted ? 'completed' : status === 'cancelled' ? 'failed' : 'active',
		...{ current: completed, total },
		data: isCompleted ? pages : null,
		partial_data: isCompleted ? [] : pages,
	};
}

/** What the samples extract: one page, or a site; the official node sends switches besides. */
const extractBody = z.object({
	urls: z.tuple([z.string()]),
	...extraction.shape,
	scrapeOptions: fields.optional(),
});

/**
 * Stands in front of the mock server for what its API v2 has no more: `/v0`, `/v1`, and the extraction of v1 and v2.
 * Each has what the samples of the converter ask.
 */
export class OlderVersions {
	private readonly extractions = new Map<string, () => Promise<Answer>>();

	constructor(private readonly ask: Ask) {}

	/** The answer to a request, or undefined where it is one of v2. */
	async answer(method: string, path: string, body: unknown): Promise<Answer | undefined> {
		try {
			if (/^\/v\d\/extract$/.test(path)) return await this.startExtraction(extractBody.parse(body));
			const known = this.extractions.get(path.replace(/^\/v\d\/extract\//, ''));
			if (known) return await known();
			const former = formerPaths.get(path);
			const newPath = path.replace(/^\/v[01]\/(crawl\/status\/)?/, (_, status) =>
				status === undefined ? '/v2/' : '/v2/crawl/',
			);
			if (newPath === path) return undefined;
			const answer = await this.ask(method, newPath, former?.newBody(body));
			if (answer.status !== 200) return answer;
			const change = path.startsWith('/v0/crawl/status/') ? crawlOfV0 : former?.formerAnswer;
			return change ? { ...answer, body: change(answer.body, body) } : answer;
		} catch (error) {
			if (!(error instanceof z.ZodError)) throw error;
			return { status: 400, body: { success: false, error: error.message } };
		}
	}

	/** One page is scraped; an agent does what asks for more. */
	private async startExtraction(request: z.output<typeof extractBody>): Promise<Answer> {
		const { urls, prompt, schema, scrapeOptions } = request;
		const id = randomUUID();
		const [url] = urls;
		if (url.endsWith('/*')) {
			const started = { prompt, schema, urls: [url.slice(0, -2)] };
			const { body } = await this.ask('POST', '/v2/agent', started);
			this.extractions.set(id, () => this.ask('GET', `/v2/agent/${String(body.id)}`));
		} else {
			const formats = [{ type: 'json', prompt, schema }];
			const { body } = await this.ask('POST', '/v2/scrape', { url, ...scrapeOptions, formats });
			const data = Object(body.data).json;
			this.extractions.set(id, async () => ({
				status: 200,
				body: { success: true, status: 'completed', data },
			}));
		}
		return { status: 200, body: { success: true, id } };
	}
}
