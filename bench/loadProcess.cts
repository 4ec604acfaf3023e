import '../test/engine/environment.cjs';
import 'reflect-metadata';
// What n8n itself has loaded before any node.
import 'n8n-core';

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { serveOrders } from './remote.cjs';

export interface LoadOrder {
	/** Of a built package. */
	folder: string;
}

export interface LoadReport {
	/** Milliseconds from the first require to the last description. */
	ms: number;
	nodes: LoadedNode[];
}

export interface LoadedNode {
	/** As it goes to the editor. */
	description: string;
	/** None for a trigger. */
	operations: number;
}

/** The operations that a node offers: the values of its fields `operation`. */
function operationsOf({ properties }: INodeTypeDescription): number {
	const choices = properties
		.filter(({ name, type }) => name === 'operation' && type === 'options')
		.map(({ options }) => options?.length ?? 0);
	return choices.reduce((sum, count) => sum + count, 0);
}

/** Makes what a file of a package exports, as n8n does. */
function made(path: string): object {
	const exported: Record<string, new () => object> = require(path);
	const [Type] = Object.values(exported);
	return new Type();
}

async function load({ folder }: LoadOrder): Promise<LoadReport> {
	const { n8n }: { n8n: { nodes: string[]; credentials: string[] } } = JSON.parse(
		readFileSync(join(folder, 'package.json'), 'utf8'),
	);
	const began = performance.now();
	n8n.credentials.forEach((path) => made(join(folder, path)));
	const types = n8n.nodes.map((path) =>
		NodeHelpers.getVersionedNodeType(made(join(folder, path)) as INodeType),
	);
	const ms = performance.now() - began;
	const nodes = types.map(({ description }) => ({
		description: JSON.stringify(description),
		operations: operationsOf(description),
	}));
	return { ms, nodes };
}

serveOrders(load);
