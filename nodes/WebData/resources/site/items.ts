import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { fingerprint } from '../../../runtime/values/seenSet';
import type { Result } from '../../../runtime/operation/operation';
import { headingPath } from '../../../runtime/text/select';
import { repeatedTitle, repeatedUrl } from '../../documents/repeatedTexts';
import type { Changes, Insertion } from './changes';
import { chunksOf } from './chunks';

const hashLength = 22;

/** A text's fingerprint as a UUID (RFC 9562, version 8), which every vector store takes as an ID. */
function uuidOf(text: string): string {
	const hex = createHash('sha256').update(text).digest('hex');
	const variant = '89ab'[parseInt(hex[16], 16) % 4];
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		`8${hex.slice(13, 16)}`,
		variant + hex.slice(17, 20),
		hex.slice(20, 32),
	].join('-');
}

/** IDs of the chunks of a page: each the same as long as its text is; the same text once more has another. */
function chunkIds(pageId: string, texts: readonly string[]): string[] {
	const times = new Map<string, number>();
	return texts.map((text) => {
		const time = (times.get(text) ?? 0) + 1;
		times.set(text, time);
		return uuidOf(`${pageId} ${time} ${text}`);
	});
}

/** A page to be stored, in chunks of at most so many tokens. */
function insertions(found: 'changed' | 'new', page: Insertion, maxTokens: number): IDataObject[] {
	const { pageId, markdown } = page;
	const url = repeatedUrl(page.url);
	const title = repeatedTitle(page.title);
	const chunks = chunksOf(markdown, maxTokens);
	const ids = chunkIds(
		pageId,
		chunks.map(({ text }) => text),
	);
	return chunks.map(({ text, headings, tableHead }, index) => ({
		action: 'insert',
		found,
		pageId,
		url,
		title,
		chunkId: ids[index],
		chunk: index + 1,
		chunks: chunks.length,
		headingPath: headingPath(headings),
		...(tableHead !== undefined && { tableHead }),
		text,
		hash: fingerprint(text, hashLength),
	}));
}

/**
 * The changes of a website as items in the order in which a store takes them: first what is to be deleted,
 * a page each, of removed and of changed ones; then what is to be inserted.
 */
export function itemsOf(
	{ removed, changed, added }: Changes,
	maxTokens: number,
	request: IDataObject,
): Result[] {
	const deletions: IDataObject[] = [
		...removed.map((page) => ({ action: 'delete', found: 'removed', ...page })),
		...changed.map(({ storedId, url }) => ({
			action: 'delete',
			found: 'changed',
			pageId: storedId,
			url,
		})),
	];
	return [
		...deletions,
		...changed.flatMap((page) => insertions('changed', page, maxTokens)),
		...added.flatMap((page) => insertions('new', page, maxTokens)),
	].map((json) => ({ json: { ...json, request } }));
}
