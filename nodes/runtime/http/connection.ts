import type { ICredentialDataDecryptedObject, INode } from 'n8n-workflow';
import { apiUrl, isHosted } from './baseUrl';
import { credentialType } from './client';
import { redactor } from '../api/redact';
import type { ErrorSource } from '../api/errors';
import { rateLimitersFor } from '../limits/rateLimiter';
import { fingerprint } from '../values/seenSet';
import { isPrivateAddress } from '../api/privateAddress';
import type { RequestContext } from './send';

/** What all requests of a node share that use one credential. */
export interface Connection {
	rateLimiters: NonNullable<RequestContext['rateLimiters']>;
	redact: ErrorSource['redact'];
	baseUrl: unknown;
	/** Stands for the credential, its key and its host; none of them can be read from it. */
	account: () => string;
	/** Whether the service lies on this machine or in a private network. */
	inPrivateNetwork: boolean;
	/** Whether it leads to the hosted service. */
	isHosted: boolean;
	/** The account's webhook secret; empty when the credential has none. */
	webhookSecret: string;
}

/** Characters of what stands for an account, 6 bits each. */
const accountLength = 22;

interface CredentialFunctions {
	getNode(): INode;
	getCredentials(type: string): Promise<ICredentialDataDecryptedObject>;
}

/**
 * Takes up the node's credential.
 * @throws UserError that says what is wrong with its base URL
 */
export async function connect(context: CredentialFunctions): Promise<Connection> {
	const { baseUrl, apiKey, webhookSecret } = await context.getCredentials(credentialType);
	const address = apiUrl(baseUrl);
	const credential = context.getNode().credentials?.[credentialType]?.id ?? '';
	return {
		rateLimiters: rateLimitersFor(`${credential} ${address}`),
		redact: redactor([apiKey, webhookSecret]),
		baseUrl,
		// Computed on demand: few callers need it.
		account: () => fingerprint(JSON.stringify([credential, address, apiKey]), accountLength),
		inPrivateNetwork: isPrivateAddress(address),
		isHosted: isHosted(baseUrl),
		webhookSecret: typeof webhookSecret === 'string' ? webhookSecret.trim() : '',
	};
}
