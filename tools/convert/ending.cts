import { codeExpression, codeOf, isExpression } from './expressions.cjs';
import {
	defined,
	isObject,
	listOf,
	objectOf,
	omit,
	textOf,
	type Json,
	type JsonObject,
} from './json.cjs';
import type { ServiceCall } from './serviceCall.cjs';

/** When the service ends what `endingOf` finds: it sends 410 from then on. */
const end = '10 December 2026, 15:00 UTC';

/** What the service ends, by a part of its paths: what to use instead, a line for each step. */
const instead: Record<string, string[]> = {
	extract: [
		'Use Page: Scrape or Batch: Run with the format JSON for known pages, else Agent: Run.',
	],
	'deep-research': ['Use Agent: Run: the query is its prompt.'],
	llmstxt: [
		'1. Map: Get, with its URL, Limit (its maxUrls, else 10), and Include Subdomains off.',
		'2. Batch: Run of the URLs, with the formats Markdown and Summary.',
		'3. Code: join titles and summaries for llms.txt, the markdown for llms-full.txt.',
		'4. Convert to File. The example "Write llms.txt of a website" has all of it.',
	],
};

/** The parts of its paths that the service ends. */
export const endingKinds: readonly string[] = Object.keys(instead);

/** Whether the service ends what an endpoint or a URL names. */
export const endingOf = (text: string): string | undefined =>
	new RegExp(`/(${endingKinds.join('|')})(?![\\w-])`).exec(text)?.[1];

/** What to say of a node that stays and asks for what ends: when it stops, and what to do. */
export const stops = (ending: string): string[] => [
	`It stops on ${end}: Firecrawl answers /${ending} with 410 from then on.`,
	...instead[ending],
];

/** Texts one below the other, which may be expressions; undefined if there are none. */
function joined(...texts: Array<Json | undefined>): Json | undefined {
	const given = texts.filter((text): text is string => textOf(text).trim() !== '');
	if (given.length < 2 || !given.some(isExpression))
		return given.length > 0 ? given.join('\n\n') : undefined;
	return codeExpression(given.map(codeOf).join(' + "\\n\\n" + '));
}

/** Whether a switch is off, so that it says nothing. */
const isOff = (value: Json | undefined) => value === undefined || value === false;

const withoutCounterpart = (fields: JsonObject) =>
	Object.keys(fields).map((name) => `The field "${name}" has no counterpart.`);

/** How an extraction went through a site, which says nothing of known pages. */
const ofSites = ['ignoreSitemap', 'includeSubdomains', 'allowExternalLinks'];

const priceOfAgent =
	'The agent replaces it: its price depends on its effort, and Max Credits per Execution limits it; an extraction was 46 credits on average.';

/** A call in the place of another. */
const inPlace = (
	call: ServiceCall,
	endpoint: string,
	body: Record<string, Json | undefined>,
	left: JsonObject,
	notes: string[],
): ServiceCall => ({
	...call,
	endpoint,
	body: defined(body),
	lost: [...call.lost, ...withoutCounterpart(left)],
	notes: [...call.notes, ...notes],
});

/** An extraction as scrapes of its pages, where it names them, and as an agent run: the first that fits is the cheapest. */
function extraction(call: ServiceCall): ServiceCall[] {
	const { urls, schema, systemPrompt, enableWebSearch, scrapeOptions = {}, ...others } = call.body;
	const rest = Object.fromEntries(
		Object.entries(omit(others, 'prompt')).filter(([, value]) => !isOff(value)),
	);
	const prompt = joined(systemPrompt, others.prompt);
	const list = listOf(urls);
	const isSite = list.some((url) => textOf(url).includes('*'));
	const hasPages = urls !== undefined && !isSite && !(Array.isArray(urls) && list.length === 0);
	const sites = list.map((url) => (typeof url === 'string' ? url.replace(/\/\*$/, '') : url));
	const searches = isOff(enableWebSearch) ? undefined : enableWebSearch;
	const constrained = isExpression(searches)
		? codeExpression(`!${codeOf(searches)}`)
		: searches !== true;
	const isBare = isObject(scrapeOptions) && Object.keys(scrapeOptions).length === 0;
	const beside = omit(isBare ? rest : { ...rest, scrapeOptions }, ...(hasPages ? ofSites : []));
	const agent = inPlace(
		call,
		'POST /agent',
		{
			prompt: prompt ?? 'Extract the data of the schema from the given URLs.',
			urls: Array.isArray(urls) ? (sites.length === 0 ? undefined : sites) : urls,
			schema,
			strictConstrainToURLs: hasPages && constrained !== false ? constrained : undefined,
		},
		beside,
		[
			priceOfAgent,
			...(searches === undefined
				? []
				: ['It searches the web by itself, so it may read other pages, too.']),
			...(prompt === undefined ? ['An agent needs a prompt: one was written.'] : []),
		],
	);
	if (!hasPages || searches !== undefined) return [agent];
	const formats = [defined({ type: 'json', prompt, schema })];
	const scrape = { ...objectOf(scrapeOptions), formats };
	const left = isObject(scrapeOptions) ? omit(beside, 'scrapeOptions') : beside;
	const price = 'It costs 5 credits a page; an extraction was 46 on average.';
	const pages =
		list.length === 1
			? inPlace(call, 'POST /scrape', { url: list[0], ...scrape }, left, [price])
			: inPlace(call, 'POST /batch/scrape', { urls, ...scrape }, left, [
					price,
					'The extraction merged the data of all pages into one object; the batch returns those of each page.',
				]);
	return [pages, agent];
}

const text = { type: 'string' };

/** The data of a research, as later nodes read them. */
const researchSchema = (json: Json | undefined): JsonObject => ({
	type: 'object',
	properties: {
		finalAnalysis: { ...text, description: 'The whole analysis, in Markdown' },
		sources: {
			type: 'array',
			items: { type: 'object', properties: { url: text, title: text, description: text } },
		},
		...(json !== undefined && { json }),
	},
	required: ['finalAnalysis', 'sources'],
});

/** A research as an agent run whose data have the former names. */
function research(call: ServiceCall): ServiceCall[] {
	const { topic, query = topic, analysisPrompt, systemPrompt, jsonOptions, ...others } = call.body;
	const { schema, prompt: jsonPrompt, ...moreOptions } = objectOf(jsonOptions);
	const { limit, formats, ...rest } = others;
	const isKnown =
		formats === undefined ||
		listOf(formats).every((format) => format === 'json' || format === 'markdown');
	const prompt = joined(systemPrompt, query, analysisPrompt, jsonPrompt);
	const body = { prompt, schema: researchSchema(schema), maxCredits: limit };
	const left = { ...rest, ...moreOptions, ...(!isKnown && formats !== undefined && { formats }) };
	return [inPlace(call, 'POST /agent', body, left, [priceOfAgent])];
}

/** What replaces a start of what ends, the cheapest first; none for other calls. */
export function replacementsOf(call: ServiceCall): ServiceCall[] {
	if (call.endpoint === 'POST /extract') return extraction(call);
	return call.endpoint === 'POST /deep-research' ? research(call) : [];
}

/** The call for the state of what replaces it; undefined for other calls. */
export const stateOf = (call: ServiceCall): ServiceCall | undefined =>
	/^GET \/(extract|deep-research)\/\{id\}$/.test(call.endpoint)
		? { ...call, endpoint: 'GET /agent/{id}' }
		: undefined;
