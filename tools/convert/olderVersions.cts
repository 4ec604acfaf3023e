import { codeExpression, codeOf, isExpression } from './expressions.cjs';
import listed from './fields.json';
import {
	defined,
	isObject,
	listOf,
	objectOf,
	omit,
	ownOf,
	textOf,
	type Json,
	type JsonObject,
} from './json.cjs';

/** What a body lost on the way to v2, and what it does otherwise. */
interface Remarks {
	lost: string[];
	notes: string[];
}

/** A body in the form of the API v2. */
export interface NewBody extends Remarks {
	body: JsonObject;
}

/** Makes a body of an older version one of v2; fields that are undefined are left out. */
type Change = (body: JsonObject, remarks: Remarks) => Record<string, Json | undefined>;

/** How to use a sitemap by a switch that may be an expression; undefined if it is off. */
export function sitemapOf(value: Json | undefined, use: 'only' | 'skip'): Json | undefined {
	return isExpression(value)
		? codeExpression(`${codeOf(value)} ? "${use}" : "include"`)
		: value === true
			? use
			: undefined;
}

/** Notes that a depth counts something else. */
function noteDepth(maxDepth: Json | undefined, { notes }: Remarks): void {
	if (maxDepth === undefined) return;
	notes.push('"maxDepth" counted the parts of a path, "maxDiscoveryDepth" counts links.');
}

/** The fields that v1 has beside the formats, and the format that they belong to. */
const formatFields: Record<string, string> = {
	jsonOptions: 'json',
	extract: 'json',
	changeTrackingOptions: 'changeTracking',
};

/** What v1 told the model of an extraction besides. */
const lostSettings = ['systemPrompt', 'temperature', 'agent'];

function formatOf(format: Json, settings: JsonObject): Json {
	if (format === 'screenshot@fullPage') return { type: 'screenshot', fullPage: true };
	const type = format === 'extract' ? 'json' : format;
	const own = ownOf(settings, type);
	return isObject(own) && typeof type === 'string' ? { type, ...own } : type;
}

/** A day: how old a cached page of v1 was at most, if not set. */
const maxAgeV1 = 86_400_000;

/** Scrape options of v1 in the form of v2. */
const scrapeOptionsV1: Change = (options, { lost }) => {
	const { formats, parsePDF, geolocation, agent, ...rest } = options;
	if (agent !== undefined) {
		lost.push('"agent" of a scrape is no more: use Agent or Browser Session.');
	}
	const settings: JsonObject = {};
	for (const [field, type] of Object.entries(formatFields)) {
		const given = objectOf(rest[field]);
		for (const name of lostSettings.filter((each) => each in given)) {
			lost.push(`"${field}.${name}" has no counterpart.`);
		}
		if (!isObject(rest[field])) continue;
		settings[type] = { ...objectOf(settings[type]), ...omit(given, 'mode', ...lostSettings) };
	}
	// Some name the settings of a format without the format.
	const isNamed = listOf(formats).some((format) => format === 'json' || format === 'extract');
	const list = [...listOf(formats), ...(settings.json && !isNamed ? ['json'] : [])];
	const newFormats = list.map((format) => formatOf(format, settings));
	const isList = Array.isArray(formats) || formats === undefined;
	return {
		maxAge: maxAgeV1,
		...omit(rest, ...Object.keys(formatFields)),
		formats: isList ? (newFormats.length === 0 ? undefined : newFormats) : formats,
		parsers: parsePDF === false ? [] : parsePDF === true ? ['pdf'] : undefined,
		location: geolocation ?? rest.location,
	};
};

const nestedV1 = (scrapeOptions: Json | undefined, remarks: Remarks) =>
	isObject(scrapeOptions) ? defined(scrapeOptionsV1(scrapeOptions, remarks)) : scrapeOptions;

/** Bodies of v1 by path (https://docs.firecrawl.dev/migrate-to-v2). */
const bodiesV1: Record<string, Change> = {
	'POST /scrape': scrapeOptionsV1,
	'POST /batch/scrape': (body, remarks) => ({
		// The default was another.
		ignoreInvalidURLs: false,
		...scrapeOptionsV1(body, remarks),
	}),
	'POST /search': (body, remarks) => ({
		// The default was another.
		limit: 5,
		...body,
		scrapeOptions: nestedV1(body.scrapeOptions, remarks),
	}),
	'POST /extract': ({ scrapeOptions, ...body }, remarks) => ({
		...body,
		scrapeOptions: nestedV1(scrapeOptions, remarks),
	}),
	'POST /map': ({ ignoreSitemap, sitemapOnly, ...body }) => ({
		sitemap: sitemapOf(sitemapOnly, 'only') ?? sitemapOf(ignoreSitemap, 'skip'),
		...body,
	}),
	'POST /crawl': (body, remarks) => {
		const { maxDepth, allowBackwardLinks, ignoreSitemap, scrapeOptions = {}, ...rest } = body;
		noteDepth(maxDepth, remarks);
		return {
			crawlEntireDomain: allowBackwardLinks,
			sitemap: sitemapOf(ignoreSitemap, 'skip'),
			...rest,
			maxDiscoveryDepth: maxDepth ?? rest.maxDiscoveryDepth,
			scrapeOptions: nestedV1(scrapeOptions, remarks),
		};
	},
};

/** Fields of a group of v0 under their names of v2; the others are lost. */
function renamed(group: keyof typeof listed.v0, fields: JsonObject, { lost }: Remarks): JsonObject {
	const names: Record<string, string> = listed.v0[group];
	const entries = Object.entries(fields).flatMap(([name, value]) => {
		const newName = ownOf(names, name);
		if (newName === undefined) lost.push(`"${group}.${name}" has no counterpart.`);
		return newName === undefined ? [] : [[newName, value]];
	});
	return Object.fromEntries(entries);
}

/** Page options of v0 as scrape options of v2. */
function pageOptionsV0(given: Json | undefined, remarks: Remarks): JsonObject {
	const { includeMarkdown, includeHtml, includeRawHtml, ...others } = objectOf(given);
	const { screenshot, fullPageScreenshot, parsePDF, ...options } = others;
	const fullPage = { type: 'screenshot', fullPage: true };
	const named = renamed('pageOptions', omit(options, 'fetchPageContent'), remarks);
	const tags = (names: Json | undefined) => (typeof names === 'string' ? [names] : names);
	return defined({
		formats: [
			...(includeMarkdown === false ? [] : ['markdown']),
			...(includeHtml === true ? ['html'] : []),
			...(includeRawHtml === true ? ['rawHtml'] : []),
			...(fullPageScreenshot === true ? [fullPage] : screenshot === true ? ['screenshot'] : []),
			// It returned them always.
			'links',
		],
		// The default was another.
		onlyMainContent: false,
		...named,
		includeTags: tags(named.includeTags),
		excludeTags: tags(named.excludeTags),
		parsers: parsePDF === false ? [] : undefined,
	});
}

const bodiesV0: Record<string, Change> = {
	'POST /scrape': ({ pageOptions, extractorOptions, ...rest }, remarks) => {
		const { mode, extractionPrompt, extractionSchema } = objectOf(extractorOptions);
		const options = pageOptionsV0(pageOptions, remarks);
		if (!textOf(mode).startsWith('llm-extraction')) return { ...options, ...rest };
		const json = defined({ type: 'json', prompt: extractionPrompt, schema: extractionSchema });
		const formats = [...listOf(options.formats), json];
		return { ...options, onlyMainContent: true, ...rest, formats };
	},
	'POST /crawl': ({ crawlerOptions, pageOptions, ...rest }, remarks) => {
		const { ignoreSitemap, returnOnlyUrls, ...options } = objectOf(crawlerOptions);
		if (returnOnlyUrls === true) {
			remarks.lost.push('"returnOnlyUrls" has no counterpart: use Map.');
		}
		noteDepth(options.maxDepth, remarks);
		return {
			...rest,
			...renamed('crawlerOptions', options, remarks),
			sitemap: sitemapOf(ignoreSitemap, 'skip'),
			scrapeOptions: pageOptionsV0(pageOptions, remarks),
		};
	},
	'POST /search': ({ pageOptions, searchOptions, ...rest }, remarks) => {
		const { limit = searchOptions ? 7 : 5, ...options } = objectOf(searchOptions);
		const isScraped = objectOf(pageOptions).fetchPageContent !== false;
		return {
			...rest,
			// The defaults were others, and it returned ten at most.
			limit: typeof limit === 'number' ? Math.min(limit, 10) : limit,
			...renamed('searchOptions', options, remarks),
			scrapeOptions: isScraped ? pageOptionsV0(pageOptions, remarks) : undefined,
		};
	},
};

/** A body of any version in the form of v2. */
export function newBody(endpoint: string, version: 'v0' | 'v1' | 'v2', body: JsonObject): NewBody {
	const formerNames =
		'Code that goes through a list of pages has to read their new names: "markdown" for "content", "links" for "linksOnPage", "json" for "llm_extraction".';
	const remarks: Remarks = { lost: [], notes: version === 'v0' ? [formerNames] : [] };
	const changes: Record<string, Change> = { v0: bodiesV0, v1: bodiesV1, v2: {} }[version];
	const change = ownOf(changes, endpoint);
	return { body: change ? defined(change(body, remarks)) : body, ...remarks };
}
