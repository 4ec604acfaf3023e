import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { eachInTurns } from '../../../runtime/host/turns';
import { fingerprint } from '../../../runtime/values/seenSet';
import type { Result } from '../../../runtime/operation/operation';
import { headingPath } from '../../../runtime/text/blocks';
import { repeatedTitle, repeatedUrl } from '../../documents/repeatedTexts';
import type { Changes, Insertion } from './changes';
import { chunksOf } from './chunks';

const hashLength = 22;

/** Hashes a text to a UUID (RFC 9562, version 8), which every vector store accepts as an ID. */
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

/**
 * Returns a function for the IDs of a page's chunks: equal texts have equal IDs, a repeated text
 * gets another one.
 */
function chunkIds(pageId: string): (text: string) => string {
	const times = new Map<string, number>();
	return (text) => {
		const time = (times.get(text) ?? 0) + 1;
		times.set(text, time);
		return uuidOf(`${pageId} ${time} ${text}`);
	};
}

/** Characters processed in the time of hashing a chunk and its ID. */
const workPerChunk = 50;

/** Adds the items of a page to store, in chunks of limited tokens. */
async function addInsertions(
	items: Result[],
	change: 'changed' | 'new',
	page: Insertion,
	maxTokens: number,
	request: IDataObject,
): Promise<void> {
	const { pageId, markdown } = page;
	const url = repeatedUrl(page.url);
	const title = repeatedTitle(page.title);
	const idOf = chunkIds(pageId);
	const chunks = await chunksOf(markdown, maxTokens);
	await eachInTurns(chunks, ({ text, headings, tableHead }, index) => {
		const json = {
			action: 'insert',
			change,
			pageId,
			url,
			title,
			chunkId: idOf(text),
			chunk: index + 1,
			chunks: chunks.length,
			headingPath: headingPath(headings),
			...(tableHead !== undefined && { tableHead }),
			text,
			hash: fingerprint(text, hashLength),
			request,
		};
		items.push({ json });
		return workPerChunk;
	});
}

/**
 * The changes of a website as items in the order in which a store processes them: first deletions,
 * one per removed or changed page, then insertions.
 */
export async function itemsOf(
	{ removed, changed, added }: Changes,
	maxTokens: number,
	request: IDataObject,
): Promise<Result[]> {
	const items: Result[] = [
		...removed.map((page) => ({ json: { action: 'delete', change: 'removed', ...page, request } })),
		...changed.map(({ storedId, url }) => ({
			json: { action: 'delete', change: 'changed', pageId: storedId, url, request },
		})),
	];
	for (const page of changed) await addInsertions(items, 'changed', page, maxTokens, request);
	for (const page of added) await addInsertions(items, 'new', page, maxTokens, request);
	return items;
}
