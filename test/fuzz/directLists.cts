import { LoadOptionsContext } from 'n8n-core';
import type { ILoadOptionsFunctions, INode, INodeParameters } from 'n8n-workflow';
import { LoadedNodeTypes } from '../engine/nodeTypes.cjs';
import type { TestBed } from '../engine/testBed.cjs';

export type EditorMethod = (this: ILoadOptionsFunctions) => Promise<unknown>;

/** The functions of the node that answer the editor's questions, by name. */
export function editorMethodsOf({ engine }: TestBed): Record<string, EditorMethod> {
	const { methods } = new LoadedNodeTypes(engine.loader).getByNameAndVersion(
		engine.typeName('webData'),
		1,
	);
	return { ...methods?.listSearch };
}

/** Asks a function of the node in n8n's own context for the editor's questions. @throws what it throws */
export async function askList(
	testBed: TestBed,
	method: EditorMethod,
	webDataApi: Record<string, string>,
): Promise<unknown> {
	const { engine } = testBed;
	const parameters: INodeParameters = {};
	const node: INode = {
		id: 'node',
		name: 'Web Data',
		type: engine.typeName('webData'),
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
	const credentials = { webDataApi };
	const workflow = engine.workflow({ nodes: [node], connections: {} }, credentials);
	const more = { currentNodeParameters: parameters };
	const context = new LoadOptionsContext(
		workflow,
		workflow.getNode(node.name) ?? node,
		engine.additionalData(credentials, more),
		'',
	);
	return await method.call(context);
}
