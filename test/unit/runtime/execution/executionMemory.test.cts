import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';
import { ExecutionMemory } from '../../../../nodes/runtime/execution/executionMemory';
import { node } from '../../schemaAssertions.cjs';

describe('The memory between executions', () => {
	const keeping = (stored: IDataObject, mode: WorkflowExecuteMode = 'trigger', type = node.type) =>
		new ExecutionMemory({
			getMode: () => mode,
			getNode: () => ({ ...node, type }),
			getWorkflowStaticData: () => stored,
		});

	it('is written at the end, for the items whose results are output', () => {
		const stored: IDataObject = { a: { n: 1 }, b: { n: 1 } };
		const kept = keeping(stored);
		const [good, bad] = [kept.ofItem(), kept.ofItem()];
		good.memory.set('a', { n: 2 });
		good.memory.set('c', { n: 2 });
		good.memory.set('b', undefined);
		bad.memory.set('d', { n: 2 });
		good.accept();
		expect(stored).toEqual({ a: { n: 1 }, b: { n: 1 } });

		kept.write();
		expect(stored).toEqual({ a: { n: 2 }, c: { n: 2 } });
	});

	it('is visible to later items, but not to items in progress', () => {
		const kept = keeping({ a: { n: 1 } });
		const [first, second] = [kept.ofItem(), kept.ofItem()];
		first.memory.set('a', { n: 2 });
		expect(second.memory.get('a')).toEqual({ n: 1 });
		first.memory.set('b', { n: 2 });
		first.accept();

		expect(second.memory.get('a')).toEqual({ n: 2 });
		expect(second.memory.names().sort()).toEqual(['a', 'b']);
	});

	it.each([
		['manual', node.type],
		['trigger', `${node.type}Tool`],
	] as const)('is not written in mode %s by a node of type %s', (mode, type) => {
		const stored: IDataObject = {};
		const kept = keeping(stored, mode, type);
		const item = kept.ofItem();
		item.memory.set('a', { n: 1 });
		item.accept();
		kept.write();

		expect(stored).toEqual({});
	});
});
