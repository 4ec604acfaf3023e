import '../test/engine/environment.cjs';
import 'reflect-metadata';
// What n8n itself has loaded before any node.
import 'n8n-core';

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { NodeHelpers, type INodeTypeDescription, type INodeType } from 'n8n-workflow';
import { serveOrders } from '../test/remote.cjs';

export interface LoadOrder {
	/** Of a built package. */
	folder: string;
}

export interface LoadReport {
	/** Milliseconds from the first require to the last description. */
	ms: number;
	/** Of the descriptions of nodes with operations, as they go to the editor, gzipped. */
	bytesPerOperation: number;
}

/** How many operations a node offers: the values of its fields `operation`. */
const operationsOf = ({ properties }: INodeTypeDescription): number =>
	properties
		.filter(({ name, type }) => name === 'operation' && type === 'options')
		.reduce((sum, { options = [] }) => sum + options.length, 0);

/** Makes what a file of a package exports, as n8n does. */
function made(path: string): object {
	const exported: Record<string, new () => object> = require(path);
	const [Type] = Object.values(exported);
	return new Type();
}

serveOrders(async ({ folder }: LoadOrder): Promise<LoadReport> => {
	const { n8n }: { n8n: { nodes: string[]; credentials: string[] } } = JSON.parse(
		readFileSync(join(folder, 'package.json'), 'utf8'),
	);
	const began = performance.now();
	n8n.credentials.forEach((path) => made(join(folder, path)));
	const nodes = n8n.nodes.map(
		(path) => NodeHelpers.getVersionedNodeType(made(join(folder, path)) as INodeType).description,
	);
	const ms = performance.now() - began;
	const actions = nodes.filter((node) => operationsOf(node) > 0);
	const sum = (of: (node: INodeTypeDescription) => number) =>
		actions.reduce((total, node) => total + of(node), 0);
	const bytes = sum((node) => gzipSync(JSON.stringify(node)).length);
	return { ms, bytesPerOperation: bytes / sum(operationsOf) };
});
