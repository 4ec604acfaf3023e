import { CredentialTestContext, type PackageDirectoryLoader } from 'n8n-core';
import type { ICredentialTestFunction, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

/** What the editor shows after "Test" in the credential's window. */
export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

/** The function of a node by which a credential type is tested, of the first that names one, as n8n looks for it. */
function testingFunction(
	loader: PackageDirectoryLoader,
	type: string,
): ICredentialTestFunction | undefined {
	for (const name of loader.known.credentials[type]?.supportedNodes ?? []) {
		const node = loader.getNode(name.split('.').pop() ?? name).type;
		if ('nodeVersions' in node) continue;
		const { testedBy } = node.description.credentials?.find((one) => one.name === type) ?? {};
		if (typeof testedBy === 'string') return node.methods?.credentialTest?.[testedBy];
	}
	return undefined;
}

/** Tests the credential that `additionalData` holds as n8n does: by the function of a node. */
export async function testCredential(
	loader: PackageDirectoryLoader,
	additionalData: IWorkflowExecuteAdditionalData,
	type: string,
): Promise<CredentialTestResult> {
	const reference = { id: 'temp', name: type };
	const data = await additionalData.credentialsHelper.getDecrypted(
		additionalData,
		reference,
		type,
		'internal',
	);
	const tested = testingFunction(loader, type);
	if (!tested) throw new Error(`The credential type "${type}" has no test`);
	return await tested.call(new CredentialTestContext(additionalData), { ...reference, type, data });
}
