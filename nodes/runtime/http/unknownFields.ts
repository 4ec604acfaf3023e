import type { Request } from './client';
import { fromJson } from '../values/json';
import { fieldAt, without, type FieldPath } from '../form/passUnknown';
import { isRecord, fieldOf } from '../values/record';
import { problemsIn } from '../api/refusedFields';
import type { Failure } from '../api/retry';

/**
 * Fields that are never omitted: without them a request costs or exposes more than its user allows.
 */
const guards = new Set([
	'checkPromptInjection',
	'enterprise',
	'limit',
	'lockdown',
	'maxCredits',
	'minAge',
	'redactPII',
	'threatProtection',
	'zeroDataRetention',
]);

/** The fields that a server reports as unknown; none unless it rejected the request for them. */
function unknownFields(failure: Failure): FieldPath[] {
	if (!('response' in failure) || failure.response.status !== 400) return [];
	return problemsIn(fieldOf(failure.response.body, 'details'))
		.filter(({ isUnknown }) => isUnknown)
		.map(({ path }) => path);
}

/** Replaces the JSON part of a form. */
function withOptions(form: FormData, options: unknown): FormData {
	const copy = new FormData();
	for (const [name, part] of form) {
		copy.append(name, name === 'options' ? JSON.stringify(options) : part);
	}
	return copy;
}

/** The rest of a request, and the omitted fields. */
interface Rest {
	parts: Pick<Request, 'body' | 'query'>;
	left: FieldPath[];
}

/**
 * Omits the fields of a request that a server rejected as unknown; undefined if nothing can be
 * omitted.
 */
export function withoutUnknownFields(
	{ body, query = {} }: Pick<Request, 'body' | 'query'>,
	failure: Failure,
): Rest | undefined {
	const left = unknownFields(failure);
	const given: unknown = body instanceof FormData ? fromJson(body.get('options')) : (body ?? query);
	const isSent = (path: FieldPath) => fieldAt(given, path) !== undefined;
	const isGuard = (path: FieldPath) => path.some((step) => guards.has(String(step)));
	if (left.length === 0 || left.some(isGuard) || !left.every(isSent)) return undefined;
	if (!body) {
		const known = Object.entries(query).filter(([name]) => !left.some(([first]) => first === name));
		return { parts: { query: Object.fromEntries(known) }, left };
	}
	const rest = left.reduce<unknown>(without, given);
	// Without any known field, the request would be empty.
	const isEmpty = isRecord(rest) && Object.keys(rest).length === 0;
	if (!isRecord(rest) || (isEmpty && !(body instanceof FormData))) return undefined;
	return { parts: { body: body instanceof FormData ? withOptions(body, rest) : rest }, left };
}
