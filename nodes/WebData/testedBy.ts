import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';

/** The test of the credential's window, named as in the nodes' `testedBy`. Imported on demand. */
export const credentialTest = {
	async testConnection(
		this: ICredentialTestFunctions,
		credential: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		const { testCredential } = await import('./credentialTest');
		return await testCredential(this, credential);
	},
};
