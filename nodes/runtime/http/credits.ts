import { fieldOf, isRecord } from '../values/record';

/**
 * Replaces unknown credits by `null`, so that no number is counted: the service returns -1 without
 * a database or if its query failed (docs/api-notes.md, Self-hosted servers). Changes the body in
 * place.
 */
export function markUnknownCredits(body: unknown): void {
	const credits = fieldOf(body, 'creditsUsed');
	if (isRecord(body) && typeof credits === 'number' && credits < 0) body.creditsUsed = null;
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
