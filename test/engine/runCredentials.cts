import { createHash } from 'node:crypto';
import type { PackageDirectoryLoader } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialType,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeProperties,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';
import { ICredentialsHelper } from 'n8n-workflow';

/** Credential data by credential type, as the user would have typed it. */
export type CredentialsByType = Record<string, ICredentialDataDecryptedObject>;

/** The reference a node keeps in a workflow. Other data is another credential, so it has another id. */
export function credentialReference(
	type: string,
	data: ICredentialDataDecryptedObject,
): INodeCredentialsDetails {
	const id = createHash('sha256')
		.update(JSON.stringify([type, data]))
		.digest('hex')
		.slice(0, 16);
	return { id, name: type };
}

/** n8n's credentials service for one run: the given data takes the place of the encrypted database. */
export class RunCredentials extends ICredentialsHelper {
	constructor(
		private readonly loader: PackageDirectoryLoader,
		private readonly data: CredentialsByType,
		private readonly others: Record<string, ICredentialType> = {},
	) {
		super();
	}

	private typeOf(type: string): ICredentialType {
		return Object.hasOwn(this.others, type)
			? this.others[type]
			: this.loader.getCredential(type).type;
	}

	getParentTypes(type: string): string[] {
		return this.typeOf(type).extends ?? [];
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.typeOf(type).properties;
	}

	isCredentialUsableByNode(type: string, nodeType: string): boolean {
		const { restrictToSupportedNodes, supportedNodes = [] } = this.typeOf(type);
		return (
			!restrictToSupportedNodes || supportedNodes.some((name) => nodeType.endsWith(`.${name}`))
		);
	}

	/** The run's data for this type; fields never filled in get the credential type's defaults, as in n8n. */
	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_reference: INodeCredentialsDetails,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		const data = this.data[type];
		if (!data) throw new Error(`No credential of type "${type}" was given to this run`);
		const complete = { ...data };
		for (const { name, default: value } of this.getCredentialsProperties(type)) {
			if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
				complete[name] ??= value;
		}
		return complete;
	}

	/** Lets the credential type sign the request: its own function, or the generic form's headers. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		options: IHttpRequestOptions | IRequestOptionsSimplified,
		workflow: Workflow,
		node: INode,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.typeOf(type);
		if (!('url' in options)) throw new Error('Only requests with a URL can be authenticated here');
		if (typeof authenticate === 'function') return await authenticate(credentials, options);
		const headers = { ...options.headers };
		for (const [name, value] of Object.entries(authenticate?.properties.headers ?? {})) {
			const shared = { $credentials: credentials };
			const { expression } = workflow;
			headers[name] = expression.getSimpleParameterValue(node, String(value), 'internal', shared);
		}
		return { ...options, headers };
	}

	/** Credential types that exchange a session token first are not used by this package. */
	async preAuthentication(): Promise<undefined> {}

	async runPreAuthentication(): Promise<undefined> {}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('There is no credential database here');
	}

	async updateCredentials(): Promise<void> {
		throw new Error('There is no credential database here');
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('There is no credential database here');
	}
}
