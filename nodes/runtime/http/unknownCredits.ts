import { isRecord, fieldOf } from '../values/record';

/** Members by which answers tell credits. */
const costMembers = ['creditsUsed', 'creditsBilled', 'creditsCost'];

/** Writes `null` where a record tells a negative number of credits. */
function mark(record: unknown): void {
	if (!isRecord(record)) return;
	for (const name of costMembers) {
		const credits = fieldOf(record, name);
		if (typeof credits === 'number' && credits < 0) record[name] = null;
	}
}

/** A document tells its credits in its metadata. */
function markDocument(document: unknown): void {
	mark(document);
	mark(fieldOf(document, 'metadata'));
}

const listsIn = (record: unknown): unknown[][] =>
	isRecord(record) ? Object.values(record).filter(Array.isArray) : [];

/**
 * Marks credits that the service does not know: it answers -1 where it has no database or its query
 * failed (docs/api-notes.md, Self-hosted servers). In `null`, nobody counts a number that is none.
 * Changes the body in place: the places are those where answers and deliveries tell credits, never
 * what was read from a page.
 */
export function markUnknownCredits(body: unknown): void {
	const data = fieldOf(body, 'data');
	mark(body);
	markDocument(data);
	const lists = [...listsIn(body), ...listsIn(data)];
	for (const list of lists) for (const entry of list) markDocument(entry);
}
