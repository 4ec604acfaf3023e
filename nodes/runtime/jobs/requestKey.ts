import { fingerprint } from '../values/seenSet';
import { isRecord } from '../values/record';
import { pathOf, type Request } from '../http/client';

/** Members of a request that do not change what its job does: whom it tells, and who asks. */
const beside = new Set(['webhook', 'origin', 'integration']);

/** Characters of a key, 6 bits each. */
const keyLength = 22;

/** JSON text of a value as it is sent: the order of members does not count, that of lists does. */
function sorted(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
	if (!isRecord(value)) return JSON.stringify(value);
	const members = Object.keys(value).sort();
	return `{${members.map((name) => `${JSON.stringify(name)}:${sorted(value[name])}`).join(',')}}`;
}

/** The JSON text of a value in one form: the same for values that are sent alike. */
export const canonicalJson = (value: unknown): string =>
	value === undefined ? '' : sorted(JSON.parse(JSON.stringify(value)));

/**
 * What a request is known by: endpoint and body, and the account that sends it. Two requests with the same
 * key ask for the same job. Keys of the user's own are no part of it: they stand in headers.
 */
export function requestKey(account: string, request: Request): string {
	const { endpoint, body = {} } = request;
	const asked = Object.fromEntries(Object.entries(body).filter(([name]) => !beside.has(name)));
	return fingerprint(canonicalJson([account, endpoint.method, pathOf(request), asked]), keyLength);
}
