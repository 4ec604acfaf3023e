/**
 * What to do about a refusal, by the service's code and status (api-v2, Errors; addendum 0 and 4).
 */

const byCode: Readonly<Record<string, string>> = {
	AGENT_INDEX_ONLY: 'This site can only be read by the agent. Use an agent run for it.',
	BAD_REQUEST_INVALID_JSON:
		'The service could not read the request. Please report this to the makers of this node.',
	CONCURRENCY_QUEUE_TIMEOUT: `The plan's browsers were all busy for too long. Lower 'Requests in Flight', raise 'Timeout', or try later.`,
	CRAWL_DENIAL: 'The site does not allow crawling. Try single pages instead.',
	DB_DISABLED: 'This server keeps no feedback. The hosted service does.',
	FEEDBACK_WINDOW_EXPIRED:
		'Feedback is taken for a short time after the job only, after a search about 2 minutes. Send it sooner.',
	MAP_TIMEOUT: `Raise 'Timeout' or narrow the request.`,
	PARSE_UPLOAD_UNPARSED_LIMIT_REACHED: `Too many files were uploaded and never read in the last 24 hours. Set 'Upload' to send the file with the request.`,
	PREVIEW_TEAM_NOT_ALLOWED: 'The team does not take part in feedback. Remove this step.',
	SAFE_MODE_BLOCKED: `The team's safe mode does not allow this. Ask the team's administrator.`,
	SCRAPE_ACTION_ERROR: `An action failed on the page. Check selectors and order under 'Actions'; a wait before a click often helps.`,
	SCRAPE_ACTIONS_NOT_SUPPORTED: `This server cannot run actions. Remove 'Actions' or use the hosted service.`,
	SCRAPE_ALL_ENGINES_FAILED: `No way of reading the page worked. Check the address, or set 'Proxy' to enhanced.`,
	SCRAPE_AUDIO_UNSUPPORTED_URL: 'This page has no audio that the service can extract.',
	SCRAPE_BRANDING_NOT_SUPPORTED: 'This server cannot read branding. The hosted service can.',
	SCRAPE_DOCUMENT_ANTIBOT_ERROR: `The site blocks the download. Set 'Proxy' to enhanced.`,
	SCRAPE_DNS_RESOLUTION_ERROR: 'The host of this address does not exist. Check its spelling.',
	SCRAPE_JSON_CONTENT_TOO_LARGE: `The page is too large to read as JSON. Narrow it with 'Include Tags'.`,
	SCRAPE_LOCKDOWN_CACHE_MISS: `The page is not in the cache and 'Lockdown' forbids visiting it. Remove 'Lockdown' to visit it.`,
	SCRAPE_MEDIA_ACCESS_DENIED: 'The site does not give out this file.',
	SCRAPE_NO_CACHED_DATA: `The cache has no copy that old. Remove 'Min Age' to visit the page.`,
	SCRAPE_PDF_ANTIBOT_ERROR: `The site blocks the download. Set 'Proxy' to enhanced.`,
	SCRAPE_PDF_INSUFFICIENT_TIME_ERROR: `Raise 'Timeout' or lower 'Max Pages' of the PDF parser.`,
	SCRAPE_PROMPT_INJECTION_DETECTED: `The page tries to instruct the model, so nothing was read from it. Read it as Markdown, or turn 'Check Prompt Injection' off if you trust it.`,
	SCRAPE_SITE_ERROR:
		'The site could not be reached or answered with an error. Try again later, or check the address.',
	SCRAPE_SSL_ERROR: `The site's certificate is invalid. Turn 'Skip TLS Verification' on if you trust it.`,
	SCRAPE_TIMEOUT: `The page took too long. Raise 'Timeout', or lower 'Wait For'.`,
	SCRAPE_UNSUPPORTED_FILE_ERROR: 'This kind of file cannot be read.',
	SCRAPE_VIDEO_UNSUPPORTED_URL: 'This page has no video that the service can extract.',
	SCRAPE_ZDR_VIOLATION_ERROR:
		'This option is not allowed with zero data retention. Remove one of the two.',
	SEARCH_FAILED: 'A search that failed takes no feedback.',
	SEARCH_NOT_FOUND: `Check 'Job ID': it is request.id of the search's items.`,
	TEAM_OPTED_OUT: 'The team does not take part in feedback. Remove this step.',
	THIRD_PARTY_DATA_TERMS_REQUIRED: `A person must accept the provider's terms first. This node never does.`,
	UNSUPPORTED_SITE: 'The service does not read this site.',
	billing_unavailable: 'Nothing was run. Try again later.',
	duplicate_request: `This 'Request ID' was used for other calls. Leave it empty, or give each item its own.`,
	exchange_not_enabled: `The plan does not include paid data sources. Remove 'Exchange', or ask the team's administrator.`,
	insufficient_credits: `The plan's credits are used up. Add credits in the service's dashboard.`,
	paid_plan_required: 'This tool needs a paid plan.',
	plan_verification_unavailable: 'Nothing was run. Try again later.',
	request_in_flight: `The same request is still being worked on. Run it again later with the same 'Request ID' and the same calls.`,
	request_unresolved: `The same request is still being worked on. Run it again later with the same 'Request ID' and the same calls.`,
	thread_busy: `Another run of this thread is going on. Wait for its end, or cancel it.`,
	thread_expired: `The thread is too old to go on with. Start a new one by leaving 'Thread ID' empty.`,
	thread_not_found: `Check 'Thread ID': threads are kept for 24 hours after their last run. Leave it empty to start a new one.`,
	threads_disabled: `This server has no threads. Start without 'Thread ID'.`,
	unknown_provider: `Check provider and capability with 'Find'.`,
	unsafe_domain_blocked: `Threat protection blocked this address. If it is safe, add its domain to 'Whitelist'.`,
};

const byStatus: Readonly<Record<number, string>> = {
	400: 'The service refuses the request as it stands. Correct the field it names.',
	401: `Check 'API Key' in the credential, and that 'Base URL' is the service that issued it.`,
	402: `The plan's credits are used up. Add credits in the service's dashboard, or lower 'Limit'.`,
	403: `The key has no right to this, or the plan lacks the feature. Check the key's scopes in the service's dashboard, or remove the option.`,
	404: `The service does not know this. Check the ID, and 'Base URL' in the credential. Jobs are gone 24 hours after their end.`,
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

/** Refusals that only their words tell apart. */
const byWords: ReadonlyArray<[words: RegExp, advice: string]> = [
	[
		/only available for Spark 2/i,
		'The run is older than what this operation can show. Newer runs have it.',
	],
	[
		/^Provider discovery requires access/i,
		`The team has no access to data tools, or keeps no data. Ask the team's administrator.`,
	],
	[
		/zero data retention/i,
		`The team keeps no data, and this needs some. Ask the team's administrator.`,
	],
	[/API key is required/i, `Enter an 'API Key' in the credential.`],
	[
		/is disabled for this organization/i,
		`Ask the team's administrator to allow this provider of data tools.`,
	],
	[
		/number of active browser sessions|too many.*sessions/i,
		`Close sessions with 'Delete' ('Get Many' lists them), or wait.`,
	],
	[
		/profile.*(busy|in use|being written)/i,
		`Another session is saving this profile. Close it, or turn 'Save Changes' off.`,
	],
	[
		/replay context is unavailable/i,
		'The page cannot be opened again. Scrape it anew and interact with the new ID.',
	],
	[
		knownKey,
		`A job was started with this key before, by another run or by a try whose answer was lost. It is charged once: 'Get Active' of the crawl, 'Get Activity' of the account and the dashboard show it. Only another 'Idempotency Key' starts a new one.`,
	],
	[/monitor.*paused|paused.*monitor/i, `Set the monitor's 'Status' to Active with Update first.`],
	[
		/check.*running|already running/i,
		`A check of this monitor is running. Wait for its end, or read it with 'Get Check'.`,
	],
	[
		/^Monitor check not found/i,
		`Take the check's ID from 'Run' or 'Get Many Checks'. Checks are kept as long as the monitor's 'Retention' says.`,
	],
	[/^Monitor not found/i, 'Pick the monitor from the list; it may have been deleted.'],
	[
		/search targets?.*goal|goal.*search target/i,
		`Search targets need a 'Goal', unless 'Judge Changes' is off.`,
	],
	[/^Snapshot not found/i, `Take the ID from an 'artifact.updated' event of the run's trace.`],
];

/** What to do about a document that the service is still working on (addendum 4, 408 processing_continues). */
export const adviceWhileProcessing = `The service goes on reading the document. Run the node again later: the same request collects the result and is not charged again. To wait longer, raise 'Max Repeats for Large Documents' and 'Max Time for Large Documents'.`;

/** What to do about a refused request: what its code says, its words, or its status. */
export function adviceFor(status: number, code: string | undefined, words: string): string {
	if (code !== undefined && Object.hasOwn(byCode, code)) return byCode[code];
	const known = byWords.find(([pattern]) => pattern.test(words));
	if (known) return known[1];
	if (status in byStatus) return byStatus[status];
	if (status < 300) return 'The service could not do this, and its words say why.';
	return status >= 500 ? byStatus[500] : byStatus[400];
}

/** What to do when no answer came, by the network's error code. */
export function adviceForSilence(code: string): string {
	if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) {
		return `The host was not found. Check 'Base URL' in the credential and n8n's network.`;
	}
	if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code)) {
		return `Nothing answers there. Check 'Base URL' in the credential, and that the server runs.`;
	}
	if (code === 'ERR_TOO_LARGE') return 'Ask for less at once: fewer results, pages or formats.';
	if (code.includes('CERT') || code.includes('TLS') || code.includes('SSL')) {
		return `The server's certificate is not trusted. Check 'Base URL' in the credential.`;
	}
	if (['ECONNABORTED', 'ETIMEDOUT'].includes(code)) {
		return 'No answer came in time. Ask for less at once, or try again later.';
	}
	return 'The connection broke. Try again later.';
}
