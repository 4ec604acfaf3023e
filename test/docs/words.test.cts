import { jsonParse, type IWorkflowBase } from 'n8n-workflow';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { glossaryCheck, type Exception, type Use } from '../glossary.cjs';
import { projectRoot } from '../root.cjs';
import { readProse } from './markdown.cjs';

/** Pages that `npm run docs` writes from the texts of the nodes. */
const generated = ['docs/operations.md', 'docs/prices.md'];

/** Words that prose does not use, each with its replacement. */
const notUsed: Array<[words: RegExp, instead: string]> = [
	[/\baddress(es)?\b/i, 'URL'],
	[/\banswer(s|ed|ing)?\b/i, 'response, respond'],
	[/\b(ask(s|ed|ing)?|unasked)\b/i, 'request'],
	[/\b(told|tells?|telling)\b/i, 'return, report, show'],
	[/\b(asleep|sleep(s|ing|ers?)?|slept|wakes?|woken)\b/i, 'suspend, wait, resume'],
	[/\bdeliver(s|ed|y|ies)?\b/i, 'webhook event'],
	[/\bcall(s|ed|ing)? back\b/i, 'webhook event'],
	[/\bmembers?\b/i, 'field, property'],
	[/\bleft out\b/i, 'omit'],
	[/\bset aside\b/i, 'reserve'],
	[/\bgo(es)? on\b/i, 'continue, resume'],
	[/\b(stands?|lies)\b/i, 'a plain verb'],
	[/\b(tries|tried)\b/i, 'attempt, test'],
	[/\brefus(e|es|ed|ing|als?)\b/i, 'reject, error'],
	[/\brooms?\b/i, 'module, folder'],
	[/\b(anew|beforehand|midst|whereupon)\b/i, 'again, before'],
];

/** Uses of these words in another sense. */
const allowed: Exception[] = [
	[/./, /private address/i, 'an address of a network'],
	[/^SECURITY/, /IPv[46]|email address/, 'an address of a network, or of a person'],
	[/^CONTRIBUTING/, /begins with the answer|No sleeps/, 'a question has an answer; a test sleeps'],
];

/** The pages whose prose is written by hand. */
const pages = [
	...['', 'docs/', '.github/', 'examples/'].flatMap((folder) =>
		readdirSync(join(projectRoot, folder))
			.filter((name) => name.endsWith('.md'))
			.map((name) => folder + name),
	),
].filter((page) => !generated.includes(page) && page !== 'THIRD_PARTY_NOTICES.md');

/** The sentences of a page, and its cells of tables. */
const usesIn = (place: string, markdown: string): Use[] =>
	readProse(markdown)
		.flatMap((block) => block.split(/(?<=[.:;?!]) /))
		.map((text) => ({ place, text }));

/** The unused words that a sentence uses, each with its replacement. */
const faultsIn = ({ place, text }: Use): string[] =>
	notUsed.flatMap(([pattern, instead]) => {
		const [word] = pattern.exec(text) ?? [];
		return word === undefined ? [] : [`${place}: "${word}" for ${instead}: ${text}`];
	});

const { faultsOf, idleExceptions } = glossaryCheck(faultsIn, allowed);

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

/** The name of an example's workflow, and the texts of its notes. */
const notesOf = (file: string): string[] => {
	const { name, nodes } = jsonParse<IWorkflowBase>(read(file));
	return [name, ...nodes.flatMap(({ parameters: { content } }) => content ?? []).map(String)];
};

const examples = readdirSync(join(projectRoot, 'examples'))
	.filter((name) => name.endsWith('.json'))
	.map((name) => `examples/${name}`);

const checked = [
	...pages.flatMap((page) => usesIn(page, read(page))),
	...examples.flatMap((file) => notesOf(file).flatMap((text) => usesIn(file, text))),
];

describe('The prose of the documentation and the examples', () => {
	it('uses the glossary', () => {
		expect(faultsOf(checked)).toEqual([]);
	});

	it('needs every exception', () => {
		expect(idleExceptions(checked)).toEqual([]);
	});

	it('is found outside of code and of names in the editor', () => {
		const markdown = [
			'The server answers. See *When Asked* and `told`.',
			'',
			'| Name |',
			'|---|',
			'| a [member](asked.md) |',
			'',
			'```',
			'refused',
			'```',
		].join('\n');
		expect(usesIn('page.md', markdown).flatMap(faultsIn)).toEqual([
			'page.md: "answers" for response, respond: The server answers.',
			'page.md: "member" for field, property: a member',
		]);
	});
});
