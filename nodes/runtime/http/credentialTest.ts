import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { authorization } from './authorization';
import { apiUrl } from './baseUrl';
import { exchangeOf, type Exchange } from './client';
import { redactor } from '../api/redact';
import { getTeamCredits, getTeamQueue } from '../api/teamEndpoints';
import { pluralize } from '../values/pluralize';
import { summarize } from '../api/errors';
import { fieldOf } from '../values/record';

/** Longest wait for an answer in milliseconds: somebody looks at the credential's window. */
const answerTimeout = 30_000;

const ok = (message: string): INodeCredentialTestResult => ({ status: 'OK', message });
const bad = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });

type Ask = (address: string) => Promise<Exchange>;

/** Sends GET requests with the credential's key, each once; redirects are not followed, so the key stays on the origin. */
const asker =
	(
		{ helpers }: ICredentialTestFunctions,
		{ apiKey, ignoreSSLIssues }: ICredentialDataDecryptedObject,
	): Ask =>
	async (uri) =>
		await exchangeOf(
			async () =>
				await helpers.request({
					method: 'GET',
					uri,
					headers: { Accept: 'application/json', ...authorization(apiKey) },
					followRedirect: false,
					simple: false,
					resolveWithFullResponse: true,
					useStream: true,
					timeout: answerTimeout,
					...(ignoreSSLIssues === true && { rejectUnauthorized: false }),
				}),
			{ timeout: answerTimeout },
		);

const isApi = (reply: Exchange) =>
	'success' in reply && fieldOf(reply.success.body, 'success') === true;

/** The balance of self-hosted servers of 2025 (docs/api-notes.md, Self-hosted servers). */
const unlimited = 99_999_999;

const selfHosted = 'Connection successful! The server is self-hosted and has no credit balance.';

/** A server without accounts knows no balance (docs/api-notes.md, Self-hosted servers). */
const withoutBalance = new Set([404, 500, 501, 503]);

const mayBeSelfHosted = (reply: Exchange) =>
	'failure' in reply &&
	'response' in reply.failure &&
	withoutBalance.has(reply.failure.response.status);

const notTheApi = `The server responds, but it is not the API. Check 'Base URL'.`;

/** A failure as it is, unless it shows that something else than the API answered. */
function inWords(reply: Exchange): string {
	if ('success' in reply) return notTheApi;
	const { failure } = reply;
	if (!('response' in failure)) return summarize(failure);
	const { status, body } = failure.response;
	const isPage = typeof body === 'string' && (status === 404 || status < 300);
	return isPage ? notTheApi : summarize(failure);
}

/**
 * Tells by the balance whether the key is right; where there is none, by the queue or its readiness
 * whether the server is a self-hosted one.
 */
async function outcomeOf(ask: Ask, api: string): Promise<INodeCredentialTestResult> {
	const balance = await ask(api + getTeamCredits.path);
	if ('success' in balance && isApi(balance)) {
		const credits = fieldOf(fieldOf(balance.success.body, 'data'), 'remainingCredits');
		if (credits === unlimited) return ok(selfHosted);
		const left = typeof credits === 'number' ? ` ${pluralize(credits, 'credit')} left.` : '';
		return ok(`Connection successful!${left}`);
	}
	if (!mayBeSelfHosted(balance)) return bad(inWords(balance));
	const queue = await ask(api + getTeamQueue.path);
	if (isApi(queue)) return ok(selfHosted);
	if (!mayBeSelfHosted(queue)) return bad(inWords(queue));
	const readiness = await ask(`${api.slice(0, -'/v2'.length)}/v0/health/readiness`);
	return 'success' in readiness && fieldOf(readiness.success.body, 'status') === 'ok'
		? ok(selfHosted)
		: bad(inWords(balance));
}

/** What the credential's window shows after its test: each kind of failure in its own words. */
export async function testCredential(
	context: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	const redact = redactor([data.apiKey, data.webhookSecret]);
	try {
		const result = await outcomeOf(asker(context, data), apiUrl(data.baseUrl));
		return { ...result, message: redact(result.message) };
	} catch (error) {
		return bad(redact(error instanceof Error ? error.message : String(error)));
	}
}
