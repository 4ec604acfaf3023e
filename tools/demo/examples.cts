import {
	getParentNodes,
	type IConnections,
	type IDataObject,
	jsonParse,
	mapConnectionsByDestination,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { EngineRun, WorkflowFile } from '../../test/engine/harness.cjs';
import { parseUrl } from '../../test/mock/schemas/fields.cjs';
import { projectRoot } from '../../test/root.cjs';
import listed from './examples.json';
import type { Column } from './tables.cjs';

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
	asked: { node: string; parameter: string; write?(query: string): string };
	/** What the mock server is asked where its small web does not have what the file asks for. */
	mockQuery?: string;
	/** The table of its outcome. */
	columns: Column[];
}

const title: Column = { head: 'Title', share: 25, of: (item) => item.title };
const url: Column = { head: 'URL', share: 30, of: (item) => item.url };

const resultColumns: Column[] = [
	title,
	url,
	{ head: 'Source', share: 12, of: ({ source }) => source },
	{
		head: 'First words',
		share: 45,
		of: ({ markdown, description }) => markdown ?? description,
		isPage: true,
	},
];

export const examples: Record<string, Example> = {
	'search-and-read': {
		...listed['search-and-read'],
		node: 'Search and read',
		asked: { node: 'Search and read', parameter: 'query' },
		columns: resultColumns,
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
		columns: [
			{ head: 'Company', share: 22, of: ({ company }) => company },
			{ head: 'Description', share: 43, of: ({ description }) => description, isPage: true },
			{ head: 'E-mail', share: 35, of: ({ email }) => email },
			{ head: 'Price', share: 15, of: ({ price, currency }) => `${price ?? ''} ${currency ?? ''}` },
		],
	},
	papers: {
		...listed.papers,
		node: 'Read each paper',
		asked: { node: 'Find papers', parameter: 'query' },
		columns: [
			{ head: 'Paper', share: 30, of: ({ request }) => Object(request).paper?.title },
			{ head: 'ID', share: 13, of: ({ request }) => Object(request).paper?.paperId },
			{ head: 'Passage', share: 60, of: ({ text }) => text, isPage: true },
		],
	},
	crawl: {
		...listed.crawl,
		node: 'Crawl',
		outcome: 'Markdown files',
		asked: { node: 'Crawl', parameter: 'url' },
		mockQuery: 'https://tidewatch.example',
		columns: [
			{ head: 'File', share: 70, of: ({ binary }) => Object(binary).data?.fileName },
			{ head: 'Type', share: 20, of: ({ binary }) => Object(binary).data?.mimeType },
			{ head: 'Size', share: 15, of: ({ binary }) => Object(binary).data?.fileSize },
		],
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
		columns: [
			{ head: 'Label', share: 18, of: ({ label }) => label },
			title,
			url,
			{
				head: 'First words',
				share: 40,
				of: ({ markdown, failed }) => markdown ?? Object(failed).error,
				isPage: true,
			},
		],
	},
	topic: {
		...listed.topic,
		node: 'New results',
		outcome: 'Write an entry',
		asked: { node: 'New results', parameter: 'query' },
		columns: resultColumns,
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
): { creditsUsed?: number; jobId?: string } {
	const { jobId, requestCredits, request } = Object(run.output(node).at(0)?.json);
	return { jobId, creditsUsed: requestCredits, ...request };
}
