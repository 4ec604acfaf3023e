import { fingerprint } from '../values/seenSet';
import { isRecord } from '../values/record';
import { pathOf, type Request } from '../http/client';

/** Request fields that do not change the job: its webhook, and the client. */
const irrelevantFields = new Set(['webhook', 'origin', 'integration']);

/** Characters of a key, 6 bits each. */
const keyLength = 22;

/** JSON text with sorted field names. The order of arrays is significant. */
function sorted(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
	if (!isRecord(value)) return JSON.stringify(value);
	const names = Object.keys(value).sort();
	return `{${names.map((name) => `${JSON.stringify(name)}:${sorted(value[name])}`).join(',')}}`;
}

/** Canonical JSON of a value: equal for values that are sent alike. */
export const canonicalJson = (value: unknown): string =>
	value === undefined ? '' : sorted(JSON.parse(JSON.stringify(value)));

/**
 * Identifies a request by endpoint, body and account. Equal keys request the same job. Idempotency
 * keys are no part of it, since they are headers.
 */
export function requestKey(account: string, request: Request): string {
	const { endpoint, body = {} } = request;
	const requested = Object.fromEntries(
		Object.entries(body).filter(([name]) => !irrelevantFields.has(name)),
	);
	return fingerprint(
		canonicalJson([account, endpoint.method, pathOf(request), requested]),
		keyLength,
	);
}
