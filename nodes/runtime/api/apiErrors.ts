import { errorMessageIn } from './errorMessage';
import { fieldOf } from '../values/record';
import { fact, forCaller, forUser, type Advice } from './sentence';

/**
 * The service's errors and whether a retry can succeed:
 * https://docs.firecrawl.dev/api-reference/errors and docs/api-notes.md, "Errors and repeats".
 */

/** The parts of a response that identify an error. */
interface ErrorResponse {
	status: number;
	body: unknown;
}

/**
 * Retry rule of an error: `never`, `once`, `always` (as often as the user allows), or `identical`
 * (as often, with the same request, since the service is still processing it).
 */
export type RetryRule = 'never' | 'once' | 'always' | 'identical';

const blockedDownload = [
	fact('The site blocks the download.'),
	forCaller('Try again later.'),
	forUser(`Another country in 'Location' may help.`),
];

const noSeparateUpload = [
	fact('This server does not support presigned uploads.'),
	forUser(`Set 'Upload Method' to Multipart.`),
];

/** Message of a start whose key the service has seen before. */
export const knownKey = /idempotency key/i;

/** Facts about an error code. */
interface ApiErrorFacts {
	advice: Advice;
	/** Retry rule, if it differs from that of the status. */
	retry?: RetryRule;
	/** Price of the failure: only the threat scan, or a page missing in the cache. */
	price?: 'scan' | 'lockdownMiss';
	/** Whether it may have been charged. */
	mayBeCharged?: boolean;
}

/**
 * The service's error codes (https://docs.firecrawl.dev/api-reference/errors; docs/api-notes.md,
 * Errors and repeats).
 */
const apiErrors: Readonly<Record<string, ApiErrorFacts>> = {
	AGENT_INDEX_ONLY: {
		advice: [
			fact('A key created by an agent can do this only after its owner confirms it.'),
			forUser('Confirm it, or use another key.'),
		],
	},
	BAD_REQUEST_INVALID_JSON: {
		advice: [
			fact('The server could not parse the request.'),
			forUser('Please report this to the maintainers of this node.'),
		],
	},
	CONCURRENCY_QUEUE_TIMEOUT: {
		advice: [
			fact('All browsers of the plan were busy for too long.'),
			forCaller('Try again later.'),
			forUser(`Lower 'Max Concurrency', raise 'Timeout', or use a batch, which queues its pages.`),
		],
	},
	CRAWL_DENIAL: {
		advice: [fact('The site does not allow crawling.'), forCaller('Try single pages instead.')],
	},
	DB_DISABLED: {
		advice: [fact('This server does not support feedback.'), forUser('The hosted service does.')],
		retry: 'never',
	},
	FEEDBACK_WINDOW_EXPIRED: {
		advice: [
			fact('Feedback is only accepted shortly after the job, for a search about 2 minutes.'),
			forCaller('Send it earlier.'),
		],
	},
	MAP_FAILED: {
		advice: [
			forCaller('Check the URL, or narrow the request.'),
			fact('A crawl discovers URLs in another way.'),
		],
		retry: 'once',
		mayBeCharged: true,
	},
	MAP_TIMEOUT: {
		advice: [
			forCaller('Map a part of the site, or narrow the request.'),
			forUser(`A higher 'Timeout' allows more time.`),
		],
		mayBeCharged: true,
	},
	PARSE_UNSUPPORTED_OPTIONS: {
		advice: [fact('This option is not supported for files.'), forUser('Remove it.')],
	},
	PARSE_UPLOAD_REF_SECRET_MISSING: { advice: noSeparateUpload, retry: 'never' },
	PARSE_UPLOAD_STORAGE_DISABLED: { advice: noSeparateUpload, retry: 'never' },
	PARSE_UPLOAD_UNPARSED_LIMIT_REACHED: {
		advice: [
			fact('Too many files were uploaded but not parsed in the last 24 hours.'),
			forUser(`Set 'Upload Method' to Multipart.`),
		],
		retry: 'never',
	},
	PREVIEW_TEAM_NOT_ALLOWED: {
		advice: [fact('Feedback is disabled for the team.'), forUser('Remove this step.')],
	},
	SAFE_MODE_BLOCKED: {
		advice: [
			fact(`The team's safe mode does not allow this.`),
			forUser(`Ask the team's administrator.`),
		],
	},
	SCRAPE_ACTION_ERROR: {
		advice: [
			fact('An action failed on the page.'),
			forUser(`Check selectors and order of 'Actions'; a Wait before a Click often helps.`),
		],
		retry: 'never',
	},
	SCRAPE_ACTIONS_NOT_SUPPORTED: {
		advice: [
			fact('This server cannot run actions.'),
			forUser(`Remove 'Actions' or use the hosted service.`),
		],
	},
	SCRAPE_ALL_ENGINES_FAILED: {
		advice: [
			fact(
				'All scraping engines failed: the site may block them, or the server has no engine for the request.',
			),
			forCaller('Check the URL, or try again later.'),
			forUser('Check the formats and the scrape options.'),
		],
		retry: 'once',
	},
	SCRAPE_AUDIO_UNSUPPORTED_URL: {
		advice: [fact('This page has no supported audio.'), forCaller('Use the URL of another page.')],
		retry: 'never',
	},
	SCRAPE_BRANDING_NOT_SUPPORTED: {
		advice: [fact('This server does not support Branding.'), forUser('The hosted service does.')],
		retry: 'never',
	},
	SCRAPE_DOCUMENT_ANTIBOT_ERROR: { advice: blockedDownload, retry: 'once' },
	SCRAPE_DNS_RESOLUTION_ERROR: {
		advice: [
			fact('The host of this URL does not exist.'),
			forCaller('Check its spelling.'),
			fact('Nothing was charged.'),
		],
	},
	SCRAPE_DOCUMENT_FETCH_PROXY_ERROR: { advice: blockedDownload, retry: 'once' },
	SCRAPE_DOCUMENT_PREFETCH_FAILED: { advice: blockedDownload, retry: 'once' },
	SCRAPE_JSON_CONTENT_TOO_LARGE: {
		advice: [
			fact('The page is too large for JSON extraction.'),
			forUser(`Narrow it with 'Include Tags'.`),
		],
	},
	SCRAPE_LOCKDOWN_CACHE_MISS: {
		advice: [
			fact('The page is not in the cache, and only cached pages are allowed.'),
			forUser(`Remove 'Lockdown' to scrape it.`),
		],
		price: 'lockdownMiss',
	},
	SCRAPE_MEDIA_ACCESS_DENIED: {
		advice: [fact('The site denies access to this file.'), forCaller('Use another file.')],
	},
	SCRAPE_NO_CACHED_DATA: {
		advice: [
			fact('The cache has no copy of this age.'),
			forUser(`Remove 'Min Age' to scrape the page.`),
		],
	},
	SCRAPE_PDF_ANTIBOT_ERROR: { advice: blockedDownload, retry: 'once' },
	SCRAPE_PDF_FETCH_PROXY_ERROR: { advice: blockedDownload, retry: 'once' },
	SCRAPE_PDF_INSUFFICIENT_TIME_ERROR: {
		advice: [
			fact('The PDF is too long for the time.'),
			forUser(`Raise 'Timeout' or lower 'Max Pages' of the PDF parser.`),
		],
		retry: 'never',
	},
	SCRAPE_PDF_OCR_REQUIRED: {
		advice: [
			fact('The PDF contains scanned text.'),
			forUser('Set the mode of the PDF parser to OCR or Auto.'),
		],
		retry: 'never',
	},
	SCRAPE_PDF_PREFETCH_FAILED: { advice: blockedDownload, retry: 'once' },
	SCRAPE_PROMPT_INJECTION_DETECTED: {
		advice: [
			fact('The page contains instructions to AI models, so it was rejected.'),
			forCaller('Use another page.'),
			forUser(`Check it yourself, and turn 'Check Prompt Injection' off if you trust it.`),
		],
	},
	SCRAPE_PROXY_SELECTION_ERROR: {
		advice: [
			fact('No proxy is available for the request.'),
			forCaller('Try again later.'),
			forUser(`Another 'Location' may have one.`),
		],
		retry: 'once',
	},
	SCRAPE_RETRY_LIMIT: {
		advice: [fact('All attempts of the server failed.'), forCaller('Try again later.')],
		retry: 'once',
	},
	SCRAPE_SITE_ERROR: {
		advice: [
			fact('The site could not be reached or returned an error.'),
			forCaller('Try again later, or check the URL.'),
		],
		retry: 'once',
	},
	SCRAPE_SITE_RESTRICTION_BLOCKED: {
		advice: [fact('The team does not allow this site.'), forUser(`Ask the team's administrator.`)],
		retry: 'never',
	},
	SCRAPE_SSL_ERROR: {
		advice: [
			fact(`The site's certificate is invalid.`),
			forUser(`Turn 'Skip TLS Verification' on if you trust it.`),
		],
		retry: 'never',
	},
	SCRAPE_TIMEOUT: {
		advice: [
			fact('The page did not load in time, and a retry would likely time out too.'),
			forUser(`Raise 'Timeout', which costs no extra credits.`),
			forUser(`A lower 'Wait For', which is part of it, leaves more time.`),
		],
		retry: 'once',
	},
	SCRAPE_UNSUPPORTED_FILE_ERROR: {
		advice: [fact('This file type is not supported.'), forCaller('Use another file.')],
		retry: 'never',
	},
	SCRAPE_VIDEO_UNSUPPORTED_URL: {
		advice: [fact('This page has no supported video.'), forCaller('Use the URL of another page.')],
		retry: 'never',
	},
	SCRAPE_ZDR_VIOLATION_ERROR: {
		advice: [
			fact('This option stores data, which zero data retention does not allow.'),
			forUser('Remove the option.'),
		],
		retry: 'never',
	},
	SEARCH_FAILED: {
		advice: [
			fact('Failed searches do not accept feedback.'),
			forCaller('Send it for another search.'),
		],
	},
	SEARCH_NOT_FOUND: {
		advice: [forUser(`Check 'Job ID': it is request.id of the search's items.`)],
	},
	TEAM_OPTED_OUT: {
		advice: [fact('Feedback is disabled for the team.'), forUser('Remove this step.')],
	},
	THIRD_PARTY_DATA_ENRICHMENT_NOT_ENABLED: {
		advice: [forUser('An administrator of the organization must select providers first.')],
	},
	THIRD_PARTY_DATA_NOT_ENABLED: {
		advice: [forUser('An administrator of the organization must enable this data provider first.')],
	},
	THIRD_PARTY_DATA_NOT_FOUND: {
		advice: [fact('The provider has no data for this URL.'), forCaller('Check it.')],
	},
	THIRD_PARTY_DATA_TERMS_REQUIRED: {
		advice: [
			forUser(
				`An administrator of the organization must first accept the provider's terms: this node never does. Then run it again.`,
			),
		],
	},
	THIRD_PARTY_DATA_UNSUPPORTED_OPTION: {
		advice: [
			fact('The data of this site comes from a provider that does not support this.'),
			forUser('Remove the option in the message.'),
		],
	},
	THIRD_PARTY_DATA_UNSUPPORTED_URL: {
		advice: [
			fact('The data of this site comes from a provider.'),
			forCaller('Use the URL of a record, not of a list or a subpage.'),
		],
	},
	UNKNOWN_ERROR: {
		advice: [
			fact('The server failed and returned only an error ID.'),
			forCaller('Try again later.'),
			forUser(
				'Find the ID in the logs, or contact support. A self-hosted server without a database responds like this if one is required.',
			),
		],
	},
	UNSUPPORTED_FILE_TYPE: {
		advice: [
			fact('This file type is not supported.'),
			forCaller('Use a type that the message lists.'),
		],
	},
	UNSUPPORTED_SITE: {
		advice: [fact('This site is not supported.'), forCaller('Use another site.')],
	},
	billing_unavailable: { advice: [fact('Nothing was run.'), forCaller('Try again later.')] },
	duplicate_request: {
		advice: [
			forUser(
				`This 'Request ID' was used for other calls. Leave it empty, or give each item its own.`,
			),
		],
	},
	exchange_not_enabled: {
		advice: [
			fact('The plan does not include paid data sources.'),
			forUser(`Remove 'Exchange', or ask the team's administrator.`),
		],
	},
	insufficient_credits: {
		advice: [
			fact(`The plan's credits are used up.`),
			forUser('Add credits in the Firecrawl dashboard.'),
		],
	},
	paid_plan_required: { advice: [forUser('This tool needs a paid plan.')] },
	plan_verification_unavailable: {
		advice: [fact('Nothing was run.'), forCaller('Try again later.')],
	},
	request_in_flight: {
		advice: [
			fact('The same request is still being processed.'),
			forUser(`Run it again later with the same 'Request ID' and the same calls.`),
		],
		retry: 'identical',
	},
	request_unresolved: {
		advice: [
			fact('The same request is still being processed.'),
			forUser(`Run it again later with the same 'Request ID' and the same calls.`),
		],
	},
	sponsor_verification_expired: {
		advice: [
			fact('The owner of the key did not confirm it in time.'),
			forUser('Confirm it, or use another key.'),
		],
	},
	thread_busy: {
		advice: [
			fact('Another run of this thread is active.'),
			forCaller('Wait until it ends, or cancel it.'),
		],
	},
	thread_expired: {
		advice: [
			fact('The thread has expired.'),
			forUser(`Leave 'Thread ID' empty to start a new one.`),
		],
	},
	thread_not_found: {
		advice: [
			forUser(`Check 'Thread ID', or leave it empty to start a new one.`),
			fact('Threads are retained for 24 hours after their last run.'),
		],
	},
	threads_disabled: {
		advice: [fact('This server does not support threads.'), forUser(`Remove 'Thread ID'.`)],
	},
	unknown_provider: {
		advice: [forCaller('Check provider and capability.'), forUser(`'Find' lists them.`)],
	},
	unsafe_domain_blocked: {
		advice: [
			fact('Threat protection blocked this URL.'),
			forCaller('Use another page.'),
			forUser(`If it is safe, add its domain to 'Whitelist'.`),
		],
		price: 'scan',
	},
	unverified_credit_limit_reached: {
		advice: [
			fact('The credits of an account that is not verified are used up.'),
			forUser('Verify the account, or upgrade its plan.'),
		],
	},
};

/** The service's error codes that the node knows. */
export const knownCodes: readonly string[] = Object.keys(apiErrors);

/** Facts about an error code; undefined for an unknown one. */
export const factsOf = (code = ''): ApiErrorFacts | undefined =>
	Object.hasOwn(apiErrors, code) ? apiErrors[code] : undefined;

/** Price of an error. A failed scrape with a prompt injection check is charged the check. */
export const priceOfError = (code: string): ApiErrorFacts['price'] | 'checkedFailure' =>
	factsOf(code)?.price ?? (code.startsWith('SCRAPE_') ? 'checkedFailure' : undefined);

/**
 * Matches a text that matches all patterns in any order. One pattern (`a.*b`) would take quadratic
 * time.
 */
const all = (...patterns: RegExp[]) => ({
	test: (message: string) => patterns.every((pattern) => pattern.test(message)),
});

/** Facts about errors that only their message distinguishes. */
interface MessageRule {
	pattern: Pick<RegExp, 'test'>;
	advice: Advice;
	/** The status with which no retry can succeed. */
	finalFor?: number;
}

/** Errors without a code by their message; specific ones first. */
export const messageRules: readonly MessageRule[] = [
	{
		pattern: /^Request blocked: this API key is restricted/i,
		advice: [
			forUser(
				'Remove the formats or actions that the key does not allow, or use a key without this restriction, as shown on the API Keys page of the Firecrawl dashboard.',
			),
		],
	},
	{
		pattern: /only available for Spark 2/i,
		advice: [
			fact('The run is too old for this operation. Only newer runs support it.'),
			forCaller('Use another run.'),
		],
	},
	{
		pattern: /^Provider discovery requires access/i,
		advice: [
			fact('The team has no access to data tools, or uses zero data retention.'),
			forUser(`Ask the team's administrator.`),
		],
	},
	{
		pattern: /not enabled for (?:your|this) team|enterprise feature/i,
		advice: [
			fact(`The team's plan does not include this.`),
			forUser('Remove the option, or ask Firecrawl to enable it.'),
		],
	},
	{
		pattern: /zero data retention/i,
		advice: [
			fact('The team uses zero data retention, and this requires stored data.'),
			forUser(`Ask the team's administrator.`),
		],
	},
	{
		pattern: /suspended|banned|disabled your account/i,
		advice: [
			fact('The account is blocked.'),
			forUser('Contact Firecrawl support, or use the key of another account.'),
		],
	},
	{
		pattern: all(/\bIP\b/i, /allow|whitelist|restrict/i),
		advice: [
			fact('The key is restricted to certain IP addresses.'),
			forUser('Add that of n8n in the Firecrawl dashboard.'),
		],
	},
	{ pattern: /PARSE_UPLOAD_REF_SECRET/, advice: noSeparateUpload },
	{
		pattern: /not configured|unavailable on this deployment|requires database authentication/i,
		advice: [fact('This server is not configured for this.'), forUser('The hosted service is.')],
		finalFor: 503,
	},
	{
		pattern: /^Queue limit reached/i,
		advice: [
			fact('Too many jobs of the team are queued.'),
			forCaller('Wait until they end, or cancel some.'),
		],
	},
	{
		pattern: /support this site/i,
		advice: [fact('This site is not supported.'), forCaller('Use another site.')],
	},
	{ pattern: /API key is required/i, advice: [forUser(`Enter an 'API Key' in the credential.`)] },
	{
		pattern: /is disabled for this organization/i,
		advice: [forUser(`Ask the team's administrator to allow this data tool provider.`)],
	},
	{
		pattern: all(/number of active browser|too many/i, /sessions/i),
		advice: [
			forCaller('Wait until a session ends.'),
			forUser(`Close sessions with 'Delete' ('Get Many' lists them).`),
		],
		finalFor: 429,
	},
	{
		pattern: all(/profile/i, /busy|in use|being written/i),
		advice: [
			fact('Another session is saving this profile.'),
			forCaller('Close it, or wait until it ends.'),
			forUser(`To share it, turn 'Save Changes' off.`),
		],
	},
	{
		pattern: /replay context is unavailable/i,
		advice: [
			fact('The page cannot be reopened.'),
			forCaller('Scrape it again and interact with the new ID.'),
		],
	},
	{
		pattern: knownKey,
		advice: [
			fact(
				'This key was used before: by another run, by an attempt whose response was lost, or by a start that was rejected.',
			),
			forUser(
				`'Get Active' of the crawl, 'Get Activity' of the account and the dashboard show whether it started a crawl.`,
			),
			forUser(`Use another 'Idempotency Key' to start a new one.`),
		],
	},
	{
		pattern: all(/monitor/i, /paused/i),
		advice: [forUser(`Set the monitor's 'Status' to Active with Update first.`)],
	},
	{
		pattern: all(/check|already/i, /running/i),
		advice: [
			fact('A check of this monitor is running.'),
			forCaller('Wait until it ends.'),
			forUser(`'Get Check' fetches it.`),
		],
	},
	{
		pattern: /^Monitor check not found/i,
		advice: [
			forCaller('Check the ID of the check.'),
			forUser(
				`'Run' and 'Get Many Checks' return it. Checks are retained for the monitor's 'Retention'.`,
			),
		],
	},
	{
		pattern: /^Monitor not found/i,
		advice: [
			fact('The monitor may have been deleted.'),
			forCaller('Check its ID, or pick it from the list.'),
		],
	},
	{
		pattern: all(/search target/i, /goal/i),
		advice: [forUser(`Search targets require a 'Goal', unless 'Judge Changes' is off.`)],
	},
	{
		pattern: /^Snapshot not found/i,
		advice: [forCaller(`Take the ID from an artifact.updated event of the run's trace.`)],
	},
];

const byStatus = new Set([408, 429, 500, 502, 503, 504]);

/** Most characters of an error's text to match. */
const longestText = 2_000;

/** The error message of a body. */
export const errorText = (body: unknown): string => {
	const text = errorMessageIn(fieldOf(body, 'error')) ?? fieldOf(body, 'message') ?? body;
	return typeof text === 'string' ? text.slice(0, longestText) : '';
};

const word = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/**
 * Whether an `error` is a code instead of a message
 * (https://docs.firecrawl.dev/api-reference/errors).
 */
export const isCode = (error: string): boolean => /^[A-Za-z0-9]+(_[A-Za-z0-9]+)+$/.test(error);

/**
 * The service's error code. Some errors have it instead of a message
 * (https://docs.firecrawl.dev/api-reference/errors).
 */
export function codeOf(body: unknown): string | undefined {
	const text = word(fieldOf(body, 'error'));
	return (
		word(fieldOf(body, 'code')) ??
		word(fieldOf(body, 'feedbackErrorCode')) ??
		word(fieldOf(fieldOf(body, 'error'), 'code')) ??
		(text !== undefined && isCode(text) ? text : undefined)
	);
}

/**
 * Whether the service is still processing a large document: the identical request, sent again
 * later, collects its result (https://docs.firecrawl.dev/api-reference/endpoint/scrape).
 */
export const isStillProcessing = ({ status, body }: ErrorResponse): boolean =>
	status === 408 && fieldOf(fieldOf(body, 'details'), 'state') === 'processing_continues';

/** Whether a caller without a key has spent the day's allowance. */
const isAllowanceSpent = ({ status, body }: ErrorResponse) =>
	status === 429 && word(fieldOf(body, 'reason')) !== undefined;

/** The retry rule of an error response. */
export function retryRuleOf(response: ErrorResponse): RetryRule {
	const { status, body } = response;
	if (isStillProcessing(response)) return 'identical';
	const code = codeOf(body) ?? '';
	const known = factsOf(code)?.retry;
	if (known === 'identical') return known;
	if (!byStatus.has(status)) return 'never';
	// Newer servers report whether the site or their proxy failed.
	const retryable = fieldOf(fieldOf(body, 'details'), 'retryable');
	if (code === 'SCRAPE_SITE_ERROR' && typeof retryable === 'boolean') {
		return retryable ? 'always' : 'never';
	}
	if (known !== undefined) return known;
	const text = errorText(body);
	const isFinal = messageRules.some(
		({ pattern, finalFor }) => finalFor === status && pattern.test(text),
	);
	return isFinal || isAllowanceSpent(response) ? 'never' : 'always';
}

/**
 * Whether the body is an error of the API itself: JSON with `success: false`
 * (https://docs.firecrawl.dev/api-reference/errors). A proxy can respond with any status, but not
 * with this.
 */
export const isApiError = (body: unknown): boolean => fieldOf(body, 'success') === false;

/**
 * Whether a failed request may have been charged: after a gateway's status, which may have lost the
 * response, and after a 408 or 5xx that is not the API's own.
 */
export function mayBeCharged({ status, body }: ErrorResponse): boolean {
	const facts = factsOf(codeOf(body));
	if (status === 502 || status === 504) return facts?.retry === undefined;
	return (status === 408 || status >= 500) && (!isApiError(body) || facts?.mayBeCharged === true);
}
