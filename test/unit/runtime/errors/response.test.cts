import {
	errorMessageIn,
	retryRuleOf,
	type RetryRule,
} from '../../../../nodes/runtime/errors/response';

type Row = [status: number, code: string, repetition: RetryRule, rest?: object];

/** Row by row as the API documents its errors, and as servers were seen to answer. */
const rows: Row[] = [
	[200, 'SCRAPE_DNS_RESOLUTION_ERROR', 'never'],
	[400, 'BAD_REQUEST', 'never'],
	[400, 'BAD_REQUEST_INVALID_JSON', 'never'],
	[400, 'THIRD_PARTY_DATA_UNSUPPORTED_URL', 'never'],
	[400, 'THIRD_PARTY_DATA_UNSUPPORTED_OPTION', 'never'],
	[400, 'SCRAPE_ACTIONS_NOT_SUPPORTED', 'never'],
	[400, 'SCRAPE_JSON_CONTENT_TOO_LARGE', 'never'],
	[400, 'PARSE_UNSUPPORTED_OPTIONS', 'never'],
	[400, 'UNSUPPORTED_FILE_TYPE', 'never'],
	[402, 'insufficient_credits', 'never'],
	[403, 'THIRD_PARTY_DATA_NOT_ENABLED', 'never'],
	[403, 'SCRAPE_PROMPT_INJECTION_DETECTED', 'never'],
	[403, 'SCRAPE_SITE_RESTRICTION_BLOCKED', 'never'],
	[500, 'SCRAPE_SITE_RESTRICTION_BLOCKED', 'never'],
	[404, 'SCRAPE_NO_CACHED_DATA', 'never'],
	[404, 'SCRAPE_LOCKDOWN_CACHE_MISS', 'never'],
	[408, 'SCRAPE_TIMEOUT', 'once'],
	[408, 'SCRAPE_TIMEOUT', 'identical', { details: { state: 'processing_continues' } }],
	[408, 'CONCURRENCY_QUEUE_TIMEOUT', 'always'],
	[408, 'MAP_TIMEOUT', 'always'],
	[500, 'MAP_FAILED', 'once'],
	[409, 'request_in_flight', 'identical'],
	[409, 'duplicate_request', 'never'],
	[500, 'SCRAPE_SITE_ERROR', 'once'],
	[500, 'SCRAPE_SITE_ERROR', 'always', { details: { retryable: true, origin: 'provider_proxy' } }],
	[500, 'SCRAPE_SITE_ERROR', 'never', { details: { retryable: false, origin: 'target_site' } }],
	[500, 'SCRAPE_ALL_ENGINES_FAILED', 'once'],
	[500, 'SCRAPE_RETRY_LIMIT', 'once'],
	[500, 'SCRAPE_PROXY_SELECTION_ERROR', 'once'],
	[500, 'SCRAPE_PDF_PREFETCH_FAILED', 'once'],
	[500, 'SCRAPE_DOCUMENT_PREFETCH_FAILED', 'once'],
	[500, 'SCRAPE_PDF_ANTIBOT_ERROR', 'once'],
	[500, 'SCRAPE_DOCUMENT_ANTIBOT_ERROR', 'once'],
	[500, 'SCRAPE_PDF_FETCH_PROXY_ERROR', 'once'],
	[500, 'SCRAPE_DOCUMENT_FETCH_PROXY_ERROR', 'once'],
	[500, 'SCRAPE_SSL_ERROR', 'never'],
	[500, 'SCRAPE_ACTION_ERROR', 'never'],
	[500, 'SCRAPE_UNSUPPORTED_FILE_ERROR', 'never'],
	[500, 'SCRAPE_BRANDING_NOT_SUPPORTED', 'never'],
	[500, 'SCRAPE_ZDR_VIOLATION_ERROR', 'never'],
	[500, 'SCRAPE_PDF_INSUFFICIENT_TIME_ERROR', 'never'],
	[500, 'SCRAPE_PDF_OCR_REQUIRED', 'never'],
	[500, 'SCRAPE_AUDIO_UNSUPPORTED_URL', 'never'],
	[500, 'SCRAPE_VIDEO_UNSUPPORTED_URL', 'never'],
	[500, 'UNKNOWN_ERROR', 'always'],
	[503, 'request_unresolved', 'always'],
	[503, 'A_CODE_THAT_NOBODY_KNOWS', 'always'],
	[403, 'A_CODE_THAT_NOBODY_KNOWS', 'never'],
];

describe('how often a refusal is repeated', () => {
	it.each(rows)('%i %s: %s', (status, code, repetition, rest = {}) => {
		const body = { success: false, code, error: 'In words.', ...rest };
		expect(retryRuleOf({ status, body })).toBe(repetition);
	});

	it.each<[number, unknown, RetryRule]>([
		[
			503,
			{ error: 'Browser feature is not configured (BROWSER_SERVICE_URL is missing).' },
			'never',
		],
		[503, { error: 'Parse upload references are not configured.' }, 'never'],
		[503, { error: 'Service Unavailable' }, 'always'],
		[501, { error: 'Not available when database authentication is disabled.' }, 'never'],
		[429, { error: 'The free requests of today are spent.', reason: 'requests' }, 'never'],
		[429, { error: 'You have too many open browser sessions.' }, 'never'],
		[429, { error: 'You have reached the maximum number of active browser sessions.' }, 'never'],
		[429, { error: 'Maximum number of active browser sessions reached.' }, 'never'],
		[429, { error: 'Rate limit exceeded.' }, 'always'],
		[429, { error: 'Queue limit reached: 50000 jobs.' }, 'always'],
		[500, { error: 'SCRAPE_SSL_ERROR' }, 'never'],
		[502, '<html>Bad Gateway</html>', 'always'],
		[504, undefined, 'always'],
	])('%i %j: %s', (status, body, repetition) => {
		expect(retryRuleOf({ status, body })).toBe(repetition);
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
