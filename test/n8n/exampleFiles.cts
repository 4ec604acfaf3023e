import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse } from 'n8n-workflow';
import { projectRoot } from '../root.cjs';
import type { WorkflowFile } from './editorApi.cjs';

const folder = join(projectRoot, 'examples');

/** The names of the examples' files. */
export const exampleFiles = readdirSync(folder).filter((name) => name.endsWith('.json'));

/** An example as n8n imports it. */
export const readExample = (file: string): WorkflowFile =>
	jsonParse<WorkflowFile>(readFileSync(join(folder, file), 'utf8'));
