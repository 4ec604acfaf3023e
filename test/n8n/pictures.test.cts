import { useEditor } from './editor.cjs';
import { exampleFiles, readExample } from './exampleFiles.cjs';
import { useN8n } from './n8n.cjs';
import { nodeCredentials, withCredentials } from './readyExamples.cjs';

/** The canvas of each example, for the documentation; tools/docs/examples.test holds that nothing overlaps. */
describe('the pictures of the examples', () => {
	const real = useN8n('pictures');
	const opened = useEditor(real);

	it.each(exampleFiles)('%s is shown without complaints', async (file) => {
		const { api } = real.n8n;
		const { credential } = await real.n8n.account();
		// A node without its credential is shown with a warning.
		const credentials = await nodeCredentials(real.n8n, 'http://127.0.0.1/v1', 'a');
		const workflow = withCredentials(readExample(file), credentials);
		const tab = await opened.editor.workflow(await api.createWorkflow(workflow, credential));

		await tab.pictureOfAll(`examples/${file.replace(/\.json$/, '')}`);

		expect(tab.complaints).toEqual([]);
		await tab.close();
	});
});
