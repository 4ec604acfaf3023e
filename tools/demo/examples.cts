import {
	getParentNodes,
	type IConnections,
	type IDataObject,
	type INodeParameters,
	jsonParse,
	mapConnectionsByDestination,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

import type { EngineRun, WorkflowFile } from '../../test/engine/harness.cjs';
import { parseUrl } from '../../test/mock/schemas/fields.cjs';
import { projectRoot } from '../../test/root.cjs';
import listed from './examples.json';
import {
	changeTable,
	companyTable,
	fileTable,
	pageTable,
	passageTable,
	resultTable,
} from './tables.cjs';

/** A workflow that the demo can run, and how its outcome is shown. Those that can be named on the command line are in examples.json. */
export interface Example {
	/** Below examples/. */
	file: string;
	about: string;
	/** The node of this package that brings the result: its credits and its warnings are shown. */
	node: string;
	/** The node whose items are shown, when it is a later one. What follows is not run: n8n's own nodes are few here. */
	outcome?: string;
	/** The parameter that `--query` replaces, by the words of the query or by what is made of them. */
	asked: { node: string; parameter: string; write?(query: string): string | INodeParameters };
	/** What the mock server is asked where its small web does not have what the file asks for. */
	mockQuery?: string;
	/** What the mock server adds to the page that it is asked for, so that a trigger has a change to notice. */
	newLine?: string;
	show(items: IDataObject[], width: number): string;
}

export const examples: Record<string, Example> = {
	'search-and-read': {
		...listed['search-and-read'],
		node: 'Search and read',
		asked: { node: 'Search and read', parameter: 'query' },
		show: resultTable,
	},
	agent: {
		...listed.agent,
		node: 'Research',
		outcome: 'Row',
		asked: { node: 'Companies', parameter: 'jsonOutput', write: writeCompanies },
		mockQuery: [
			'https://emberroast.example',
			'https://relayworks.example',
			'https://portoffice.example',
		].join(', '),
		show: companyTable,
	},
	papers: {
		...listed.papers,
		node: 'Read each paper',
		asked: { node: 'Find papers', parameter: 'query' },
		show: passageTable,
	},
	crawl: {
		...listed.crawl,
		node: 'Crawl',
		outcome: 'Markdown files',
		asked: { node: 'Crawl', parameter: 'url' },
		mockQuery: 'https://tidewatch.example',
		show: fileTable,
	},
	batch: {
		...listed.batch,
		node: 'Read all pages',
		outcome: 'Add the label',
		asked: { node: 'List of pages', parameter: 'jsonOutput', write: writeList },
		mockQuery: [
			'https://tidewatch.example/guides/spring-tides',
			'https://emberroast.example/brewing/espresso',
			'https://docs.relayworks.example/concepts/retries',
			'https://nowhere.example/lost',
		].join(', '),
		show: pageTable,
	},
	watch: {
		...listed.watch,
		node: 'Page changes',
		outcome: 'Write the message',
		asked: {
			node: 'Page changes',
			parameter: 'targets',
			write: (urls) => ({ values: [{ type: 'scrape', urls }] }),
		},
		mockQuery: 'https://tidewatch.example/guides/spring-tides',
		newLine: 'From 1 December the printed tide table has a new price: 12 euros.',
		show: changeTable,
	},
	topic: {
		...listed.topic,
		node: 'New results',
		outcome: 'Write an entry',
		asked: { node: 'New results', parameter: 'query' },
		show: resultTable,
	},
};

const addressesIn = (query: string): string[] => query.split(/[\s,]+/).filter((url) => url !== '');

/** A list of addresses as the batch's example has it, each labelled by the end of its path. */
function writeList(query: string): string {
	const pages = addressesIn(query).map((url) => ({ label: url.split('/').at(-1), url }));
	return JSON.stringify({ pages }, null, 2);
}

/** A list of websites as the agent's example has it, each company named by the website's host. */
function writeCompanies(query: string): string {
	const companies = addressesIn(query).map((website) => ({
		company: parseUrl(website)?.hostname ?? website,
		website,
	}));
	return JSON.stringify({ companies }, null, 2);
}

/** What an item says of the request or the job that it comes from. */
const originSchema = z.object({
	jobId: z.string().optional(),
	requestId: z.string().optional(),
	requestCredits: z.number().optional(),
	request: z
		.object({
			creditsUsed: z.number().optional(),
			id: z.string().optional(),
			jobId: z.string().optional(),
		})
		.optional(),
});

/** The example's workflow up to its outcome, with another query when one is given. */
export function loadWorkflow(example: Example, query?: string): WorkflowFile {
	const { file, node, outcome = node, asked } = example;
	const workflow = jsonParse<WorkflowFile>(
		readFileSync(join(projectRoot, 'examples', file), 'utf8'),
	);
	const byDestination = mapConnectionsByDestination(workflow.connections);
	const wanted = new Set([outcome, ...getParentNodes(byDestination, outcome)]);
	const value = query === undefined ? undefined : (asked.write?.(query) ?? query);
	return {
		...workflow,
		connections: connectionsAmong(wanted, workflow.connections),
		nodes: workflow.nodes
			.filter(({ name }) => wanted.has(name))
			.map((entry) =>
				entry.name === asked.node && value !== undefined
					? { ...entry, parameters: { ...entry.parameters, [asked.parameter]: value } }
					: entry,
			),
	};
}

/** The connections that begin and end at one of the nodes. */
function connectionsAmong(nodes: ReadonlySet<string>, connections: IConnections): IConnections {
	const { Main } = NodeConnectionTypes;
	const kept = Object.entries(connections)
		.filter(([name]) => nodes.has(name))
		.map(([name, { [Main]: outputs = [] }]) => [
			name,
			{ [Main]: outputs.map((links) => (links ?? []).filter(({ node }) => nodes.has(node))) },
		]);
	return Object.fromEntries(kept);
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
	const { jobId, requestId, requestCredits, request } = originSchema.parse(
		run.output(node).at(0)?.json ?? {},
	);
	return { jobId, id: requestId, creditsUsed: requestCredits, ...request };
}
