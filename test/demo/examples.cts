import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { EngineRun, WorkflowFile } from '../engine/harness.cjs';
import { projectRoot } from '../root.cjs';
import { resultTable } from './resultTable.cjs';

/** A workflow that the demo can run, and how its outcome is shown. */
export interface Example {
	/** Below examples/. */
	file: string;
	about: string;
	/** The node whose query `--query` replaces and whose items are shown. */
	node: string;
	show(items: IDataObject[], width: number): string;
}

export const examples: Record<string, Example> = {
	'search-and-read': {
		file: 'search-and-read.json',
		about: 'searches the web and reads the pages it finds',
		node: 'Search and read',
		show: resultTable,
	},
};

const responseSchema = z.object({ creditsUsed: z.number().optional(), id: z.string().optional() });

/** The example's workflow as n8n imports it, with another query when one is given. */
export function loadWorkflow({ file, node }: Example, query?: string): WorkflowFile {
	const workflow = jsonParse<WorkflowFile>(
		readFileSync(join(projectRoot, 'examples', file), 'utf8'),
	);
	if (query === undefined) return workflow;
	return {
		...workflow,
		nodes: workflow.nodes.map((entry) =>
			entry.name === node ? { ...entry, parameters: { ...entry.parameters, query } } : entry,
		),
	};
}

/** The example's items as plain objects. */
export function itemsOf(run: EngineRun, { node }: Example): IDataObject[] {
	return run.output(node).map(({ json }) => json);
}

/** What the service said of the whole request: every item carries it. */
export function responseOf([item]: IDataObject[]): { creditsUsed?: number; id?: string } {
	return responseSchema.parse(item?.response ?? {});
}
