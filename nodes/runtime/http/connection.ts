import type { IExecuteFunctions } from 'n8n-workflow';
import { apiUrl, isHosted, redactorOf } from './credential';
import { credentialType } from './client';
import type { ErrorSource } from '../errors/webDataError';
import { Limiter } from './limiter';
import { fingerprint } from '../values/seenSet';
import { firstText } from '../values/text';
import { isPrivateHost } from './download';
import type { RequestContext } from './send';

/** State shared by all requests of a node with one credential. */
export interface Connection {
	limiters: NonNullable<RequestContext['limiters']>;
	redact: ErrorSource['redact'];
	/** Identifies the credential by its key and host, without exposing them. */
	account: () => string;
	/** Whether the service is on this machine or in a private network. */
	inPrivateNetwork: boolean;
	/** Whether it is the hosted service. */
	isHosted: boolean;
	/** The account's webhook secret; empty if the credential has none. */
	webhookSecret: string;
}

const limiters = new Map<string, Limiter>();

/** Returns the limiters of a credential, one for each bucket of the service. Unused ones are dropped. */
export const limitersFor =
	(credential: string) =>
	(bucket: string): Limiter => {
		const key = `${bucket} ${credential}`;
		for (const [other, each] of limiters) if (each.isDropped(other === key)) limiters.delete(other);
		const limiter = limiters.get(key) ?? new Limiter();
		limiters.set(key, limiter);
		return limiter;
	};

/** Characters of an account's identifier, 6 bits each. */
const accountLength = 22;

/** Connects with the node's credential. @throws UserError if its base URL or a header is invalid */
export async function connect(
	context: Pick<IExecuteFunctions, 'getNode' | 'getCredentials'>,
): Promise<Connection> {
	const data = await context.getCredentials(credentialType);
	const { baseUrl, apiKey, webhookSecret } = data;
	const url = apiUrl(baseUrl);
	const credential = context.getNode().credentials?.[credentialType]?.id ?? '';
	return {
		limiters: limitersFor(`${credential} ${url}`),
		redact: redactorOf(data),
		// Computed on demand: few callers need it.
		account: () => fingerprint(JSON.stringify([credential, url, apiKey]), accountLength),
		inPrivateNetwork: isPrivateHost(url),
		isHosted: isHosted(baseUrl),
		webhookSecret: firstText(webhookSecret).trim(),
	};
}
