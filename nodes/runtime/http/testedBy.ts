import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';

/** The test of the credential's window, under the name that the nodes' `testedBy` gives it; imported when the editor asks. */
export const credentialTest = {
	async testConnection(
		this: ICredentialTestFunctions,
		credential: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		const { testCredential } = await import('./credentialTest');
		return await testCredential(this, credential);
	},
};
