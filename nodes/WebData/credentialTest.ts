import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { apiUrl, credentialHeaders, redactorOf } from '../runtime/http/credential';
import { exchangeOf, type Exchange } from '../runtime/http/client';
import { getTeamCredits, getTeamQueue } from '../runtime/http/endpoint';
import { pluralize } from '../runtime/values/text';
import { summarize } from '../runtime/http/serviceError';
import { fieldOf } from '../runtime/values/record';

/** Timeout in milliseconds: the user waits in the credential's window. */
const responseTimeout = 30_000;

const ok = (message: string): INodeCredentialTestResult => ({ status: 'OK', message });
const bad = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });

type Get = (url: string) => Promise<Exchange>;

/** Sends a GET request once, without following redirects, so that the key stays on its origin. */
const getter =
	({ helpers }: ICredentialTestFunctions, credential: ICredentialDataDecryptedObject): Get =>
	async (uri) =>
		await exchangeOf(
			async () =>
				await helpers.request({
					method: 'GET',
					uri,
					headers: { Accept: 'application/json', ...credentialHeaders(credential) },
					followRedirect: false,
					simple: false,
					resolveWithFullResponse: true,
					useStream: true,
					timeout: responseTimeout,
					...(credential.ignoreSSLIssues === true && { rejectUnauthorized: false }),
				}),
			{ timeout: responseTimeout },
		);

const isApi = (reply: Exchange) =>
	'success' in reply && fieldOf(reply.success.body, 'success') === true;

/** The balance of self-hosted servers of 2025 (docs/api-notes.md, Self-hosted servers). */
const unlimited = 99_999_999;

const selfHosted = 'Connection successful! The server is self-hosted and has no credit balance.';

/** Statuses of the balance on a server without accounts (docs/api-notes.md, Self-hosted servers). */
const withoutBalance = new Set([404, 500, 501, 503]);

const mayBeSelfHosted = (reply: Exchange) =>
	'failure' in reply &&
	'response' in reply.failure &&
	withoutBalance.has(reply.failure.response.status);

const notTheApi = `The server responds, but it is not the API. Check 'Base URL'.`;

/** The message of a failure, or that the response is not from the API. */
function messageOf(reply: Exchange): string {
	if ('success' in reply) return notTheApi;
	const { failure } = reply;
	if (!('response' in failure)) return summarize(failure);
	const { status, body } = failure.response;
	const isPage = typeof body === 'string' && (status === 404 || status < 300);
	return isPage ? notTheApi : summarize(failure);
}

/** Tests the key by the balance; a self-hosted server without one by its queue or readiness. */
async function outcomeOf(get: Get, api: string): Promise<INodeCredentialTestResult> {
	const balance = await get(api + getTeamCredits.path);
	if ('success' in balance && isApi(balance)) {
		const credits = fieldOf(fieldOf(balance.success.body, 'data'), 'remainingCredits');
		if (credits === unlimited) return ok(selfHosted);
		const left = typeof credits === 'number' ? ` ${pluralize(credits, 'credit')} left.` : '';
		return ok(`Connection successful!${left}`);
	}
	if (!mayBeSelfHosted(balance)) return bad(messageOf(balance));
	const queue = await get(api + getTeamQueue.path);
	if (isApi(queue)) return ok(selfHosted);
	if (!mayBeSelfHosted(queue)) return bad(messageOf(queue));
	const readiness = await get(`${api.slice(0, -'/v2'.length)}/v0/health/readiness`);
	return 'success' in readiness && fieldOf(readiness.success.body, 'status') === 'ok'
		? ok(selfHosted)
		: bad(messageOf(balance));
}

/** Result of the credential's test, with a message for each kind of failure. */
export async function testCredential(
	context: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	try {
		const redact = redactorOf(data);
		const result = await outcomeOf(getter(context, data), apiUrl(data.baseUrl));
		return { ...result, message: redact(result.message) };
	} catch (error) {
		return bad(error instanceof Error ? error.message : String(error));
	}
}
