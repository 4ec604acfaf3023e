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
	/** Whether contents with different hashes differ in what counts. */
	isChanged(retained: string | undefined, content: string): boolean;
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

/** Compares the outcome of scraping a page with its state. */
export function transition(
	before: PageState | undefined,
	seen: Observation,
	{ at, errorsInRow, maxContent, isChanged }: Rules,
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
	const mark = fingerprint(content, markLength);
	// A page that failed at first has no content to compare with.
	const isUnknown = isFirst || before.mark === undefined;
	const differs = !isUnknown && before.mark !== mark && isChanged(before.retained, content);
	const isBaseline = isUnknown || before.is === 'gone' || differs;
	const retained = content.length <= maxContent ? content : undefined;
	const compared: Pick<PageState, 'mark' | 'retained'> = isBaseline
		? { mark, ...(retained !== undefined && { retained }) }
		: { mark: before.mark, ...(before.retained !== undefined && { retained: before.retained }) };
	return {
		next: { is: 'up', at, ...compared },
		changes: isFirst ? ['new'] : changesOf(before, differs),
		isFirst,
	};
}

/** The state of a page for n8n's static data. */
export const toStored = (state: PageState): IDataObject => ({ ...state });
