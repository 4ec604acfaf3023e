import { errorMessageIn } from './errorMessage';
import { fieldOf } from '../values/record';

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

const blockedDownload = `The site blocks the download. Try again later, or set another country in 'Location'.`;

const noSeparateUpload = `This server does not support presigned uploads. Set 'Upload Method' to Multipart.`;

/** Message of a start whose key the service has seen before. */
export const knownKey = /idempotency key/i;

/** Facts about an error code. */
interface ApiErrorFacts {
	/** Advice for the user. */
	advice: string;
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
		advice: `A key created by an agent can do this only after its owner confirms it. Confirm it, or use another key.`,
	},
	BAD_REQUEST_INVALID_JSON: {
		advice:
			'The server could not parse the request. Please report this to the maintainers of this node.',
	},
	CONCURRENCY_QUEUE_TIMEOUT: {
		advice: `All browsers of the plan were busy for too long. Lower 'Max Concurrency', raise 'Timeout', or use a batch, which queues its pages.`,
	},
	CRAWL_DENIAL: { advice: 'The site does not allow crawling. Try single pages instead.' },
	DB_DISABLED: {
		advice: 'This server does not support feedback. The hosted service does.',
		retry: 'never',
	},
	FEEDBACK_WINDOW_EXPIRED: {
		advice:
			'Feedback is only accepted shortly after the job, for a search about 2 minutes. Send it earlier.',
	},
	MAP_FAILED: {
		advice: `Check the URL, or narrow the request. A crawl discovers URLs in another way.`,
		retry: 'once',
		mayBeCharged: true,
	},
	MAP_TIMEOUT: { advice: `Raise 'Timeout' or narrow the request.`, mayBeCharged: true },
	PARSE_UNSUPPORTED_OPTIONS: { advice: 'This option is not supported for files. Remove it.' },
	PARSE_UPLOAD_REF_SECRET_MISSING: { advice: noSeparateUpload, retry: 'never' },
	PARSE_UPLOAD_STORAGE_DISABLED: { advice: noSeparateUpload, retry: 'never' },
	PARSE_UPLOAD_UNPARSED_LIMIT_REACHED: {
		advice: `Too many files were uploaded but not parsed in the last 24 hours. Set 'Upload Method' to Multipart.`,
		retry: 'never',
	},
	PREVIEW_TEAM_NOT_ALLOWED: {
		advice: 'Feedback is disabled for the team. Remove this step.',
	},
	SAFE_MODE_BLOCKED: {
		advice: `The team's safe mode does not allow this. Ask the team's administrator.`,
	},
	SCRAPE_ACTION_ERROR: {
		advice: `An action failed on the page. Check selectors and order of 'Actions'; a Wait before a Click often helps.`,
		retry: 'never',
	},
	SCRAPE_ACTIONS_NOT_SUPPORTED: {
		advice: `This server cannot run actions. Remove 'Actions' or use the hosted service.`,
	},
	SCRAPE_ALL_ENGINES_FAILED: {
		advice: `All scraping engines failed: the site may block them, or the server has no engine for the request. Check the URL, the formats and the scrape options, or try again later.`,
		retry: 'once',
	},
	SCRAPE_AUDIO_UNSUPPORTED_URL: {
		advice: 'This page has no supported audio.',
		retry: 'never',
	},
	SCRAPE_BRANDING_NOT_SUPPORTED: {
		advice: 'This server does not support Branding. The hosted service does.',
		retry: 'never',
	},
	SCRAPE_DOCUMENT_ANTIBOT_ERROR: { advice: blockedDownload, retry: 'once' },
	SCRAPE_DNS_RESOLUTION_ERROR: {
		advice: 'The host of this URL does not exist. Check its spelling. Nothing was charged.',
	},
	SCRAPE_DOCUMENT_FETCH_PROXY_ERROR: { advice: blockedDownload, retry: 'once' },
	SCRAPE_DOCUMENT_PREFETCH_FAILED: { advice: blockedDownload, retry: 'once' },
	SCRAPE_JSON_CONTENT_TOO_LARGE: {
		advice: `The page is too large for JSON extraction. Narrow it with 'Include Tags'.`,
	},
	SCRAPE_LOCKDOWN_CACHE_MISS: {
		advice: `The page is not in the cache, and 'Lockdown' allows only cached pages. Remove 'Lockdown' to scrape it.`,
		price: 'lockdownMiss',
	},
	SCRAPE_MEDIA_ACCESS_DENIED: { advice: 'The site denies access to this file.' },
	SCRAPE_NO_CACHED_DATA: {
		advice: `The cache has no copy of this age. Remove 'Min Age' to scrape the page.`,
	},
	SCRAPE_PDF_ANTIBOT_ERROR: { advice: blockedDownload, retry: 'once' },
	SCRAPE_PDF_FETCH_PROXY_ERROR: { advice: blockedDownload, retry: 'once' },
	SCRAPE_PDF_INSUFFICIENT_TIME_ERROR: {
		advice: `Raise 'Timeout' or lower 'Max Pages' of the PDF parser.`,
		retry: 'never',
	},
	SCRAPE_PDF_OCR_REQUIRED: {
		advice: `The PDF contains scanned text. Set the mode of the PDF parser to OCR or Auto.`,
		retry: 'never',
	},
	SCRAPE_PDF_PREFETCH_FAILED: { advice: blockedDownload, retry: 'once' },
	SCRAPE_PROMPT_INJECTION_DETECTED: {
		advice: `The page contains instructions to AI models, so it was rejected. Check it yourself, and turn 'Check Prompt Injection' off if you trust it.`,
	},
	SCRAPE_PROXY_SELECTION_ERROR: {
		advice: `No proxy is available for the request. Try again later, or change 'Location'.`,
		retry: 'once',
	},
	SCRAPE_RETRY_LIMIT: {
		advice: 'All attempts of the server failed. Try again later.',
		retry: 'once',
	},
	SCRAPE_SITE_ERROR: {
		advice:
			'The site could not be reached or returned an error. Try again later, or check the URL.',
		retry: 'once',
	},
	SCRAPE_SITE_RESTRICTION_BLOCKED: {
		advice: `The team does not allow this site. Ask the team's administrator.`,
		retry: 'never',
	},
	SCRAPE_SSL_ERROR: {
		advice: `The site's certificate is invalid. Turn 'Skip TLS Verification' on if you trust it.`,
		retry: 'never',
	},
	SCRAPE_TIMEOUT: {
		advice: `The page did not load in time, and a retry would likely time out too. Raise 'Timeout', which costs no extra credits, or lower 'Wait For', which is part of it.`,
		retry: 'once',
	},
	SCRAPE_UNSUPPORTED_FILE_ERROR: { advice: 'This file type is not supported.', retry: 'never' },
	SCRAPE_VIDEO_UNSUPPORTED_URL: {
		advice: 'This page has no supported video.',
		retry: 'never',
	},
	SCRAPE_ZDR_VIOLATION_ERROR: {
		advice: 'This option stores data, which zero data retention does not allow. Remove the option.',
		retry: 'never',
	},
	SEARCH_FAILED: { advice: 'Failed searches do not accept feedback.' },
	SEARCH_NOT_FOUND: { advice: `Check 'Job ID': it is request.id of the search's items.` },
	TEAM_OPTED_OUT: { advice: 'Feedback is disabled for the team. Remove this step.' },
	THIRD_PARTY_DATA_ENRICHMENT_NOT_ENABLED: {
		advice: 'An administrator of the organization must select providers first.',
	},
	THIRD_PARTY_DATA_NOT_ENABLED: {
		advice: 'An administrator of the organization must enable this data provider first.',
	},
	THIRD_PARTY_DATA_NOT_FOUND: { advice: 'The provider has no data for this URL. Check it.' },
	THIRD_PARTY_DATA_TERMS_REQUIRED: {
		advice: `An administrator of the organization must first accept the provider's terms: this node never does. Then run it again.`,
	},
	THIRD_PARTY_DATA_UNSUPPORTED_OPTION: {
		advice:
			'The data of this site comes from a provider that does not support this. Remove the option in the message.',
	},
	THIRD_PARTY_DATA_UNSUPPORTED_URL: {
		advice: `The data of this site comes from a provider. Use the URL of a record, not of a list or a subpage.`,
	},
	UNKNOWN_ERROR: {
		advice: `The server failed and returned only an error ID: find it in the logs, or contact support. A self-hosted server without a database responds like this if one is required. Otherwise try again later.`,
	},
	UNSUPPORTED_FILE_TYPE: {
		advice: 'This file type is not supported. The message lists supported types.',
	},
	UNSUPPORTED_SITE: { advice: 'This site is not supported.' },
	billing_unavailable: { advice: 'Nothing was run. Try again later.' },
	duplicate_request: {
		advice: `This 'Request ID' was used for other calls. Leave it empty, or give each item its own.`,
	},
	exchange_not_enabled: {
		advice: `The plan does not include paid data sources. Remove 'Exchange', or ask the team's administrator.`,
	},
	insufficient_credits: {
		advice: `The plan's credits are used up. Add credits in the Firecrawl dashboard.`,
	},
	paid_plan_required: { advice: 'This tool needs a paid plan.' },
	plan_verification_unavailable: { advice: 'Nothing was run. Try again later.' },
	request_in_flight: {
		advice: `The same request is still being processed. Run it again later with the same 'Request ID' and the same calls.`,
		retry: 'identical',
	},
	request_unresolved: {
		advice: `The same request is still being processed. Run it again later with the same 'Request ID' and the same calls.`,
	},
	sponsor_verification_expired: {
		advice: 'The owner of the key did not confirm it in time. Confirm it, or use another key.',
	},
	thread_busy: {
		advice: `Another run of this thread is active. Wait until it ends, or cancel it.`,
	},
	thread_expired: {
		advice: `The thread has expired. Leave 'Thread ID' empty to start a new one.`,
	},
	thread_not_found: {
		advice: `Check 'Thread ID': threads are retained for 24 hours after their last run. Leave it empty to start a new one.`,
	},
	threads_disabled: { advice: `This server does not support threads. Remove 'Thread ID'.` },
	unknown_provider: { advice: `Check provider and capability with 'Find'.` },
	unsafe_domain_blocked: {
		advice: `Threat protection blocked this URL. If it is safe, add its domain to 'Whitelist'.`,
		price: 'scan',
	},
	unverified_credit_limit_reached: {
		advice: `The credits of an account that is not verified are used up. Verify the account, or upgrade its plan.`,
	},
};

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
	advice: string;
	/** The status with which no retry can succeed. */
	finalFor?: number;
}

/** Errors without a code by their message; specific ones first. */
export const messageRules: readonly MessageRule[] = [
	{
		pattern: /^Request blocked: this API key is restricted/i,
		advice: `Remove the formats or actions that the key does not allow, or use a key without this restriction, as shown on the API Keys page of the Firecrawl dashboard.`,
	},
	{
		pattern: /only available for Spark 2/i,
		advice: 'The run is too old for this operation. Only newer runs support it.',
	},
	{
		pattern: /^Provider discovery requires access/i,
		advice: `The team has no access to data tools, or uses zero data retention. Ask the team's administrator.`,
	},
	{
		pattern: /not enabled for (?:your|this) team|enterprise feature/i,
		advice: `The team's plan does not include this. Remove the option, or ask Firecrawl to enable it.`,
	},
	{
		pattern: /zero data retention/i,
		advice: `The team uses zero data retention, and this requires stored data. Ask the team's administrator.`,
	},
	{
		pattern: /suspended|banned|disabled your account/i,
		advice: `The account is blocked. Contact Firecrawl support, or use the key of another account.`,
	},
	{
		pattern: all(/\bIP\b/i, /allow|whitelist|restrict/i),
		advice: `The key is restricted to certain IP addresses. Add that of n8n in the Firecrawl dashboard.`,
	},
	{ pattern: /PARSE_UPLOAD_REF_SECRET/, advice: noSeparateUpload },
	{
		pattern: /not configured|unavailable on this deployment|requires database authentication/i,
		advice: 'This server is not configured for this. The hosted service is.',
		finalFor: 503,
	},
	{
		pattern: /^Queue limit reached/i,
		advice: 'Too many jobs of the team are queued. Wait until they end, or cancel some.',
	},
	{ pattern: /support this site/i, advice: 'This site is not supported.' },
	{ pattern: /API key is required/i, advice: `Enter an 'API Key' in the credential.` },
	{
		pattern: /is disabled for this organization/i,
		advice: `Ask the team's administrator to allow this data tool provider.`,
	},
	{
		pattern: all(/number of active browser|too many/i, /sessions/i),
		advice: `Close sessions with 'Delete' ('Get Many' lists them), or wait.`,
		finalFor: 429,
	},
	{
		pattern: all(/profile/i, /busy|in use|being written/i),
		advice: `Another session is saving this profile. Close it, or turn 'Save Changes' off.`,
	},
	{
		pattern: /replay context is unavailable/i,
		advice: 'The page cannot be reopened. Scrape it again and interact with the new ID.',
	},
	{
		pattern: knownKey,
		advice: `This key was used before: by another run, by an attempt whose response was lost, or by a start that was rejected. 'Get Active' of the crawl, 'Get Activity' of the account and the dashboard show whether it started a crawl. Use another 'Idempotency Key' to start a new one.`,
	},
	{
		pattern: all(/monitor/i, /paused/i),
		advice: `Set the monitor's 'Status' to Active with Update first.`,
	},
	{
		pattern: all(/check|already/i, /running/i),
		advice: `A check of this monitor is running. Wait until it ends, or fetch it with 'Get Check'.`,
	},
	{
		pattern: /^Monitor check not found/i,
		advice: `Take the check's ID from 'Run' or 'Get Many Checks'. Checks are retained for the monitor's 'Retention'.`,
	},
	{
		pattern: /^Monitor not found/i,
		advice: 'Pick the monitor from the list; it may have been deleted.',
	},
	{
		pattern: all(/search target/i, /goal/i),
		advice: `Search targets require a 'Goal', unless 'Judge Changes' is off.`,
	},
	{
		pattern: /^Snapshot not found/i,
		advice: `Take the ID from an 'artifact.updated' event of the run's trace.`,
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
