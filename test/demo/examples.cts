import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { EngineRun, WorkflowFile } from '../engine/harness.cjs';
import { projectRoot } from '../root.cjs';
import { findingTable, passageTable, resultTable } from './resultTable.cjs';

/** A workflow that the demo can run, and how its outcome is shown. */
export interface Example {
	/** Below examples/. */
	file: string;
	about: string;
	/** The node whose items are shown. */
	node: string;
	/** The parameter that `--query` replaces. */
	asked: { node: string; parameter: string };
	show(items: IDataObject[], width: number): string;
}

export const examples: Record<string, Example> = {
	'search-and-read': {
		file: 'search-and-read.json',
		about: 'searches the web and reads the pages it finds',
		node: 'Search and read',
		asked: { node: 'Search and read', parameter: 'query' },
		show: resultTable,
	},
	agent: {
		file: 'agent-with-schema.json',
		about: 'lets an agent research, and gives what it finds in the shape of an example',
		node: 'Research',
		asked: { node: 'Research', parameter: 'prompt' },
		show: findingTable,
	},
	papers: {
		file: 'paper-digest.json',
		about: 'finds papers and reads what they say to a question',
		node: 'Read each paper',
		asked: { node: 'Find papers', parameter: 'query' },
		show: passageTable,
	},
};

const requestSchema = z.object({
	creditsUsed: z.number().optional(),
	id: z.string().optional(),
	jobId: z.string().optional(),
});

/** The example's workflow as n8n imports it, with another query when one is given. */
export function loadWorkflow({ file, asked }: Example, query?: string): WorkflowFile {
	const workflow = jsonParse<WorkflowFile>(
		readFileSync(join(projectRoot, 'examples', file), 'utf8'),
	);
	if (query === undefined) return workflow;
	return {
		...workflow,
		nodes: workflow.nodes.map((entry) =>
			entry.name === asked.node
				? { ...entry, parameters: { ...entry.parameters, [asked.parameter]: query } }
				: entry,
		),
	};
}

/** The example's items as plain objects. */
export function itemsOf(run: EngineRun, { node }: Example): IDataObject[] {
	return run.output(node).map(({ json }) => json);
}

/** What the service said of the whole request: every item carries it. */
export function requestOf([item]: IDataObject[]): { creditsUsed?: number; id?: string } {
	const { creditsUsed, id, jobId } = requestSchema.parse(item?.request ?? {});
	return { creditsUsed, id: id ?? jobId };
}
