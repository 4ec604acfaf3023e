import type { IDataObject } from 'n8n-workflow';
import type { EditorApi } from './editorApi.cjs';
import { manualTrigger, nodeUnderTest, single } from './n8n.cjs';

/** Runs one search in an n8n, wherever it runs. Resolves with its items. @throws when it fails */
export async function smoke(
	api: EditorApi,
	credential: { id: string; name: string },
): Promise<IDataObject[]> {
	const search = single('Smoke test', { query: 'spring tides', limit: 1 });
	const id = await api.createWorkflow(search, credential);
	const execution = await api.ended(await api.run(id, manualTrigger));
	return execution
		.succeeded()
		.output(nodeUnderTest)
		.map(({ json }) => json);
}
