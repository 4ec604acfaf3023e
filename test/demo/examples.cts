import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import type { EngineRun, WorkflowFile } from '../engine/harness.cjs';
import { projectRoot } from '../root.cjs';
import { changeTable } from './changeTable.cjs';
import { fileTable, findingTable, pageTable, passageTable, resultTable } from './resultTable.cjs';

/** A workflow that the demo can run, and how its outcome is shown. */
export interface Example {
	/** Below examples/. */
	file: string;
	about: string;
	/** The node of this package that brings the result: its credits and its warnings are shown. */
	node: string;
	/** The node whose items are shown, when it is a later one. */
	outcome?: string;
	/** The parameter that `--query` replaces, by the words of the query or by what is made of them. */
	asked: { node: string; parameter: string; write?(query: string): string | INodeParameters };
	/** What the stand-in is asked where its small web does not have what the file asks for. */
	standInQuery?: string;
	/** What the stand-in adds to the page that it is asked for, so that a trigger has a change to notice. */
	newLine?: string;
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
	crawl: {
		file: 'crawl-to-markdown-files.json',
		about: 'reads a website page by page and makes a markdown file of each page',
		node: 'Crawl',
		outcome: 'Markdown files',
		asked: { node: 'Crawl', parameter: 'url' },
		standInQuery: 'https://tidewatch.example',
		show: fileTable,
	},
	batch: {
		file: 'batch-from-list.json',
		about: 'reads the pages of a list as one batch and puts what the list says beside each',
		node: 'Read all pages',
		outcome: 'Add the label',
		asked: { node: 'List of pages', parameter: 'jsonOutput', write: writeList },
		standInQuery: [
			'https://tidewatch.example/guides/spring-tides',
			'https://emberroast.example/brewing/espresso',
			'https://docs.relayworks.example/concepts/retries',
			'https://nowhere.example/lost',
		].join(', '),
		show: pageTable,
	},
	watch: {
		file: 'watch-a-page.json',
		about: 'watches a page and writes a message when it changes in a way that matters',
		node: 'Page changes',
		outcome: 'Write the message',
		asked: {
			node: 'Page changes',
			parameter: 'targets',
			write: (urls) => ({ values: [{ type: 'scrape', urls }] }),
		},
		standInQuery: 'https://tidewatch.example/guides/spring-tides',
		newLine: 'From 1 December the printed tide table has a new price: 12 euros.',
		show: changeTable,
	},
	topic: {
		file: 'watch-a-topic.json',
		about: 'watches a topic; by hand, it shows what there is now and writes a message of each',
		node: 'New results',
		outcome: 'Write the message',
		asked: { node: 'New results', parameter: 'query' },
		show: resultTable,
	},
};

/** A list of addresses as the batch's example has it, each labelled by the end of its path. */
function writeList(query: string): string {
	const urls = query.split(/[\s,]+/).filter((url) => url !== '');
	const pages = urls.map((url) => ({ label: url.split('/').at(-1), url }));
	return JSON.stringify({ pages }, null, 2);
}

/** What an item says of the request or the job that it comes from. */
const originSchema = z.object({
	jobId: z.string().optional(),
	request: z
		.object({
			creditsUsed: z.number().optional(),
			id: z.string().optional(),
			jobId: z.string().optional(),
		})
		.optional(),
});

/** The example's workflow as n8n imports it, with another query when one is given. */
export function loadWorkflow({ file, asked }: Example, query?: string): WorkflowFile {
	const workflow = jsonParse<WorkflowFile>(
		readFileSync(join(projectRoot, 'examples', file), 'utf8'),
	);
	if (query === undefined) return workflow;
	const value = asked.write?.(query) ?? query;
	return {
		...workflow,
		nodes: workflow.nodes.map((entry) =>
			entry.name === asked.node
				? { ...entry, parameters: { ...entry.parameters, [asked.parameter]: value } }
				: entry,
		),
	};
}

/** The items to show as plain objects, their files under `binary`. */
export function itemsOf(run: EngineRun, { node, outcome = node }: Example): IDataObject[] {
	return run.output(outcome).map(({ json, binary }) => ({ ...json, ...(binary && { binary }) }));
}

/** What the service said of the whole request or job: every item of the node carries it. */
export function requestOf(
	run: EngineRun,
	{ node }: Example,
): { creditsUsed?: number; id?: string; jobId?: string } {
	const { jobId, request = {} } = originSchema.parse(run.output(node).at(0)?.json ?? {});
	return { jobId, ...request };
}
