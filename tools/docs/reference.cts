import type { INodeTypeDescription } from 'n8n-workflow';
import { WebDataApi } from '../../credentials/WebDataApi.credentials';
import { settingsFields } from '../../nodes/runtime/form/settings';
import { resources } from '../../nodes/WebData/resources';
import { builtNode } from '../../test/builtNode.cjs';
import { FieldLists, plain } from './fieldList.cjs';

/** A link to a heading, by the name that GitHub gives it. */
const link = (heading: string, text = heading): string =>
	`[${text}](#${heading
		.toLowerCase()
		.replace(/[^\w\s-]/g, '')
		.replaceAll(' ', '-')})`;

const triggers: INodeTypeDescription[] = ['WebDataPollingTrigger', 'WebDataTrigger'].map(
	(name) => builtNode(name).description,
);

/** What holds for the fields of every operation. */
const allFields = [
	"Each field is described once; elsewhere, a link leads to it. In parentheses are its name in saved workflows and expressions, its type and its default. The names are the API's own (`includeDomains`, `onlyMainContent` …), so the API's documentation applies.",
	"**What is sent.** Only fields that you set, and the few with a default, such as a crawl's *Limit*. An incomplete entry of a list is an error.",
	'**Lists** accept comma-separated text or an array from an expression.',
	'**Example** shows the fields of a result. `null` stands for text or nothing, and an empty list for a list of texts.',
	'**Request (JSON)** accepts any fields of the API request, from an expression or an AI Agent too: n8n supports no expression for a whole collection. For a page, for example: `{"minAge": 1, "formats": ["markdown", {"type": "attributes", "selectors": [{"selector": "a", "attribute": "href"}]}]}`; a crawl and a search have these below `scrapeOptions`. The required fields of the node are needed, too, because n8n checks them first. Fields that this version does not know are sent without validation. A field that the server does not support is an error with its name.',
];

/** The whole reference, in Markdown. */
export function reference(): string {
	const lists = new FieldLists();
	const settings = settingsFields(
		'output',
		'passageQuery',
		'downloadFiles',
		'maxCreditsPerExecution',
		'maxRetryTime',
		'maxWait',
		'onlyChanged',
	);
	const settingLines = lists.of(link('Settings'), settings);
	const sections = resources.flatMap(({ name, value, operations }) => [
		`## ${name}`,
		...operations.flatMap((operation) => {
			const heading = `${name}: ${operation.name}`;
			return [
				`### ${heading}`,
				`${plain(operation.description)} **Costs**: ${plain(operation.costs)}. (\`${value}\`, \`${operation.value}\`)`,
				lists.of(link(heading), operation.fields).join('\n'),
			];
		}),
	]);
	const paragraphs = [
		'# Operations and fields',
		`Every operation and field of **${builtNode('WebData').description.displayName}**, its triggers and its credential. Costs are in [Firecrawl credits](budget.md#prices). Written by \`npm run docs\`: change the descriptions in the code, not this file.`,
		resources
			.map(
				({ name, operations }) =>
					`- ${link(name)}: ${operations.map((each) => link(`${name}: ${each.name}`, each.name)).join(', ')}`,
			)
			.concat(`- ${triggers.map(({ displayName }) => link(displayName)).join(', ')}`)
			.join('\n'),
		'## How fields work',
		...allFields,
		'## Settings',
		"The node's own settings. An operation has those that act on it.",
		settingLines.join('\n'),
		...sections,
		...triggers.flatMap(({ displayName, description, properties }) => [
			`## ${displayName}`,
			`${plain(description)}.`,
			lists.of(link(displayName), properties).join('\n'),
		]),
		'## Credential',
		lists.of(link('Credential'), new WebDataApi().properties).join('\n'),
	];
	return `${paragraphs.filter((each) => each !== '').join('\n\n')}\n`;
}
