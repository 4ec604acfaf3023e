import { useEditor, type WorkflowTab } from './editor.cjs';
import { exampleFiles, readExample } from './exampleFiles.cjs';
import { useN8n } from './n8n.cjs';
import { ReadyExamples } from './readyExamples.cjs';

/** How a person runs an example that a click does not: by a message in its chat, or by a file in its form. */
const questions: Record<string, string> = {
	'ai-agent-with-web-tools.json': 'spring tides',
	'research-with-passages.json': 'spring tides',
};

/** Starts by what another program sends. Its note names the client. */
const byClients = ['mcp-server.json'];

/** Every example as `npm run dev` has it, run by what a person does in the editor. */
describe('an example in the editor', () => {
	const real = useN8n('examples-by-click', { examplePages: true });
	const opened = useEditor(real);
	let examples: ReadyExamples;
	beforeAll(async () => {
		examples = await ReadyExamples.store(real.n8n);
	});
	afterAll(async () => await examples?.close());

	const start = async (file: string, tab: WorkflowTab) => {
		const question = questions[file];
		if (question !== undefined) return await tab.chat(question);
		if (file !== 'invoices-to-rows.json') return await tab.execute();
		const form = await tab.executeToForm();
		await form.setInputFiles('input[type=file]', examples.invoices);
		await form.click('button[type=submit]');
	};

	it.each(exampleFiles.filter((file) => !byClients.includes(file)))(
		'%s is green after one click',
		async (file) => {
			const { api } = real.n8n;
			const id = examples.ids.get(file) ?? '';
			const tab = await opened.editor.workflow(id);
			await start(file, tab);

			const [first] = await api.executionIds(id, 1);
			const execution = (await api.resumed(first)).succeeded();
			const ran = readExample(file).nodes.filter(
				({ name, disabled }) => !disabled && execution.output(name).length > 0,
			);
			expect(ran.length).toBeGreaterThan(0);
			await tab.showsSuccess(ran.map(({ name }) => name));
			expect(execution.problems()).toEqual([]);
			await tab.close();
		},
	);

	it.each(byClients)('%s says what starts it', (file) => {
		const note = readExample(file).nodes.map(({ parameters }) => String(parameters.content));
		expect(note.join('\n')).toMatch(/enter its \*\*Production URL\*\* and the token in the client/);
	});
});
