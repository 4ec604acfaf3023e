import type { IDataObject } from 'n8n-workflow';
import { fingerprint } from '../runtime/values/seenSet';
import { isRecord } from '../runtime/values/record';

const markLength = 22;

/** The state of a page between checks. */
export interface PageState {
	/** `unseen`: it has failed since the first check, less often than counts. */
	is: 'failed' | 'gone' | 'unseen' | 'up';
	/** Time of its last check. */
	at: string;
	/** Failed checks in a row. */
	failures?: number;
	/** Hash of its compared content. */
	mark?: string;
	/** Its compared content, if short enough. */
	retained?: string;
}

/** The outcome of scraping a page. */
export type Observation =
	| { is: 'up'; content: string }
	| { is: 'gone' }
	| { is: 'failed'; error: string };

/** The kinds of findings of a page. */
export type PageChange = 'changed' | 'failed' | 'new' | 'recovered' | 'removed';

/** The rules by which a page changes its state. */
export interface Rules {
	/** Time of the check. */
	at: string;
	/** Failed checks in a row after which a page counts as failed. */
	errorsInRow: number;
	/** Most characters of content to keep. */
	maxContent: number;
	/**
	 * The content to compare with from now on, of contents with different hashes; undefined if
	 * nothing that counts has changed.
	 */
	changedContent(retained: string | undefined, content: string): string | undefined;
}

/** The next state of a page, and its changes. */
export interface Transition {
	next: PageState;
	changes: PageChange[];
	/** Whether it is the first time that the page was scraped. */
	isFirst: boolean;
}

const kinds = ['failed', 'gone', 'unseen', 'up'] as const;

/** Reads the stored state of a page. */
export function pageStateIn(stored: unknown): PageState | undefined {
	if (!isRecord(stored)) return undefined;
	const { at, failures, mark, retained } = stored;
	const is = kinds.find((kind) => kind === stored.is);
	if (is === undefined || typeof at !== 'string') return undefined;
	return {
		is,
		at,
		...(typeof failures === 'number' && { failures }),
		...(typeof mark === 'string' && { mark }),
		...(typeof retained === 'string' && { retained }),
	};
}

/** The changes of a page that could be scraped. */
function changesOf(before: PageState, isChanged: boolean): PageChange[] {
	if (before.is === 'gone') return ['new'];
	return [
		...(before.is === 'failed' ? (['recovered'] as const) : []),
		...(isChanged ? (['changed'] as const) : []),
	];
}

const markOf = (content: string): string => fingerprint(content, markLength);

/** The content to compare with next time: in full if it is short enough, else by its hash. */
const contentState = (
	content: string,
	compared: string,
	maxContent: number,
): Pick<PageState, 'mark' | 'retained'> =>
	compared.length <= maxContent
		? { mark: markOf(compared), retained: compared }
		: { mark: markOf(content) };

/** Compares the outcome of scraping a page with its state. */
export function transition(
	before: PageState | undefined,
	seen: Observation,
	{ at, errorsInRow, maxContent, changedContent }: Rules,
): Transition {
	const isFirst = before === undefined || before.is === 'unseen';
	if (seen.is === 'failed') {
		const failures = (before?.failures ?? 0) + 1;
		const isFailed = failures >= errorsInRow;
		return {
			next: { ...before, is: isFailed ? 'failed' : (before?.is ?? 'unseen'), failures, at },
			changes: isFailed && before?.is !== 'failed' ? ['failed'] : [],
			isFirst,
		};
	}
	if (seen.is === 'gone') {
		return { next: { is: 'gone', at }, changes: before?.is === 'gone' ? [] : ['removed'], isFirst };
	}
	const { content } = seen;
	// A page that failed at first, or was gone, has no content to compare with.
	const isUnknown = before?.mark === undefined;
	const changed =
		isUnknown || before.mark === markOf(content)
			? undefined
			: changedContent(before.retained, content);
	const { mark, retained } =
		isUnknown || changed !== undefined
			? contentState(content, changed ?? content, maxContent)
			: before;
	return {
		next: { is: 'up', at, mark, ...(retained !== undefined && { retained }) },
		changes: isFirst ? ['new'] : changesOf(before, changed !== undefined),
		isFirst,
	};
}

/** The state of a page for n8n's static data. */
export const toStored = (state: PageState): IDataObject => ({ ...state });
