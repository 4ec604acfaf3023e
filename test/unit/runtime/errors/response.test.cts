import {
	errorMessageIn,
	noticesIn,
	rejectedFields,
	retryRuleOf,
	type RetryRule,
} from '../../../../nodes/runtime/errors/response';
import { recordedExchanges } from '../../../mock/recorded/replay.cjs';

type Row = [status: number, code: string, repetition: RetryRule, rest?: object];

/** Row by row as the API documents its errors, and as servers were seen to answer. */
const rows: Row[] = [
	[200, 'SCRAPE_DNS_RESOLUTION_ERROR', 'never'],
	[400, 'BAD_REQUEST', 'never'],
	[402, 'insufficient_credits', 'never'],
	[403, 'A_CODE_THAT_NOBODY_KNOWS', 'never'],
	[408, 'SCRAPE_TIMEOUT', 'once'],
	[408, 'SCRAPE_TIMEOUT', 'always', { details: { state: 'processing_continues' } }],
	[408, 'MAP_TIMEOUT', 'always'],
	[409, 'request_in_flight', 'always'],
	[409, 'duplicate_request', 'never'],
	[500, 'SCRAPE_SITE_ERROR', 'once'],
	[500, 'SCRAPE_SITE_ERROR', 'always', { details: { retryable: true, origin: 'provider_proxy' } }],
	[500, 'SCRAPE_SITE_ERROR', 'never', { details: { retryable: false, origin: 'target_site' } }],
	[500, 'UNKNOWN_ERROR', 'always'],
	[503, 'request_unresolved', 'always'],
	[503, 'A_CODE_THAT_NOBODY_KNOWS', 'always'],
	[500, 'MAP_FAILED', 'once'],
	...`ALL_ENGINES_FAILED RETRY_LIMIT PROXY_SELECTION_ERROR PDF_PREFETCH_FAILED
	DOCUMENT_PREFETCH_FAILED PDF_ANTIBOT_ERROR DOCUMENT_ANTIBOT_ERROR PDF_FETCH_PROXY_ERROR
	DOCUMENT_FETCH_PROXY_ERROR`
		.split(/\s+/)
		.map((code): Row => [500, `SCRAPE_${code}`, 'once']),
	...`SSL_ERROR ACTION_ERROR UNSUPPORTED_FILE_ERROR BRANDING_NOT_SUPPORTED SITE_RESTRICTION_BLOCKED
	ZDR_VIOLATION_ERROR PDF_INSUFFICIENT_TIME_ERROR PDF_OCR_REQUIRED AUDIO_UNSUPPORTED_URL
	VIDEO_UNSUPPORTED_URL`
		.split(/\s+/)
		.map((code): Row => [500, `SCRAPE_${code}`, 'never']),
];

describe('how often a refusal is repeated', () => {
	it.each(rows)('%i %s: %s', (status, code, repetition, rest = {}) => {
		const body = { success: false, code, error: 'In words.', ...rest };
		expect(retryRuleOf({ status, headers: {}, body })).toBe(repetition);
	});

	it.each<[number, unknown, RetryRule]>([
		[503, { error: 'Browser feature is not configured (no BROWSER_SERVICE_URL).' }, 'never'],
		[503, { error: 'Parse upload references are not configured.' }, 'never'],
		[429, { error: 'The free requests of today are spent.', reason: 'requests' }, 'never'],
		[429, { error: 'You have too many open browser sessions.' }, 'never'],
		[429, { error: 'You have reached the maximum number of active browser sessions.' }, 'never'],
		[429, { error: 'Queue limit reached: 50000 jobs.' }, 'always'],
		[500, { error: 'SCRAPE_SSL_ERROR' }, 'never'],
		[502, '<html>Bad Gateway</html>', 'always'],
		[504, undefined, 'always'],
	])('%i %j: %s', (status, body, repetition) => {
		expect(retryRuleOf({ status, headers: {}, body })).toBe(repetition);
	});
});

it.each([
	['  No luck ', 'No luck'],
	[{ code: 'E1', message: 'No luck' }, 'No luck (E1)'],
	[{ code: 'E1', message: 'No luck: E1' }, 'No luck: E1'],
	[{ code: 'E1' }, 'E1'],
	[{ code: 7 }, undefined],
	['', undefined],
	[null, undefined],
])('The message of the error %j is %j', (error, message) => {
	expect(errorMessageIn(error)).toBe(message);
});

it('The problems of rejected requests, as recorded, have the paths of their fields', () => {
	const rejections = recordedExchanges().flatMap(({ steps }) =>
		steps.flatMap(({ response: { status, body } }) => {
			const details: unknown = Reflect.get(Object(body), 'details');
			return Array.isArray(details) ? [{ status, headers: {}, body, details }] : [];
		}),
	);
	expect(rejections.length).toBeGreaterThan(90);
	for (const { details, ...response } of rejections) {
		const [issue] = Object(details);
		const path = [...issue.path, ...(issue.keys ?? []).slice(0, 1)];
		expect(rejectedFields(response)[0].path.slice(0, path.length)).toEqual(path);
	}
});

it.each<[body: object, notices: string[]]>([
	[{}, []],
	[{ warning: null }, []],
	[{ warning: 'a' }, ['a']],
	[{ warnings: ['b', 'c'] }, ['b', 'c']],
	[{ warning: 'a', warnings: ['b', '', null, 5] }, ['a', 'b']],
	[{ warning: '', warnings: 'not a list' }, []],
	[{ agent_hints: ['a', 5] }, ['Hint of the server: a']],
])('%j has the notices %j', (body, notices) => {
	expect(noticesIn(body)).toEqual(notices);
});
