import type { IDataObject, INode } from 'n8n-workflow';
import type { ReadContext, Result } from '../../runtime/execution/operation';
import {
	asRecord,
	label,
	noticesIn,
	requirePaidField,
	shortFields,
	without,
} from '../../runtime/output/results';
import { fieldOf, isRecord } from '../../runtime/values/record';
import { pluralize } from '../../runtime/values/text';
import { completesTurn, delay } from '../../runtime/values/time';
import { isTool } from '../../runtime/values/tool';
import { blockedBy, type Blocked } from './blocked';
import {
	isUnparsedPdf,
	noticeMissingFormats,
	requestedFormats,
	scrapeOption,
	typeOfFormat,
} from './document';
import { valuesNotOnPage } from './notOnPage';

/** Judges documents: whether each is its page, and whether its page has the values of its JSON. */

/** The formats that are a page's text, the one that is compared first. */
const textFormats = ['markdown', 'html', 'rawHtml'];

/** Whether a request has values and no text to compare them with, and may get markdown, too, for nothing. */
function lacksText(request: unknown, output: unknown): boolean {
	const types = requestedFormats(request).map(typeOfFormat);
	const isAlone = types.includes('json') && !textFormats.some((type) => types.includes(type));
	// Redaction costs by the page; the events of a webhook and another batch would have the text, too.
	const others = [scrapeOption(request, 'redactPII'), fieldOf(request, 'webhook')];
	const isOwn = ![...others, fieldOf(request, 'appendToId')].some(Boolean);
	return isAlone && isOwn && output !== 'raw';
}

/** A request that asks for markdown as well where JSON has no text beside it. It is not output. */
export function withPageText<Body extends object>(body: Body, output: unknown): Body {
	if (!lacksText(body, output)) return body;
	const formats = [...requestedFormats(body), { type: 'markdown' }];
	const options = fieldOf(body, 'scrapeOptions');
	return isRecord(options)
		? { ...body, scrapeOptions: { ...options, formats } }
		: { ...body, formats };
}

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
	/** The URLs of walls by kind, and of pages with values that they do not have. */
	readonly urls = new Map<Blocked | 'values', string[]>();
	values = 0;
	/** The remarks, each of which takes the place of the one before. */
	private readonly shown = new Map<string, string>();

	add(kind: Blocked | 'values', url: string): void {
		const urls = this.urls.get(kind) ?? [];
		urls.push(url);
		this.urls.set(kind, urls);
	}

	/** Shows what was found: to a model without URLs, which are of the web. */
	show({ remark, errorSource: { node } }: ReadContext): void {
		for (const [kind, urls] of this.urls) {
			const text =
				kind === 'values' ? this.aboutValues(urls) : this.aboutWalls(kind, urls, isTool(node));
			remark(text, this.shown.get(kind));
			this.shown.set(kind, text);
		}
	}

	private aboutValues({ length }: string[]): string {
		return this.values === 1
			? '1 value of 1 page is not on its page (notOnPage): the model may have concluded or made it up.'
			: `${this.values} values of ${pluralize(length, 'page')} are not on their pages (notOnPage): the model may have concluded or made them up.`;
	}

	private aboutWalls(kind: Blocked, urls: string[], isForModel: boolean): string {
		const [one, several, advice] = walls[kind];
		const are = urls.length === 1 ? `is ${one}, not the page` : `are ${several}, not the pages`;
		const what = `${urls.length} of ${pluralize(this.pages, 'page')} ${are}`;
		if (isForModel) return `${what}. Do not repeat the call: the same call again will not help.`;
		const named = urls.slice(0, mostNamed).join(', ') + (urls.length > mostNamed ? ', …' : '');
		return `${what}: ${named}. ${urls.length === 1 ? 'It was' : 'They were'} charged. ${advice}`;
	}
}

/** Most URLs that a remark names. */
const mostNamed = 3;

/** The tallies of executions by their node, which n8n copies for each. */
const tallies = new WeakMap<INode, Tally>();

const textOf = (document: object): string =>
	textFormats
		.map((name) => fieldOf(document, name))
		.find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? '';

/** The paths of the values in a document's JSON that neither its text nor its metadata has. */
async function missingValues(document: object, schema: unknown): Promise<string[]> {
	const [text, json] = [textOf(document), fieldOf(document, 'json')];
	if (text === '' || typeof json !== 'object' || isUnparsedPdf(text, document)) return [];
	const metadata = fieldOf(document, 'metadata');
	const about = ['title', 'description', 'sourceURL'].map((name) => fieldOf(metadata, name));
	const url = fieldOf(metadata, 'url');
	return await valuesNotOnPage(
		json,
		[...about, text].join('\n'),
		typeof url === 'string' ? url : undefined,
		schema,
	);
}

/** Characters processed in the time in which a page, and any other result, is known as what it is. */
const [workPerPage, workPerOther] = [1_000, 50];

/**
 * Documents with `blocked` where they are no pages, and `notOnPage` where their JSON has values that
 * the page has not; without markdown that was only to be compared. Shows a remark of both.
 */
export async function judged(
	documents: readonly IDataObject[],
	context: ReadContext,
	kind: 'pages' | 'files' = 'pages',
): Promise<IDataObject[]> {
	const request = context.requests.at(0)?.body;
	const format = requestedFormats(request).find((each) => typeOfFormat(each) === 'json');
	const hidesText = lacksText(request, context.settings.output);
	const { node } = context.errorSource;
	const tally = tallies.get(node) ?? new Tally();
	tallies.set(node, tally);
	const result: IDataObject[] = [];
	for (const document of documents) {
		const { metadata, url } = document;
		const isPage = kind === 'pages' && isRecord(metadata) && metadata.numPages === undefined;
		const blocked = isPage ? blockedBy(document) : undefined;
		const missing = await missingValues(document, fieldOf(format, 'schema'));
		const address = String(fieldOf(metadata, 'sourceURL') ?? url);
		tally.pages += isRecord(metadata) ? 1 : 0;
		tally.values += missing.length;
		if (blocked !== undefined) tally.add(blocked, address);
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

/**
 * The fields of a response beside its data and hints: ID, charge, notices
 * (https://docs.firecrawl.dev/api-reference/endpoint/search).
 */
export const aboutRequest = (body: IDataObject): IDataObject =>
	shortFields(without(body, 'data', 'success', 'agent_hints'));

/**
 * The document of a response as a result, with the response's other fields under `request`; or the
 * whole response.
 * @throws NodeOperationError if it has none
 */
export async function documentResult(
	response: IDataObject,
	context: ReadContext,
	kind?: 'pages' | 'files',
): Promise<Result> {
	const document = asRecord(requirePaidField(response, 'data', 'a document', context.errorSource));
	noticesIn(document).forEach(context.notice);
	noticeMissingFormats(context.requests.at(0)?.body, [document], context);
	const [json] = await judged([document], context, kind);
	if (context.settings.output === 'raw') return { json: response };
	return { json: label(json, { request: aboutRequest(response) }) };
}
