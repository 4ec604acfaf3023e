import type { INodeTypeDescription } from 'n8n-workflow';
import { WebDataApi } from '../../credentials/WebDataApi.credentials';
import type { Operation, Resource } from '../../nodes/runtime/execution/operation';
import { resources } from '../../nodes/WebData/resources';
import { builtNode } from '../builtNode.cjs';
import { commonGroups, commonRows, keyOf, type Owner } from './commonGroups.cjs';
import { withFormatGroup } from './formatGroup.cjs';
import { fieldTable, isGroup, plain, rowsOf, type Elsewhere } from './fieldRows.cjs';

/** An operation with its resource, and its heading in the reference. */
interface Entry extends Owner {
	resource: Resource;
	operation: Operation;
}

const entries: Entry[] = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		resource,
		operation,
		heading: `${resource.name}: ${operation.name}`,
		part: resource.name,
		fields: withFormatGroup(operation.fields),
	})),
);

const triggers: Array<Owner & { description: string }> = [
	builtNode('WebDataPollingTrigger').description,
	builtNode('WebDataTrigger').description,
].map(({ displayName, description, properties }: INodeTypeDescription) => ({
	heading: displayName,
	part: displayName,
	description,
	fields: withFormatGroup(properties),
}));

/** A link to a heading, by the name that GitHub gives it. */
const link = (heading: string, text = heading): string =>
	`[${text}](#${heading
		.toLowerCase()
		.replace(/[^\w\s-]/g, '')
		.replaceAll(' ', '-')})`;

const common = commonGroups([...entries, ...triggers]);

/** The headings of the groups that are described once. */
const commonHeadings = new Map(
	common.flatMap(({ heading, variants }) =>
		variants.map(({ group }): [string, string] => [keyOf(group), heading]),
	),
);

const toCommon: Elsewhere = (group) => {
	const heading = commonHeadings.get(keyOf(group));
	return heading && `See ${link(heading)}.`;
};

/** Refers from a group to the first owner that has it, where it is described, and to the common groups. */
function toFirst({ heading: here, fields }: Owner): Elsewhere {
	return (group) => {
		const first = [...entries, ...triggers].find((owner) =>
			owner.fields.some((field) => isGroup(field) && keyOf(field) === keyOf(group)),
		);
		const there = first && first.heading !== here && fields.includes(group);
		return toCommon(group) ?? (there ? `As for ${link(first.heading)}.` : undefined);
	};
}

const table = (owner: Owner): string => fieldTable(rowsOf(owner.fields, toFirst(owner)));

function operationSection(entry: Entry): string[] {
	const { operation, resource, heading } = entry;
	const { action, costs, description, value } = operation;
	return [
		`### ${heading}`,
		`*${plain(action)}* (\`${resource.value}\`, \`${value}\`)`,
		plain(description),
		`**Costs**: ${plain(costs)}.`,
		table(entry),
	];
}

/** Every operation in a line, with what it costs. */
function overview(): string {
	const rows = entries.map(({ part, heading, operation: { name, action, costs } }) => [
		part,
		link(heading, name),
		plain(action),
		plain(costs),
	]);
	const head = ['Resource', 'Operation', 'What it does', 'Costs'];
	return [head, head.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

function contents(): string {
	const listed = (headings: string[]): string => headings.map((each) => link(each)).join(', ');
	return [
		`- **Groups of fields**: ${listed(common.map(({ heading }) => heading))}`,
		`- **Triggers**: ${listed(triggers.map(({ heading }) => heading))}`,
		`- ${link('Credential')}`,
	].join('\n');
}

/** What holds for the fields of every operation. */
const allFields = [
	"**Names.** The name of every field is the API's own (`includeDomains`, `onlyMainContent`, `maxCredits` …), so the API's documentation applies.",
	"**What is sent.** Only fields that you set are sent, and the few fields with an initial value, such as a crawl's *Limit*. An empty group is not sent, and a notice shows it; an incomplete entry of a list is an error.",
	'**Lists.** List fields accept comma-separated text or an array from an expression.',
	'**Formats.** *Formats* is a choice of several; an expression returns an array or comma-separated text. The fields of the chosen formats appear below it. For several JSON formats or other options, use *Request (JSON)*, or entries as in the API in an expression: `={{ [{ "type": "json", "prompt": "The price" }, "links"] }}`.',
	'**Request (JSON).** n8n does not support expressions for a whole collection such as *Scrape Options* or *Actions*. *Additional Fields → Request (JSON)* accepts the fields of the API request, for example `{"scrapeOptions": {"formats": ["markdown", "links"]}}`, from an expression or an AI Agent too. In an n8n expression, put a space between closing braces: `} }`. Fields that this version of the node does not support are sent without validation, and a notice shows them.',
	'**On Unsupported Field.** A field that the server does not support is an error with its name. *Retries → On Unsupported Field* omits such fields instead and shows a notice.',
	'**Feedback.** *Send Feedback* requires the job ID, a rating, and what was good, wrong or missing. Only the first feedback per job counts. Feedback on a search is accepted for about 2 minutes.',
];

/** The whole reference, in Markdown. */
export function reference(): string {
	const { displayName, properties } = new WebDataApi();
	const { displayName: node } = builtNode('WebData').description;
	const paragraphs = [
		'# Operations and fields',
		`Every operation and field of **${node}**, its triggers and its credential, as this version has them. Costs are in Firecrawl credits, and prices may change. Written by \`npm run docs\`: change the descriptions in the code, not this file.`,
		overview(),
		contents(),
		'## How fields work',
		'*Parameter* is the name in saved workflows and expressions. A parameter in a group is sent only once it is added; *Default* is what it shows then.',
		...allFields,
		...resources.flatMap(({ name }) => [
			`## ${name}`,
			...entries.filter(({ part }) => part === name).flatMap(operationSection),
		]),
		'## Groups of fields',
		...common.flatMap((group) => [`### ${group.heading}`, fieldTable(commonRows(group, toCommon))]),
		'## Triggers',
		...triggers.flatMap((trigger) => [
			`### ${trigger.heading}`,
			`${plain(trigger.description)}.`,
			table(trigger),
		]),
		'## Credential',
		`**${displayName}**, for the node and both triggers.`,
		fieldTable(rowsOf(properties, toCommon)),
	];
	return `${paragraphs.join('\n\n')}\n`;
}
