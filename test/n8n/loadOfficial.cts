import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

/** A folder that scripts/testN8n.mjs has prepared, or a file of a package in it. */
export const installed = (variable: string, path: string): string =>
	createRequire(join(process.env[variable] ?? '', 'package.json')).resolve(path);

/** Makes what a file exports under its own name. */
export function load<Type>(file: string): Type {
	const loaded: Record<string, new () => Type> = require(file);
	return new loaded[basename(file).split('.')[0]]();
}

/** Loads a node or a credential of the official package. */
export const loadOfficial = <Type,>(path: string, name = '@mendable/n8n-nodes-firecrawl'): Type =>
	load<Type>(join(installed('WEB_DATA_PEER', `${name}/package.json`), '../dist', path));
