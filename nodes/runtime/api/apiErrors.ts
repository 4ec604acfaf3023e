import { errorMessageIn } from './errorMessage';
import { fieldOf } from '../values/record';

/**
 * Which refusals can change: https://docs.firecrawl.dev/api-reference/errors and docs/api-notes.md,
 * "Errors and repeats".
 */

/** The parts of an answer that tell what a refusal is. */
interface ErrorResponse {
	status: number;
	body: unknown;
}

/**
 * How often a refused request may be sent again: `never`, `once`, `always` (as often as the user allows),
 * or `identical`: as often, for the service is still working on it and knows the same request again.
 */
export type RetryRule = 'never' | 'once' | 'always' | 'identical';

const blockedDownload = `The site blocks the download. Try later, or from another country with 'Location'.`;

const noSeparateUpload = `This server takes no separate uploads. Set 'Upload' to send the file with the request.`;

/** What the service says of a start whose key it has seen before. */
export const knownKey = /idempotency key/i;

/** What is known of an error by its code. */
interface ApiErrorFacts {
	/** What to do about it. */
	advice: string;
	/** How often the request may be sent again, where its status does not say it. */
	retry?: RetryRule;
	/** What it costs although it fails: the scan for threats alone, or a page that the cache lacks. */
	price?: 'scan' | 'lockdownMiss';
	/** Whether a charge is not ruled out. */
	mayBeCharged?: boolean;
}

/** The service's error codes (https://docs.firecrawl.dev/api-reference/errors; docs/api-notes.md, Errors and repeats). */
const apiErrors: Readonly<Record<string, ApiErrorFacts>> = {
	AGENT_INDEX_ONLY: {
		advice: `A key that an agent signed up for can do this once its owner has confirmed it. Confirm it, or use another key.`,
	},
	BAD_REQUEST_INVALID_JSON: {
		advice:
			'The service could not read the request. Please report this to the makers of this node.',
	},
	CONCURRENCY_QUEUE_TIMEOUT: {
		advice: `The plan's browsers were all busy for too long. Lower 'Requests in Flight', raise 'Timeout', or use a batch, whose pages wait for a free one.`,
	},
	CRAWL_DENIAL: { advice: 'The site does not allow crawling. Try single pages instead.' },
	DB_DISABLED: {
		advice: 'This server keeps no feedback. The hosted service does.',
		retry: 'never',
	},
	FEEDBACK_WINDOW_EXPIRED: {
		advice:
			'Feedback is taken for a short time after the job only, after a search about 2 minutes. Send it sooner.',
	},
	MAP_FAILED: {
		advice: `Check the address, or narrow the request. A batch or crawl finds pages in another way.`,
		retry: 'once',
		mayBeCharged: true,
	},
	MAP_TIMEOUT: { advice: `Raise 'Timeout' or narrow the request.`, mayBeCharged: true },
	PARSE_UNSUPPORTED_OPTIONS: { advice: 'Files cannot be read with this option. Remove it.' },
	PARSE_UPLOAD_REF_SECRET_MISSING: { advice: noSeparateUpload, retry: 'never' },
	PARSE_UPLOAD_STORAGE_DISABLED: { advice: noSeparateUpload, retry: 'never' },
	PARSE_UPLOAD_UNPARSED_LIMIT_REACHED: {
		advice: `Too many files were uploaded and never read in the last 24 hours. Set 'Upload' to send the file with the request.`,
		retry: 'never',
	},
	PREVIEW_TEAM_NOT_ALLOWED: {
		advice: 'The team does not take part in feedback. Remove this step.',
	},
	SAFE_MODE_BLOCKED: {
		advice: `The team's safe mode does not allow this. Ask the team's administrator.`,
	},
	SCRAPE_ACTION_ERROR: {
		advice: `An action failed on the page. Check selectors and order under 'Actions'; a wait before a click often helps.`,
		retry: 'never',
	},
	SCRAPE_ACTIONS_NOT_SUPPORTED: {
		advice: `This server cannot run actions. Remove 'Actions' or use the hosted service.`,
	},
	SCRAPE_ALL_ENGINES_FAILED: {
		advice: `No way of scraping the page worked: the site may block it, or the server has no engine for what is requested. Check the URL, the formats and the scrape options, or try later.`,
		retry: 'once',
	},
	SCRAPE_AUDIO_UNSUPPORTED_URL: {
		advice: 'This page has no audio that the service can extract.',
		retry: 'never',
	},
	SCRAPE_BRANDING_NOT_SUPPORTED: {
		advice: 'This server cannot read branding. The hosted service can.',
		retry: 'never',
	},
	SCRAPE_DOCUMENT_ANTIBOT_ERROR: { advice: blockedDownload, retry: 'once' },
	SCRAPE_DNS_RESOLUTION_ERROR: {
		advice: 'The host of this address does not exist. Check its spelling. Nothing was charged.',
	},
	SCRAPE_DOCUMENT_FETCH_PROXY_ERROR: { advice: blockedDownload, retry: 'once' },
	SCRAPE_DOCUMENT_PREFETCH_FAILED: { advice: blockedDownload, retry: 'once' },
	SCRAPE_JSON_CONTENT_TOO_LARGE: {
		advice: `The page is too large to read as JSON. Narrow it with 'Include Tags'.`,
	},
	SCRAPE_LOCKDOWN_CACHE_MISS: {
		advice: `The page is not in the cache and 'Lockdown' forbids visiting it. Remove 'Lockdown' to visit it.`,
		price: 'lockdownMiss',
	},
	SCRAPE_MEDIA_ACCESS_DENIED: { advice: 'The site does not give out this file.' },
	SCRAPE_NO_CACHED_DATA: {
		advice: `The cache has no copy that old. Remove 'Min Age' to visit the page.`,
	},
	SCRAPE_PDF_ANTIBOT_ERROR: { advice: blockedDownload, retry: 'once' },
	SCRAPE_PDF_FETCH_PROXY_ERROR: { advice: blockedDownload, retry: 'once' },
	SCRAPE_PDF_INSUFFICIENT_TIME_ERROR: {
		advice: `Raise 'Timeout' or lower 'Max Pages' of the PDF parser.`,
		retry: 'never',
	},
	SCRAPE_PDF_OCR_REQUIRED: {
		advice: `The PDF holds pictures of text. Set the mode of the PDF parser to OCR or auto.`,
		retry: 'never',
	},
	SCRAPE_PDF_PREFETCH_FAILED: { advice: blockedDownload, retry: 'once' },
	SCRAPE_PROMPT_INJECTION_DETECTED: {
		advice: `The page tries to instruct AI models, so nothing was read from it. Look at it yourself, and turn 'Check Prompt Injection' off if you trust it.`,
	},
	SCRAPE_PROXY_SELECTION_ERROR: {
		advice: `No proxy fits the request. Try later, or change 'Location'.`,
		retry: 'once',
	},
	SCRAPE_RETRY_LIMIT: {
		advice: 'The service tried in several ways, and none worked. Try later.',
		retry: 'once',
	},
	SCRAPE_SITE_ERROR: {
		advice:
			'The site could not be reached or answered with an error. Try again later, or check the address.',
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
		advice: `The page was not ready in time, and the same time would mostly end the same way. Raise 'Timeout': a longer one gives the page more time and costs no more credits. Or lower 'Wait For', which is part of it.`,
		retry: 'once',
	},
	SCRAPE_UNSUPPORTED_FILE_ERROR: { advice: 'This kind of file cannot be read.', retry: 'never' },
	SCRAPE_VIDEO_UNSUPPORTED_URL: {
		advice: 'This page has no video that the service can extract.',
		retry: 'never',
	},
	SCRAPE_ZDR_VIOLATION_ERROR: {
		advice: 'This option stores data, which zero data retention forbids. Remove the option.',
		retry: 'never',
	},
	SEARCH_FAILED: { advice: 'A search that failed takes no feedback.' },
	SEARCH_NOT_FOUND: { advice: `Check 'Job ID': it is request.id of the search's items.` },
	TEAM_OPTED_OUT: { advice: 'The team does not take part in feedback. Remove this step.' },
	THIRD_PARTY_DATA_ENRICHMENT_NOT_ENABLED: {
		advice: 'An administrator of the organization must choose providers for this first.',
	},
	THIRD_PARTY_DATA_NOT_ENABLED: {
		advice: 'An administrator of the organization must enable this provider of data first.',
	},
	THIRD_PARTY_DATA_NOT_FOUND: { advice: 'The provider has no data for this address. Check it.' },
	THIRD_PARTY_DATA_TERMS_REQUIRED: {
		advice: `A person must accept the provider's terms first, an administrator of the organization: this node never does. Then run it again.`,
	},
	THIRD_PARTY_DATA_UNSUPPORTED_OPTION: {
		advice:
			'The data of this site come from a provider, which cannot do this. Remove the option that is named.',
	},
	THIRD_PARTY_DATA_UNSUPPORTED_URL: {
		advice: `The data of this site come from a provider. Use the address of one record's own page, not of a list or a page below it.`,
	},
	UNKNOWN_ERROR: {
		advice: `The service failed and tells no reason but an error ID: its logs, or its support, find more by it. A self-hosted server without a database answers like this to what needs one. Otherwise try again later.`,
	},
	UNSUPPORTED_FILE_TYPE: {
		advice: 'The service cannot read files of this type. Its message names those that it can.',
	},
	UNSUPPORTED_SITE: { advice: 'The service does not read this site.' },
	billing_unavailable: { advice: 'Nothing was run. Try again later.' },
	duplicate_request: {
		advice: `This 'Request ID' was used for other calls. Leave it empty, or give each item its own.`,
	},
	exchange_not_enabled: {
		advice: `The plan does not include paid data sources. Remove 'Exchange', or ask the team's administrator.`,
	},
	insufficient_credits: {
		advice: `The plan's credits are used up. Add credits in the service's dashboard.`,
	},
	paid_plan_required: { advice: 'This tool needs a paid plan.' },
	plan_verification_unavailable: { advice: 'Nothing was run. Try again later.' },
	request_in_flight: {
		advice: `The same request is still being worked on. Run it again later with the same 'Request ID' and the same calls.`,
		retry: 'identical',
	},
	request_unresolved: {
		advice: `The same request is still being worked on. Run it again later with the same 'Request ID' and the same calls.`,
	},
	sponsor_verification_expired: {
		advice: 'The owner of the key did not confirm it in time. Confirm it, or use another key.',
	},
	thread_busy: {
		advice: `Another run of this thread is going on. Wait for its end, or cancel it.`,
	},
	thread_expired: {
		advice: `The thread is too old to go on with. Start a new one by leaving 'Thread ID' empty.`,
	},
	thread_not_found: {
		advice: `Check 'Thread ID': threads are kept for 24 hours after their last run. Leave it empty to start a new one.`,
	},
	threads_disabled: { advice: `This server has no threads. Start without 'Thread ID'.` },
	unknown_provider: { advice: `Check provider and capability with 'Find'.` },
	unsafe_domain_blocked: {
		advice: `Threat protection blocked this address. If it is safe, add its domain to 'Whitelist'.`,
		price: 'scan',
	},
	unverified_credit_limit_reached: {
		advice: `The credits of an account that is not verified are used up. Verify the account, or upgrade its plan.`,
	},
};

/** What is known of an error by its code; undefined for codes that are not. */
export const factsOf = (code = ''): ApiErrorFacts | undefined =>
	Object.hasOwn(apiErrors, code) ? apiErrors[code] : undefined;

/** What an error costs although it fails; that of a scrape, with a check on prompt injection, what the check costs. */
export const priceOfError = (code: string): ApiErrorFacts['price'] | 'checkedFailure' =>
	factsOf(code)?.price ?? (code.startsWith('SCRAPE_') ? 'checkedFailure' : undefined);

/** Words that all stand in a text, in any order. One pattern for them (`a.*b`) would take quadratic time. */
const all = (...patterns: RegExp[]) => ({
	test: (message: string) => patterns.every((pattern) => pattern.test(message)),
});

/** What is known of errors that only their message tells apart. */
interface MessageRule {
	words: Pick<RegExp, 'test'>;
	advice: string;
	/** The status of those of them that no repeat can change. */
	finalFor?: number;
}

/** Errors without a code, by their message; the more special ones first. */
export const messageRules: readonly MessageRule[] = [
	{
		words: /^Request blocked: this API key is restricted/i,
		advice: `Remove the formats or actions that the key does not allow, or use a key without this restriction: the API Keys page of the service's dashboard shows them.`,
	},
	{
		words: /only available for Spark 2/i,
		advice: 'The run is older than what this operation can show. Newer runs have it.',
	},
	{
		words: /^Provider discovery requires access/i,
		advice: `The team has no access to data tools, or keeps no data. Ask the team's administrator.`,
	},
	{
		words: /not enabled for (?:your|this) team|enterprise feature/i,
		advice: `The team's plan does not include this. Remove the option, or ask the service to enable it.`,
	},
	{
		words: /zero data retention/i,
		advice: `The team keeps no data, and this needs some. Ask the team's administrator.`,
	},
	{
		words: /suspended|banned|disabled your account/i,
		advice: `The account may not use the service. Ask its support, or use the key of another account.`,
	},
	{
		words: all(/\bIP\b/i, /allow|whitelist|restrict/i),
		advice: `The key works from some addresses only. Add that of n8n in the service's dashboard.`,
	},
	{ words: /PARSE_UPLOAD_REF_SECRET/, advice: noSeparateUpload },
	{
		words: /not configured|unavailable on this deployment|requires database authentication/i,
		advice: 'This server is not set up for this. The hosted service is.',
		finalFor: 503,
	},
	{
		words: /^Queue limit reached/i,
		advice: 'Too many jobs of the team are waiting. Wait for their end, or cancel some.',
	},
	{ words: /support this site/i, advice: 'The service does not read this site.' },
	{ words: /API key is required/i, advice: `Enter an 'API Key' in the credential.` },
	{
		words: /is disabled for this organization/i,
		advice: `Ask the team's administrator to allow this provider of data tools.`,
	},
	{
		words: all(/number of active browser|too many/i, /sessions/i),
		advice: `Close sessions with 'Delete' ('Get Many' lists them), or wait.`,
		finalFor: 429,
	},
	{
		words: all(/profile/i, /busy|in use|being written/i),
		advice: `Another session is saving this profile. Close it, or turn 'Save Changes' off.`,
	},
	{
		words: /replay context is unavailable/i,
		advice: 'The page cannot be opened again. Scrape it anew and interact with the new ID.',
	},
	{
		words: knownKey,
		advice: `This key was used before: by another run, by a try whose answer was lost, or by a start that the service refused. 'Get Active' of the crawl, 'Get Activity' of the account and the dashboard show whether a crawl came of it. Only another 'Idempotency Key' starts a new one.`,
	},
	{
		words: all(/monitor/i, /paused/i),
		advice: `Set the monitor's 'Status' to Active with Update first.`,
	},
	{
		words: all(/check|already/i, /running/i),
		advice: `A check of this monitor is running. Wait for its end, or read it with 'Get Check'.`,
	},
	{
		words: /^Monitor check not found/i,
		advice: `Take the check's ID from 'Run' or 'Get Many Checks'. Checks are kept as long as the monitor's 'Retention' says.`,
	},
	{
		words: /^Monitor not found/i,
		advice: 'Pick the monitor from the list; it may have been deleted.',
	},
	{
		words: all(/search target/i, /goal/i),
		advice: `Search targets need a 'Goal', unless 'Judge Changes' is off.`,
	},
	{
		words: /^Snapshot not found/i,
		advice: `Take the ID from an 'artifact.updated' event of the run's trace.`,
	},
];

const byStatus = new Set([408, 429, 500, 502, 503, 504]);

/** Longest part of an error's text that is looked at. */
const longestText = 2_000;

/** What an error says in words. */
export const errorText = (body: unknown): string => {
	const text = errorMessageIn(fieldOf(body, 'error')) ?? fieldOf(body, 'message') ?? body;
	return typeof text === 'string' ? text.slice(0, longestText) : '';
};

const word = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Whether a refusal's `error` is a code, in the place of words (https://docs.firecrawl.dev/api-reference/errors). */
export const isCode = (error: string): boolean => /^[A-Za-z0-9]+(_[A-Za-z0-9]+)+$/.test(error);

/** The service's code; some refusals carry it in the place of words (https://docs.firecrawl.dev/api-reference/errors). */
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
 * Whether the service is still working on a large document: the identical request, sent again later,
 * collects the result of the work under way (https://docs.firecrawl.dev/api-reference/endpoint/scrape).
 */
export const isStillProcessing = ({ status, body }: ErrorResponse): boolean =>
	status === 408 && fieldOf(fieldOf(body, 'details'), 'state') === 'processing_continues';

/** Whether a caller without a key has spent the day's allowance. */
const isAllowanceSpent = ({ status, body }: ErrorResponse) =>
	status === 429 && word(fieldOf(body, 'reason')) !== undefined;

/** How often a refused request may be sent again, as far as the refusal tells. */
export function retryRuleOf(response: ErrorResponse): RetryRule {
	const { status, body } = response;
	if (isStillProcessing(response)) return 'identical';
	const code = codeOf(body) ?? '';
	const known = factsOf(code)?.retry;
	if (known === 'identical') return known;
	if (!byStatus.has(status)) return 'never';
	// Newer servers say whether the site failed, or a proxy of theirs.
	const retryable = fieldOf(fieldOf(body, 'details'), 'retryable');
	if (code === 'SCRAPE_SITE_ERROR' && typeof retryable === 'boolean') {
		return retryable ? 'always' : 'never';
	}
	if (known !== undefined) return known;
	const text = errorText(body);
	const isFinal = messageRules.some(
		({ words, finalFor }) => finalFor === status && words.test(text),
	);
	return isFinal || isAllowanceSpent(response) ? 'never' : 'always';
}

/**
 * Whether the body is an error of the API itself: JSON with `success: false`
 * (https://docs.firecrawl.dev/api-reference/errors). A proxy on the way can respond with any status, but
 * not with this.
 */
export const isApiError = (body: unknown): boolean => fieldOf(body, 'success') === false;

/**
 * Whether a failed request may have been charged all the same: after the statuses of a gateway, which may
 * have lost the response to what was done, and after a 408 or 5xx that is not the API's own.
 */
export function mayBeCharged({ status, body }: ErrorResponse): boolean {
	const facts = factsOf(codeOf(body));
	if (status === 502 || status === 504) return facts?.retry === undefined;
	return (status === 408 || status >= 500) && (!isApiError(body) || facts?.mayBeCharged === true);
}
