import { codeExpression, codeOf, isExpression } from './expressions.cjs';
import {
	defined,
	isObject,
	listOf,
	objectOf,
	omit,
	ownOf,
	type Json,
	type JsonObject,
} from './json.cjs';

/** A body in the form of the API v2, and what it lost or does otherwise. */
export interface NewBody {
	body: JsonObject;
	lost: string[];
	notes: string[];
}

/** `yes` or `no` by a switch that may be an expression; undefined if it is off and `no` is. */
function choose(value: Json | undefined, yes: string, no: string): Json | undefined {
	if (isExpression(value)) {
		return codeExpression(`${codeOf(value)} ? ${JSON.stringify(yes)} : ${JSON.stringify(no)}`);
	}
	return value === true ? yes : undefined;
}

/** The fields that v1 has beside the formats, and the format that they belong to. */
const formatFields: Record<string, string> = {
	jsonOptions: 'json',
	extract: 'json',
	changeTrackingOptions: 'changeTracking',
};

function formatOf(format: Json, settings: JsonObject): Json {
	if (format === 'screenshot@fullPage') return { type: 'screenshot', fullPage: true };
	const type = format === 'extract' ? 'json' : format;
	const own = ownOf(settings, type);
	return isObject(own) && typeof type === 'string' ? { type, ...own } : type;
}

/** Scrape options of v1 in the form of v2. */
function scrapeOptionsV1(options: JsonObject, lost: string[]): JsonObject {
	const { formats, parsePDF, geolocation, agent, ...rest } = options;
	if (agent !== undefined)
		lost.push('"agent" of a scrape is no more: use Agent or Browser Session.');
	const settings: JsonObject = {};
	for (const [field, type] of Object.entries(formatFields)) {
		const given = rest[field];
		if (!isObject(given)) continue;
		const ownOnes = omit(given, 'mode', 'systemPrompt', 'temperature', 'agent');
		for (const name of ['systemPrompt', 'temperature', 'agent']) {
			if (name in given) lost.push(`"${field}.${name}" has no counterpart.`);
		}
		settings[type] = { ...objectOf(settings[type]), ...ownOnes };
	}
	// Some name the settings of a format without the format.
	const isNamed = listOf(formats).some((format) => format === 'json' || format === 'extract');
	const list =
		Array.isArray(formats) || formats === undefined
			? [...listOf(formats), ...(settings.json && !isNamed ? ['json'] : [])]
			: undefined;
	const named = list?.map((format) => formatOf(format, settings));
	return defined({
		...omit(rest, ...Object.keys(formatFields)),
		formats: list ? (named?.length === 0 ? undefined : named) : formats,
		parsers: parsePDF === false ? [] : parsePDF === true ? ['pdf'] : undefined,
		location: geolocation ?? rest.location,
	});
}

/** Bodies of v1 by path (https://docs.firecrawl.dev/migrate-to-v2). */
const bodiesV1: Record<string, (body: JsonObject, lost: string[], notes: string[]) => JsonObject> =
	{
		'POST /scrape': scrapeOptionsV1,
		'POST /batch/scrape': scrapeOptionsV1,
		'POST /search': ({ scrapeOptions, limit, ...body }, lost) =>
			defined({
				...body,
				// The default was another.
				limit: limit ?? 5,
				scrapeOptions: isObject(scrapeOptions) ? scrapeOptionsV1(scrapeOptions, lost) : undefined,
			}),
		'POST /map': (body) => {
			const { ignoreSitemap, sitemapOnly, ...rest } = body;
			const sitemap =
				choose(sitemapOnly, 'only', 'include') ?? choose(ignoreSitemap, 'skip', 'include');
			return defined({ ...rest, sitemap: rest.sitemap ?? sitemap });
		},
		'POST /crawl': (body, lost, notes) => {
			const { maxDepth, allowBackwardLinks, ignoreSitemap, scrapeOptions, ...rest } = body;
			if (maxDepth !== undefined) {
				notes.push('"maxDepth" counted the parts of a path, "maxDiscoveryDepth" counts links.');
			}
			return defined({
				...rest,
				maxDiscoveryDepth: maxDepth ?? rest.maxDiscoveryDepth,
				crawlEntireDomain: rest.crawlEntireDomain ?? allowBackwardLinks,
				sitemap: rest.sitemap ?? choose(ignoreSitemap, 'skip', 'include'),
				scrapeOptions: isObject(scrapeOptions) ? scrapeOptionsV1(scrapeOptions, lost) : undefined,
			});
		},
	};

/** Page options of v0 as scrape options of v2. */
function pageOptionsV0(given: Json | undefined, lost: string[]): JsonObject {
	const { onlyMainContent, includeHtml, includeRawHtml, screenshot, fullPageScreenshot, ...more } =
		objectOf(given);
	const { removeTags, onlyIncludeTags, includeMarkdown, parsePDF, geolocation, ...others } = more;
	const { waitFor, headers, actions, mobile, skipTlsVerification, removeBase64Images, ...rest } =
		others;
	for (const name of Object.keys(omit(rest, 'fetchPageContent'))) {
		lost.push(`"pageOptions.${name}" has no counterpart.`);
	}
	const formats: Json[] = [
		...(includeMarkdown === false ? [] : ['markdown']),
		...(includeHtml === true ? ['html'] : []),
		...(includeRawHtml === true ? ['rawHtml'] : []),
		...(fullPageScreenshot === true
			? [{ type: 'screenshot', fullPage: true }]
			: screenshot === true
				? ['screenshot']
				: []),
		// It returned them always.
		'links',
	];
	const tags = (names: Json | undefined) => (typeof names === 'string' ? [names] : names);
	return defined({
		formats,
		// The default was another.
		onlyMainContent: onlyMainContent ?? false,
		...{ waitFor, headers, actions, mobile, skipTlsVerification, removeBase64Images },
		includeTags: tags(onlyIncludeTags),
		excludeTags: tags(removeTags),
		parsers: parsePDF === false ? [] : undefined,
		location: geolocation,
	});
}

const bodiesV0: typeof bodiesV1 = {
	'POST /scrape': ({ url, timeout, pageOptions, extractorOptions, ...rest }, lost) => {
		const { mode, extractionPrompt, extractionSchema } = objectOf(extractorOptions);
		const options = pageOptionsV0(pageOptions, lost);
		const json = defined({ type: 'json', prompt: extractionPrompt, schema: extractionSchema });
		const isExtraction = typeof mode === 'string' && mode.startsWith('llm-extraction');
		return defined({
			url,
			timeout,
			...options,
			...(isExtraction && { onlyMainContent: true }),
			...rest,
			formats: isExtraction ? [...listOf(options.formats), json] : options.formats,
		});
	},
	'POST /crawl': ({ url, crawlerOptions, pageOptions, ...rest }, lost, notes) => {
		const { includes, excludes, maxDepth, limit, ignoreSitemap, ...more } =
			objectOf(crawlerOptions);
		const { allowBackwardCrawling, allowExternalContentLinks, returnOnlyUrls, ...other } = more;
		for (const name of Object.keys(other))
			lost.push(`"crawlerOptions.${name}" has no counterpart.`);
		if (returnOnlyUrls === true) lost.push('"returnOnlyUrls" has no counterpart: use Map.');
		if (maxDepth !== undefined) {
			notes.push('"maxDepth" counted the parts of a path, "maxDiscoveryDepth" counts links.');
		}
		return defined({
			url,
			...rest,
			includePaths: includes,
			excludePaths: excludes,
			maxDiscoveryDepth: maxDepth,
			limit,
			crawlEntireDomain: allowBackwardCrawling,
			allowExternalLinks: allowExternalContentLinks,
			sitemap: choose(ignoreSitemap, 'skip', 'include'),
			scrapeOptions: pageOptionsV0(pageOptions, lost),
		});
	},
	'POST /search': ({ query, pageOptions, searchOptions, ...rest }, lost) => {
		const { limit, tbs, filter, lang, country, location, ...other } = objectOf(searchOptions);
		for (const name of Object.keys(other)) lost.push(`"searchOptions.${name}" has no counterpart.`);
		const isScraped = objectOf(pageOptions).fetchPageContent !== false;
		return defined({
			query,
			...rest,
			// The defaults were others, and it returned ten at most.
			limit: typeof limit === 'number' ? Math.min(limit, 10) : (limit ?? (searchOptions ? 7 : 5)),
			...{ tbs, filter, lang, country, location },
			scrapeOptions: isScraped ? pageOptionsV0(pageOptions, lost) : undefined,
		});
	},
};

/** A body of any version in the form of v2. */
export function newBody(endpoint: string, version: 'v0' | 'v1' | 'v2', body: JsonObject): NewBody {
	const lost: string[] = [];
	const notes: string[] = [];
	const convert = { v0: bodiesV0, v1: bodiesV1, v2: {} as typeof bodiesV1 }[version][endpoint];
	return { body: convert?.(body, lost, notes) ?? body, lost, notes };
}
