import { Editor, type Box, type Placed } from './editor.cjs';
import { exampleFiles, readExample } from './exampleFiles.cjs';
import { useN8n } from './n8n.cjs';
import { nodeCredentials, withCredentials } from './readyExamples.cjs';

const overlap = (one: Box, other: Box): boolean =>
	one.x < other.x + other.width &&
	other.x < one.x + one.width &&
	one.y < other.y + other.height &&
	other.y < one.y + one.height;

const within = (inner: Box, outer: Box): boolean =>
	inner.x >= outer.x &&
	inner.y >= outer.y &&
	inner.x + inner.width <= outer.x + outer.width &&
	inner.y + inner.height <= outer.y + outer.height;

const partsOf = ({ box, texts }: Placed): Box[] => [box, ...texts];

/** The names of the nodes or notes of which a part overlaps a part of another. */
const overlapping = (all: Placed[], others = all): string[] =>
	all.flatMap((one) =>
		others
			.filter((other) => other !== one)
			.filter((other) =>
				partsOf(one).some((part) => partsOf(other).some((each) => overlap(part, each))),
			)
			.map((other) => `${one.name} overlaps ${other.name}`),
	);

/** What surrounds boxes, with a margin. */
function frame(boxes: Box[], margin: number): Box {
	const left = Math.min(...boxes.map(({ x }) => x)) - margin;
	const top = Math.min(...boxes.map(({ y }) => y)) - margin;
	const right = Math.max(...boxes.map(({ x, width }) => x + width)) + margin;
	const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + margin;
	return { x: left, y: top, width: right - left, height: bottom - top };
}

describe('the canvas of each example', () => {
	const real = useN8n('pictures');
	let editor: Editor;

	beforeAll(async () => {
		editor = await Editor.open(real.n8n);
	});
	afterAll(async () => await editor.close());

	it.each(exampleFiles)('%s reads well', async (file) => {
		const { api } = real.n8n;
		const { credential } = await real.n8n.account();
		// A node without its credential is shown with a warning.
		const credentials = await nodeCredentials(real.n8n, 'http://127.0.0.1/v1', 'a');
		const workflow = withCredentials(readExample(file), credentials);
		const tab = await editor.workflow(await api.createWorkflow(workflow, credential));
		const canvas = await tab.fitToView();
		const notes = canvas.notes.map(({ box }) => box);
		await tab.picture(`examples/${file.replace(/\.json$/, '')}`, frame(notes, 12));

		expect(canvas.nodes.length + notes.length).toBe(workflow.nodes.length);
		expect(overlapping(canvas.nodes)).toEqual([]);
		expect(overlapping(canvas.notes)).toEqual([]);
		for (const node of canvas.nodes) {
			const behind = notes.filter((note) => partsOf(node).every((part) => within(part, note)));
			expect([node.name, behind.length]).toEqual([node.name, 1]);
		}
		for (const { name, box, texts } of canvas.notes) {
			expect([name, texts.filter((text) => !within(text, box))]).toEqual([name, []]);
			expect(overlapping([{ name, box: texts[0], texts }], canvas.nodes)).toEqual([]);
		}
		expect(tab.complaints).toEqual([]);
		await tab.close();
	});
});
