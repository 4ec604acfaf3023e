import { isRecord, fieldOf } from '../values/record';

/** Response fields with credits. */
const costFields = ['creditsUsed', 'creditsBilled', 'creditsCost'];

/** Replaces negative credits of a record by `null`. */
function mark(record: unknown): void {
	if (!isRecord(record)) return;
	for (const name of costFields) {
		const credits = fieldOf(record, name);
		if (typeof credits === 'number' && credits < 0) record[name] = null;
	}
}

/** Marks the credits in a document's metadata. */
function markDocument(document: unknown): void {
	mark(document);
	mark(fieldOf(document, 'metadata'));
}

const listsIn = (record: unknown): unknown[][] =>
	isRecord(record) ? Object.values(record).filter(Array.isArray) : [];

/**
 * Replaces unknown credits by `null`, so that no number is counted: the service returns -1 without
 * a database or if its query failed (docs/api-notes.md, Self-hosted servers). Changes the body in
 * place, only in the fields where responses and webhook events have credits, never in content of a
 * page.
 */
export function markUnknownCredits(body: unknown): void {
	const data = fieldOf(body, 'data');
	mark(body);
	markDocument(data);
	const lists = [...listsIn(body), ...listsIn(data)];
	for (const list of lists) for (const entry of list) markDocument(entry);
}

const amount = (value: unknown) =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** The cost in a response, in credits. Each endpoint has its own field for it. */
export function creditsIn(body: unknown): number | undefined {
	const data = fieldOf(body, 'data');
	return (
		amount(fieldOf(body, 'creditsUsed')) ??
		amount(fieldOf(body, 'creditsBilled')) ??
		amount(fieldOf(data, 'creditsUsed')) ??
		amount(fieldOf(data, 'creditsCost')) ??
		amount(fieldOf(fieldOf(data, 'metadata'), 'creditsUsed'))
	);
}
