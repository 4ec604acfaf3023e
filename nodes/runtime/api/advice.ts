/**
 * What to do about a refusal, by the service's code and status (https://docs.firecrawl.dev/api-reference/errors).
 */

const blockedDownload = `The site blocks the download. Try later, or from another country with 'Location'.`;

const noSeparateUpload = `This server takes no separate uploads. Set 'Upload' to send the file with the request.`;

const byCode: Readonly<Record<string, string>> = {
	AGENT_INDEX_ONLY: `A key that an agent signed up for can do this once its owner has confirmed it. Confirm it, or use another key.`,
	BAD_REQUEST_INVALID_JSON:
		'The service could not read the request. Please report this to the makers of this node.',
	CONCURRENCY_QUEUE_TIMEOUT: `The plan's browsers were all busy for too long. Lower 'Requests in Flight', raise 'Timeout', or use a batch, whose pages wait for a free one.`,
	CRAWL_DENIAL: 'The site does not allow crawling. Try single pages instead.',
	DB_DISABLED: 'This server keeps no feedback. The hosted service does.',
	FEEDBACK_WINDOW_EXPIRED:
		'Feedback is taken for a short time after the job only, after a search about 2 minutes. Send it sooner.',
	MAP_FAILED: `Check the address, or narrow the request. A batch or crawl finds pages in another way.`,
	MAP_TIMEOUT: `Raise 'Timeout' or narrow the request.`,
	PARSE_UNSUPPORTED_OPTIONS: 'Files cannot be read with this option. Remove it.',
	PARSE_UPLOAD_REF_SECRET_MISSING: noSeparateUpload,
	PARSE_UPLOAD_STORAGE_DISABLED: noSeparateUpload,
	PARSE_UPLOAD_UNPARSED_LIMIT_REACHED: `Too many files were uploaded and never read in the last 24 hours. Set 'Upload' to send the file with the request.`,
	PREVIEW_TEAM_NOT_ALLOWED: 'The team does not take part in feedback. Remove this step.',
	SAFE_MODE_BLOCKED: `The team's safe mode does not allow this. Ask the team's administrator.`,
	SCRAPE_ACTION_ERROR: `An action failed on the page. Check selectors and order under 'Actions'; a wait before a click often helps.`,
	SCRAPE_ACTIONS_NOT_SUPPORTED: `This server cannot run actions. Remove 'Actions' or use the hosted service.`,
	SCRAPE_ALL_ENGINES_FAILED: `No way of scraping the page worked: the site may block it, or the server has no engine for what is requested. Check the URL, the formats and the scrape options, or try later.`,
	SCRAPE_AUDIO_UNSUPPORTED_URL: 'This page has no audio that the service can extract.',
	SCRAPE_BRANDING_NOT_SUPPORTED: 'This server cannot read branding. The hosted service can.',
	SCRAPE_DOCUMENT_ANTIBOT_ERROR: blockedDownload,
	SCRAPE_DNS_RESOLUTION_ERROR:
		'The host of this address does not exist. Check its spelling. Nothing was charged.',
	SCRAPE_DOCUMENT_FETCH_PROXY_ERROR: blockedDownload,
	SCRAPE_DOCUMENT_PREFETCH_FAILED: blockedDownload,
	SCRAPE_JSON_CONTENT_TOO_LARGE: `The page is too large to read as JSON. Narrow it with 'Include Tags'.`,
	SCRAPE_LOCKDOWN_CACHE_MISS: `The page is not in the cache and 'Lockdown' forbids visiting it. Remove 'Lockdown' to visit it.`,
	SCRAPE_MEDIA_ACCESS_DENIED: 'The site does not give out this file.',
	SCRAPE_NO_CACHED_DATA: `The cache has no copy that old. Remove 'Min Age' to visit the page.`,
	SCRAPE_PDF_ANTIBOT_ERROR: blockedDownload,
	SCRAPE_PDF_FETCH_PROXY_ERROR: blockedDownload,
	SCRAPE_PDF_INSUFFICIENT_TIME_ERROR: `Raise 'Timeout' or lower 'Max Pages' of the PDF parser.`,
	SCRAPE_PDF_OCR_REQUIRED: `The PDF holds pictures of text. Set the mode of the PDF parser to OCR or auto.`,
	SCRAPE_PDF_PREFETCH_FAILED: blockedDownload,
	SCRAPE_PROMPT_INJECTION_DETECTED: `The page tries to instruct AI models, so nothing was read from it. Look at it yourself, and turn 'Check Prompt Injection' off if you trust it.`,
	SCRAPE_PROXY_SELECTION_ERROR: `No proxy fits the request. Try later, or change 'Location'.`,
	SCRAPE_RETRY_LIMIT: 'The service tried in several ways, and none worked. Try later.',
	SCRAPE_SITE_ERROR:
		'The site could not be reached or answered with an error. Try again later, or check the address.',
	SCRAPE_SITE_RESTRICTION_BLOCKED: `The team does not allow this site. Ask the team's administrator.`,
	SCRAPE_SSL_ERROR: `The site's certificate is invalid. Turn 'Skip TLS Verification' on if you trust it.`,
	SCRAPE_TIMEOUT: `The page was not ready in time, and the same time would mostly end the same way. Raise 'Timeout': a longer one gives the page more time and costs no more credits. Or lower 'Wait For', which is part of it.`,
	SCRAPE_UNSUPPORTED_FILE_ERROR: 'This kind of file cannot be read.',
	SCRAPE_VIDEO_UNSUPPORTED_URL: 'This page has no video that the service can extract.',
	SCRAPE_ZDR_VIOLATION_ERROR:
		'This option stores data, which zero data retention forbids. Remove the option.',
	SEARCH_FAILED: 'A search that failed takes no feedback.',
	SEARCH_NOT_FOUND: `Check 'Job ID': it is request.id of the search's items.`,
	TEAM_OPTED_OUT: 'The team does not take part in feedback. Remove this step.',
	THIRD_PARTY_DATA_ENRICHMENT_NOT_ENABLED:
		'An administrator of the organization must choose providers for this first.',
	THIRD_PARTY_DATA_NOT_ENABLED:
		'An administrator of the organization must enable this provider of data first.',
	THIRD_PARTY_DATA_NOT_FOUND: 'The provider has no data for this address. Check it.',
	THIRD_PARTY_DATA_TERMS_REQUIRED: `A person must accept the provider's terms first, an administrator of the organization: this node never does. Then run it again.`,
	THIRD_PARTY_DATA_UNSUPPORTED_OPTION:
		'The data of this site come from a provider, which cannot do this. Remove the option that is named.',
	THIRD_PARTY_DATA_UNSUPPORTED_URL: `The data of this site come from a provider. Use the address of one record's own page, not of a list or a page below it.`,
	UNKNOWN_ERROR: `The service failed and tells no reason but an error ID: its logs, or its support, find more by it. A self-hosted server without a database answers like this to what needs one. Otherwise try again later.`,
	UNSUPPORTED_FILE_TYPE:
		'The service cannot read files of this type. Its message names those that it can.',
	UNSUPPORTED_SITE: 'The service does not read this site.',
	billing_unavailable: 'Nothing was run. Try again later.',
	duplicate_request: `This 'Request ID' was used for other calls. Leave it empty, or give each item its own.`,
	exchange_not_enabled: `The plan does not include paid data sources. Remove 'Exchange', or ask the team's administrator.`,
	insufficient_credits: `The plan's credits are used up. Add credits in the service's dashboard.`,
	paid_plan_required: 'This tool needs a paid plan.',
	plan_verification_unavailable: 'Nothing was run. Try again later.',
	request_in_flight: `The same request is still being worked on. Run it again later with the same 'Request ID' and the same calls.`,
	request_unresolved: `The same request is still being worked on. Run it again later with the same 'Request ID' and the same calls.`,
	sponsor_verification_expired:
		'The owner of the key did not confirm it in time. Confirm it, or use another key.',
	thread_busy: `Another run of this thread is going on. Wait for its end, or cancel it.`,
	thread_expired: `The thread is too old to go on with. Start a new one by leaving 'Thread ID' empty.`,
	thread_not_found: `Check 'Thread ID': threads are kept for 24 hours after their last run. Leave it empty to start a new one.`,
	threads_disabled: `This server has no threads. Start without 'Thread ID'.`,
	unknown_provider: `Check provider and capability with 'Find'.`,
	unsafe_domain_blocked: `Threat protection blocked this address. If it is safe, add its domain to 'Whitelist'.`,
	unverified_credit_limit_reached: `The credits of an account that is not verified are used up. Verify the account, or upgrade its plan.`,
};

const byStatus: Readonly<Record<number, string>> = {
	400: 'The service refuses the request as it stands. Correct the field it names.',
	401: `Check 'API Key' in the credential, and that 'Base URL' is the service that issued it.`,
	402: `The credits of the plan, or those that the key may spend, are used up. Add credits in the service's dashboard, or lower 'Limit'.`,
	403: `The key has no right to this, or the plan lacks the feature. Check the key's scopes in the service's dashboard, or remove the option.`,
	404: 'The service does not know this. Check the ID. Jobs are gone 24 hours after their end.',
	408: `The service ran out of time. Raise 'Timeout', or ask for less at once.`,
	409: 'The state of the job or resource does not allow this now.',
	410: 'This is gone for good. Start a new one.',
	413: 'The request is too large. Split it.',
	422: 'The page could not be brought into the wanted shape. Simplify the schema or the prompt.',
	429: `The plan's limit is reached. Lower 'Requests in Flight', raise 'Max Tries', or wait.`,
	500: 'The service failed. Try again later.',
	501: 'This server does not offer this operation. The hosted service does.',
	502: 'The service was not reachable behind its gateway. Try again later.',
	503: 'The service is not available for the moment. Try again later.',
	504: 'The service took too long. Ask for less at once, or use an operation that runs as a job.',
};

/** What the service says of a start whose key it has seen before. */
export const knownKey = /idempotency key/i;

/** Words that all stand in a text, in any order. One pattern for them (`a.*b`) would take quadratic time. */
const all = (...patterns: RegExp[]) => ({
	test: (message: string) => patterns.every((pattern) => pattern.test(message)),
});

/** Refusals that only their words tell apart. */
const byWords: ReadonlyArray<[words: Pick<RegExp, 'test'>, advice: string]> = [
	[
		/^Request blocked: this API key is restricted/i,
		`Remove the formats or actions that the key does not allow, or use a key without this restriction: the API Keys page of the service's dashboard shows them.`,
	],
	[
		/only available for Spark 2/i,
		'The run is older than what this operation can show. Newer runs have it.',
	],
	[
		/^Provider discovery requires access/i,
		`The team has no access to data tools, or keeps no data. Ask the team's administrator.`,
	],
	[
		/not enabled for (?:your|this) team|enterprise feature/i,
		`The team's plan does not include this. Remove the option, or ask the service to enable it.`,
	],
	[
		/zero data retention/i,
		`The team keeps no data, and this needs some. Ask the team's administrator.`,
	],
	[
		/suspended|banned|disabled your account/i,
		`The account may not use the service. Ask its support, or use the key of another account.`,
	],
	[
		all(/\bIP\b/i, /allow|whitelist|restrict/i),
		`The key works from some addresses only. Add that of n8n in the service's dashboard.`,
	],
	[/PARSE_UPLOAD_REF_SECRET/, noSeparateUpload],
	[
		/not configured|unavailable on this deployment|requires database authentication/i,
		'This server is not set up for this. The hosted service is.',
	],
	[
		/^Queue limit reached/i,
		'Too many jobs of the team are waiting. Wait for their end, or cancel some.',
	],
	[/support this site/i, 'The service does not read this site.'],
	[/API key is required/i, `Enter an 'API Key' in the credential.`],
	[
		/is disabled for this organization/i,
		`Ask the team's administrator to allow this provider of data tools.`,
	],
	[
		all(/number of active browser|too many/i, /sessions/i),
		`Close sessions with 'Delete' ('Get Many' lists them), or wait.`,
	],
	[
		all(/profile/i, /busy|in use|being written/i),
		`Another session is saving this profile. Close it, or turn 'Save Changes' off.`,
	],
	[
		/replay context is unavailable/i,
		'The page cannot be opened again. Scrape it anew and interact with the new ID.',
	],
	[
		knownKey,
		`This key was used before: by another run, by a try whose answer was lost, or by a start that the service refused. 'Get Active' of the crawl, 'Get Activity' of the account and the dashboard show whether a crawl came of it. Only another 'Idempotency Key' starts a new one.`,
	],
	[all(/monitor/i, /paused/i), `Set the monitor's 'Status' to Active with Update first.`],
	[
		all(/check|already/i, /running/i),
		`A check of this monitor is running. Wait for its end, or read it with 'Get Check'.`,
	],
	[
		/^Monitor check not found/i,
		`Take the check's ID from 'Run' or 'Get Many Checks'. Checks are kept as long as the monitor's 'Retention' says.`,
	],
	[/^Monitor not found/i, 'Pick the monitor from the list; it may have been deleted.'],
	[all(/search target/i, /goal/i), `Search targets need a 'Goal', unless 'Judge Changes' is off.`],
	[/^Snapshot not found/i, `Take the ID from an 'artifact.updated' event of the run's trace.`],
];

/** What to do about a document that the service is still working on (https://docs.firecrawl.dev/api-reference/endpoint/scrape). */
export const adviceWhileProcessing = `The service goes on reading the document. Run the node again later: the same request collects the result and is not charged again. To wait longer, raise 'Max Repeats for Large Documents' and 'Max Time for Large Documents'.`;

/** What to do about a field that the server does not know. */
export const adviceForUnknownField = (canBeLeftOut: boolean): string =>
	`The server is older or newer than this option. Remove it, or update the server.${canBeLeftOut ? ` 'Fields Unknown to the Server' leaves such fields out.` : ''} Nothing was charged.`;

/** What to do about a refused request: what its code says, its words, or its status. */
export function adviceFor(status: number, code: string | undefined, message: string): string {
	if (code !== undefined && Object.hasOwn(byCode, code)) return byCode[code];
	const known = byWords.find(([pattern]) => pattern.test(message));
	if (known) return known[1];
	if (status in byStatus) return byStatus[status];
	if (status < 300) return 'The service could not do this, and its words say why.';
	return status >= 500 ? byStatus[500] : byStatus[400];
}

/** What to do when no answer came, by the network's error code. */
export function adviceForNetworkError(code: string): string {
	if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) {
		return `The host was not found. Check 'Base URL' in the credential and n8n's network.`;
	}
	if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code)) {
		return `Nothing answers there. Check 'Base URL' in the credential, and that the server runs.`;
	}
	if (code === 'ERR_TOO_LARGE') return 'Ask for less at once: fewer results, pages or formats.';
	if (['ECONNABORTED', 'ETIMEDOUT'].includes(code)) {
		return 'No answer came in time. Ask for less at once, or try again later.';
	}
	return 'The connection broke. Try again later.';
}
