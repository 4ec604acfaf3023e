import { join } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { projectRoot } from './root.cjs';

/** A node of the built package by the name of its class, as n8n makes one when it starts. */
export function builtNode(name: string): INodeType {
	const file = join(projectRoot, 'dist/nodes', name, `${name}.node.js`);
	const built: Record<string, new () => INodeType> = require(file);
	return new built[name]();
}
