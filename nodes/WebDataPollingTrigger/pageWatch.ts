import type { IDataObject } from 'n8n-workflow';
import { eachInTurns } from '../runtime/host/turns';
import { settingsFields } from '../runtime/form/settings';
import { pluralize, fitsGlob } from '../runtime/values/text';
import { fieldOf, isRecord, type JsonRecord } from '../runtime/values/record';
import { fingerprint, keyHash } from '../runtime/values/seenSet';
import { batchKind, batchStart } from '../WebData/documents/batch';
import { canonical, errorStatusOf, isGone } from '../WebData/documents/document';
import { scrapeByJob } from '../WebData/documents/scrapeByJob';
import {
	fieldChanges,
	fieldsDiff,
	flatFields,
	storedFields,
	textDiff,
	unifiedDiff,
	withChanges,
} from './pageDiff';
import { pageRequest, type PageRequest } from './pageRequest';
import {
	pageStateIn,
	toStored,
	transition,
	type Observation,
	type PageState,
	type Rules,
} from './pageState';
import { watch, type CheckContext, type Finding } from './watch';

/** Characters of all pages' contents in n8n's static data, and of one page. */
const maxContentOfAll = 200_000;
const maxContentOfPage = 50_000;

/** A page after a check: what was scraped of it, and what is compared. */
interface CheckedPage {
	url: string;
	document?: IDataObject;
	seen: Observation;
}

const isCompared =
	({ ignoreLines }: PageRequest) =>
	(line: string): boolean =>
		!ignoreLines.some((pattern) => fitsGlob(line.trim(), pattern));

/** The content of a document that is compared with the last check. */
function contentOf({ markdown, json, metadata }: IDataObject, request: PageRequest): string {
	if (request.compare === 'fields') return JSON.stringify(flatFields(json));
	if (request.compare === 'status') {
		return JSON.stringify({
			statusCode: fieldOf(metadata, 'statusCode') ?? null,
			url: fieldOf(metadata, 'url') ?? null,
		});
	}
	const lines = typeof markdown === 'string' ? markdown.split('\n') : [];
	return lines
		.map((line) => line.trimEnd())
		.filter(isCompared(request))
		.join('\n');
}

function observe(document: IDataObject, request: PageRequest): Observation {
	if (isGone(document)) return { is: 'gone' };
	const status = errorStatusOf(document);
	if (status !== undefined) return { is: 'failed', error: `The page returns HTTP ${status}` };
	return { is: 'up', content: contentOf(document, request) };
}

/**
 * The formats to scrape; the hosted service also compares texts, but not by hand: it would
 * remember them.
 */
function formatsOf(
	{ compare, prompt, schema }: PageRequest,
	{ isHosted, isManual, errorSource }: CheckContext,
) {
	const markdown = { type: 'markdown' as const };
	if (compare === 'fields') return [{ type: 'json' as const, prompt, schema }];
	if (compare === 'status' || !isHosted || isManual) return [markdown];
	const tag = `n8n-${errorSource.node.id}`.slice(0, 100);
	return [markdown, { type: 'changeTracking' as const, modes: ['git-diff'], tag }];
}

/** Scrapes all pages in one batch. Pages without an outcome are omitted: they are left for later. */
async function scrape(request: PageRequest, context: CheckContext) {
	const urls = new Map(request.urls.map((url) => [canonical(url), url]));
	const job = await scrapeByJob(
		batchKind,
		batchStart({
			urls: [...urls.values()],
			// A cached copy would hide a change for two days.
			maxAge: 0,
			...request.scrapeOptions,
			formats: formatsOf(request, context),
		}),
		context,
	);
	const pages = new Map<string, CheckedPage>();
	const add = (source: unknown, document: IDataObject | undefined, seen: Observation) => {
		const key = canonical(source);
		const url = urls.get(key);
		if (url !== undefined) pages.set(key, { url, document, seen });
	};
	for (const { url, error } of job.failed) add(url, undefined, { is: 'failed', error });
	await eachInTurns(job.documents, (document) => {
		const { metadata, markdown } = document;
		add(
			fieldOf(metadata, 'sourceURL') ?? fieldOf(metadata, 'url'),
			document,
			observe(document, request),
		);
		return String(markdown).length * (1 + request.ignoreLines.length);
	});
	return { pages, urls, job };
}

/** The rules for the pages of a check. */
function rulesOf(request: PageRequest, context: CheckContext): Rules {
	// The hosted service has the previous text itself.
	const isRetained = request.compare !== 'text' || !context.isHosted;
	const maxContent = Math.min(maxContentOfPage, Math.floor(maxContentOfAll / request.urls.length));
	return {
		at: context.now.toISOString(),
		errorsInRow: context.trigger.errorsInRow,
		maxContent: isRetained ? maxContent : 0,
		changedContent: (retained, content) => {
			if (request.compare !== 'fields' || retained === undefined) return content;
			const [before, current] = [storedFields(retained), storedFields(content)];
			const changes = fieldChanges(before, current, request);
			return changes.length === 0
				? undefined
				: JSON.stringify(withChanges(before, current, changes));
		},
	};
}

/** A content as it is in an item. */
const shown = (content: string | undefined, { compare }: PageRequest): IDataObject | null => {
	if (content === undefined) return null;
	return compare === 'text' ? { markdown: content } : (storedFields(content) as IDataObject);
};

/** The difference of a page from its last check, if it is known. */
function diffOf(
	before: PageState | undefined,
	content: string,
	document: IDataObject,
	request: PageRequest,
): unknown {
	const retained = before?.retained;
	if (request.compare !== 'text') {
		return retained === undefined
			? undefined
			: fieldsDiff(fieldChanges(storedFields(retained), storedFields(content), request));
	}
	if (retained !== undefined) return textDiff(retained, content);
	const text = fieldOf(fieldOf(document.changeTracking, 'diff'), 'text');
	return typeof text === 'string' ? unifiedDiff(text, isCompared(request)) : undefined;
}

/** The fields of an item of a page. */
function itemOf(
	{ url, document = {}, seen }: CheckedPage,
	change: string,
	before: PageState | undefined,
	request: PageRequest,
): IDataObject {
	const { metadata } = document;
	const content = seen.is === 'up' ? seen.content : undefined;
	const diff =
		change === 'changed' && content !== undefined
			? diffOf(before, content, document, request)
			: undefined;
	const about: JsonRecord = {
		url,
		finalUrl: fieldOf(metadata, 'url'),
		title: fieldOf(metadata, 'title'),
		statusCode: fieldOf(metadata, 'statusCode'),
		change,
		...(seen.is === 'failed' && { error: seen.error }),
		current: shown(content, request),
		previous: shown(before?.retained, request),
		...(diff !== undefined && { diff }),
	};
	return about as IDataObject;
}

/** Identifies the compared content: another one makes every page a first check. */
const setupOf = ({ compare, prompt, schema, ignoreLines, scrapeOptions }: PageRequest): string =>
	fingerprint(JSON.stringify([compare, prompt, schema, ignoreLines, scrapeOptions]), 11);

/** Polls pages. */
export const pageWatch = watch({
	name: 'Pages',
	value: 'page',
	description: 'Pages that change, appear, vanish or fail',
	action: 'On changed pages',
	request: pageRequest,
	settings: settingsFields('maxCreditsPerExecution', 'maxRetryTime', 'maxWait'),
	async check(request, state, context) {
		const setup = setupOf(request);
		const stored = state?.setup === setup && isRecord(state.pages) ? state.pages : {};
		const { pages, urls, job } = await scrape(request, context);
		const rules = rulesOf(request, context);
		const found: Finding[] = [];
		const next: IDataObject = {};
		for (const key of urls.keys()) {
			const name = keyHash(key);
			const before = pageStateIn(stored[name]);
			const page = pages.get(key);
			if (!page) {
				if (before) next[name] = toStored(before);
				continue;
			}
			const { next: after, changes, isFirst } = transition(before, page.seen, rules);
			next[name] = toStored(after);
			for (const change of changes) {
				const json: IDataObject = {
					...itemOf(page, change, before, request),
					checkedAt: rules.at,
					previousCheckAt: before?.at ?? null,
					request: { jobId: job.jobId, creditsUsed: job.credits },
				};
				const id = `${name} ${change} ${after.mark ?? ''}`;
				// A page that fails from the start is no result of before.
				found.push({ id, result: { json }, isExisting: isFirst && change !== 'failed' });
			}
		}
		return {
			found,
			nextState: { setup, pages: next },
			checked: `${pluralize(pages.size, 'page')} of ${urls.size}`,
		};
	},
});
