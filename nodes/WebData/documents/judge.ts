import type { IDataObject, INode } from 'n8n-workflow';
import type { ReadContext, Result } from '../../runtime/operation';
import { noticesIn } from '../../runtime/errors/response';
import { asRecord, label, requirePaidField, without } from '../../runtime/execution/results';
import { fieldOf, isRecord } from '../../runtime/values/record';
import { firstText, pluralize } from '../../runtime/values/text';
import { completesTurn, delay } from '../../runtime/values/time';
import { isTool } from '../../runtime/tool/tool';
import { blockedBy, type Blocked } from './blocked';
import {
	aboutRequest,
	creditsOf,
	errorStatusOf,
	firstOf,
	formatsOf,
	isUnparsedPdf,
	scrapeOption,
	withRequest,
} from './document';
import { valuesNotOnPage } from './notOnPage';

/** Judges documents: whether each is its page with what was requested, and whether it has the values of its JSON. */

/** The fields of documents whose names differ from their formats. */
const fieldsByFormat = new Map([
	['deterministicJson', 'json'],
	['query', 'answer'],
	['question', 'answer'],
]);

/** Fields of requests that scrape pages or files, in markdown if they have no formats. */
const scraped = ['url', 'urls', 'binaryPropertyName', 'redactPII'];

/** The names of the formats of a request, also of that by default; none if it scrapes nothing. */
function expectedFormats(request: unknown): string[] {
	const names = [...formatsOf(request).keys()];
	const scrapes = scraped.some((name) => fieldOf(request, name) !== undefined);
	return names.length === 0 && scrapes ? ['markdown'] : names;
}

/** The URLs of documents: the first, and how many others. */
function listUrls(documents: readonly object[]): string {
	const urlOf = (document: object) =>
		firstText(fieldOf(fieldOf(document, 'metadata'), 'sourceURL'), fieldOf(document, 'url'));
	return firstOf(
		documents.map((document) => urlOf(document) || 'a page'),
		'page',
	);
}

/** The formats of text, and a screenshot's URL: without content, they are empty or blank. */
const texts = ['markdown', 'html', 'rawHtml', 'summary', 'screenshot'];

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

/** Whether extracted data has no value: nothing but nulls, empty texts, lists and objects. */
const isNothing = (value: unknown): boolean =>
	value === null ||
	isBlank(value) ||
	(typeof value === 'object' && Object.values(value).every(isNothing));

/** Shows a notice of each requested format that documents lack: servers omit what they are not set up for. */
export function noticeMissingFormats(
	request: unknown,
	documents: readonly object[],
	context: Pick<ReadContext, 'notice'>,
): void {
	// Of pages with an HTTP error, another remark tells.
	const pages = documents.filter((document) => errorStatusOf(document) === undefined);
	const redaction = scrapeOption(request, 'redactPII');
	for (const format of expectedFormats(request)) {
		const field = fieldsByFormat.get(format) ?? format;
		const lacking = pages.filter((page) => {
			const value = fieldOf(page, field) ?? undefined;
			return value === undefined || (field === 'json' && isNothing(value));
		});
		if (lacking.length > 0) {
			// A page without data has no item, which would name its cost.
			const credits = field === 'json' ? creditsOf(lacking) : undefined;
			const cost = credits ? ` (${pluralize(credits, 'credit')})` : '';
			context.notice(
				`No ${format} returned for ${listUrls(lacking)}${cost}: the page has none, or the server does not support the format.`,
			);
		}
		const empty = pages.filter((page) => texts.includes(field) && isBlank(fieldOf(page, field)));
		if (empty.length === 0) continue;
		const reason =
			redaction && format === 'markdown'
				? 'the server may lack the service that redacts personal data'
				: 'the page has no text that the server can read';
		context.notice(`The ${format} of ${listUrls(empty)} is empty: ${reason}.`);
	}
}

/** The formats that are a page's text, the one that is compared first. */
const textFormats = ['markdown', 'html', 'rawHtml'];

/** Whether a request has values and no text to compare them with, and may get markdown, too, for nothing. */
function lacksText(request: unknown, output: unknown): boolean {
	const formats = formatsOf(request);
	const isAlone = formats.has('json') && !textFormats.some((name) => formats.has(name));
	// Redaction costs by the page; the events of a webhook and another batch would have the text, too.
	const others = [scrapeOption(request, 'redactPII'), fieldOf(request, 'webhook')];
	const isOwn = ![...others, fieldOf(request, 'appendToId')].some(Boolean);
	return isAlone && isOwn && output !== 'raw';
}

/** A request that asks for markdown as well where JSON has no text beside it. It is not output. */
export function withPageText<Body extends object>(body: Body, output: unknown): Body {
	if (!lacksText(body, output)) return body;
	const formats = [scrapeOption(body, 'formats'), { type: 'markdown' }].flat();
	const options = fieldOf(body, 'scrapeOptions');
	return isRecord(options)
		? { ...body, scrapeOptions: { ...options, formats } }
		: { ...body, formats };
}

/** What a page is remarked for: a wall, values that it does not have, an HTTP error, or no content. */
type Kind = Blocked | 'values' | 'error status' | 'failed';

/** What to call a wall of each kind, and several, and what to try. */
const walls: Readonly<Record<Blocked, string[]>> = {
	'bot check': [
		'a bot check',
		'bot checks',
		`Try 'Proxy' Enhanced, a higher 'Wait For' or a 'Location', or send fewer requests to the site.`,
	],
	login: ['a login', 'logins', `Try a 'Profile', 'Headers' with a cookie, or a browser session.`],
	consent: ['a cookie wall', 'cookie walls', `Try 'Actions' that click the button.`],
	JavaScript: ['a shell without content', 'shells without content', `Try a higher 'Wait For'.`],
};

/** A wall with its article. */
export const nameOfWall = (kind: unknown): string => walls[kind as Blocked][0];

/** What was found in an execution so far. */
class Tally {
	pages = 0;
	values = 0;
	/** The pages by what they are remarked for: their URLs, with the HTTP status or the reason. */
	private readonly urls = new Map<Kind, string[]>();
	/** The remarks, each of which takes the place of the one before. */
	private readonly shown = new Map<Kind, string>();

	add(kind: Kind, url: string): void {
		const urls = this.urls.get(kind) ?? [];
		urls.push(url);
		this.urls.set(kind, urls);
	}

	/** Shows what was found: to a model without URLs, which are of the web. */
	show({ remark, errorSource: { node } }: ReadContext): void {
		for (const [kind, urls] of this.urls) {
			const text = this.about(kind, urls, isTool(node));
			remark(text, this.shown.get(kind));
			this.shown.set(kind, text);
		}
	}

	private about(kind: Kind, urls: string[], isForModel: boolean): string {
		const { length } = urls;
		const isOne = length === 1;
		if (kind === 'values')
			return this.values === 1
				? '1 value of 1 page is not on its page (notOnPage): the model may have concluded or made it up.'
				: `${this.values} values of ${pluralize(length, 'page')} are not on their pages (notOnPage): the model may have concluded or made them up.`;
		const more = length > mostNamed ? ', …' : '';
		const named = isForModel ? '' : `: ${urls.slice(0, mostNamed).join(', ')}${more}`;
		const told = (what: string, advice: string) =>
			`${length} of ${pluralize(this.pages, 'page')} ${what}${named}. ${advice}`;
		if (kind === 'failed') return told('failed', "'failed' of the items shows why.");
		if (kind === 'error status')
			return told(
				'returned an HTTP error instead of content',
				"'statusCode' of the items shows it.",
			);
		const [one, several, advice] = walls[kind];
		return told(
			isOne ? `is ${one}, not the page` : `are ${several}, not the pages`,
			isForModel
				? 'Do not repeat the call: the same call again will not help.'
				: `${isOne ? 'It was' : 'They were'} charged. ${advice}`,
		);
	}
}

/** Most URLs that a remark names. */
const mostNamed = 3;

/** The tallies of executions by their node, which n8n copies for each. */
const tallies = new WeakMap<INode, Tally>();

function tallyOf({ errorSource: { node } }: ReadContext): Tally {
	const tally = tallies.get(node) ?? new Tally();
	tallies.set(node, tally);
	return tally;
}

/** Shows a remark of the pages that a job could not scrape, each with its reason. */
export function remarkFailed(
	pages: Array<{ url: string; reason: string }>,
	context: ReadContext,
): void {
	const tally = tallyOf(context);
	tally.pages += pages.length;
	for (const { url, reason } of pages) tally.add('failed', `${url} (${reason})`);
	tally.show(context);
}

/** The paths of the values in a document's JSON that neither its text nor its metadata has. */
async function missingValues(document: IDataObject, schema: unknown): Promise<string[]> {
	const text = firstText(...textFormats.map((name) => fieldOf(document, name)));
	if (text === '' || isUnparsedPdf(text, document)) return [];
	const metadata = fieldOf(document, 'metadata');
	const about = ['title', 'description', 'sourceURL'].map((name) => fieldOf(metadata, name));
	const url = firstText(fieldOf(metadata, 'url')) || undefined;
	return await valuesNotOnPage(document.json, [...about, text].join('\n'), url, schema);
}

/** Characters processed in the time in which a page, and any other result, is known as what it is. */
const [workPerPage, workPerOther] = [1_000, 50];

/** Documents with `blocked` if they are no pages, and `notOnPage` if these lack values; remarks both. */
export async function judge(
	documents: readonly IDataObject[],
	context: ReadContext,
	kind: 'pages' | 'files' = 'pages',
): Promise<IDataObject[]> {
	const request = context.requests.at(0)?.body;
	const schema = fieldOf(formatsOf(request).get('json'), 'schema');
	const hidesText = lacksText(request, context.settings.output);
	const tally = tallyOf(context);
	const result: IDataObject[] = [];
	for (const document of documents) {
		const { metadata, url, json } = document;
		const isPage = kind === 'pages' && isRecord(metadata) && metadata.numPages === undefined;
		const blocked = isPage ? blockedBy(document) : undefined;
		const missing = typeof json === 'object' ? await missingValues(document, schema) : [];
		const address = String(fieldOf(metadata, 'sourceURL') ?? url);
		tally.pages += isRecord(metadata) ? 1 : 0;
		tally.values += missing.length;
		const status = isPage ? errorStatusOf(document) : undefined;
		if (blocked !== undefined) tally.add(blocked, address);
		else if (status !== undefined) tally.add('error status', `${address} (${status})`);
		if (missing.length > 0) tally.add('values', address);
		result.push(
			label(hidesText ? without(document, 'markdown') : document, {
				blocked,
				...(missing.length > 0 && { notOnPage: missing }),
			}),
		);
		if (completesTurn(isPage ? workPerPage : workPerOther)) await delay(0);
	}
	tally.show(context);
	return result;
}

/** The document of a response, with the other fields under `request`; or all. @throws if it has none */
export async function documentResult(
	response: IDataObject,
	context: ReadContext,
	kind?: 'pages' | 'files',
): Promise<Result> {
	const document = asRecord(requirePaidField(response, 'data', 'a document', context.errorSource));
	noticesIn(document).forEach(context.notice);
	noticeMissingFormats(context.requests.at(0)?.body, [document], context);
	const [json] = await judge([document], context, kind);
	if (context.settings.output === 'raw') return { json: response };
	return withRequest([{ json }], aboutRequest(response))[0];
}
