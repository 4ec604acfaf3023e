import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodeListSearchResult,
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

type Search = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

const searchMonitors: Search = async function (filter) {
	return await (await import('./methods')).searchMonitors(this, filter);
};

const searchSessions: Search = async function (filter) {
	return await (await import('./methods')).searchSessions(this, filter);
};

/** The lists of the editor, named as in the fields' `searchListMethod`. Imported on demand. */
export const listSearch = { searchMonitors, searchSessions };
