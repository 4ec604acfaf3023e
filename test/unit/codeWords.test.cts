import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import {
	createScanner,
	createSourceFile,
	isBindingElement,
	isIdentifier,
	isImportSpecifier,
	isPropertyAccessExpression,
	isPropertyAssignment,
	ScriptTarget,
	SyntaxKind,
	type Node,
} from 'typescript';
import { glossaryCheck, type Exception, type Use } from '../glossary.cjs';
import { projectRoot } from '../root.cjs';

/** Words that comments and names do not use, each with its replacement. */
const notUsed: Array<[words: RegExp, instead: string]> = [
	[/^address(es)?$/, 'URL'],
	[/^answer(s|ed|ing)?$/, 'response, respond'],
	[/^ask(s|ed|ing)?$/, 'request'],
	[/^(tell(s|ing)?|told|say(s|ing)?|said)$/, 'return, report, show'],
	[/^words$/, 'message'],
	[/^(asleep|sleep(s|ing|ers?)?|slept|wakes?)$/, 'suspend, wait, resume'],
	[/^deliver(s|ed|y|ies)?$/, 'webhook event'],
	[/^look(s|ed|ing)?$/, 'poll, look up, check'],
	[/^members?$/, 'field, property'],
	[/^kept$/, 'retained, stored'],
	[/^(try|tries|tried)$/, 'attempt'],
	[/^(gate|width|places)$/, 'rate limit, concurrency'],
	[/^refus(e|es|ed|ing|als?)$/, 'reject, error'],
	[/^(rooms?|house)$/, 'module, limit'],
	[/^(anew|beforehand|midst|whatever|whereupon)$/, 'a plain clause'],
];

/** Clauses with which no docstring begins: it begins with a noun or a verb in the third person. */
const openingClause = /^(As|By|How|That|Those|What|When|Where|Which|Who|Whom|Whose|Why) /;

/** Uses of these words in another sense, or in names that are not of this code. */
const allowed: Exception[] = [
	[/^WebData\/fields\/passages/, /^alsoAsk$/, 'a question is asked'],
	[/^runtime\/(api|http)\//, /\bIP(v[46])? address/, 'the term of IP'],
	[/^runtime\/text\//, /\bwords?/i, 'words of a text'],
	[/^runtime\/text\//, /zero-width/, "Unicode's term"],
	[/^runtime\/(text|output)\//, /answer (a|the) question/, 'a question has an answer'],
];

/** A comment or a declared name. */
interface CodeUse extends Use {
	words: string[];
}

const files = readdirSync(join(projectRoot, 'nodes'), { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => file.split(sep).join('/'));

/** The tokens of a syntax tree. */
function* tokensOf(node: Node): Generator<Node> {
	const children = node.getChildren();
	if (children.length === 0) yield node;
	for (const child of children) yield* tokensOf(child);
}

const isComment = (kind: SyntaxKind) =>
	kind === SyntaxKind.SingleLineCommentTrivia || kind === SyntaxKind.MultiLineCommentTrivia;

/** The comments in the text between two tokens, without their marks. */
function* commentsIn(between: string): Generator<string> {
	const scanner = createScanner(ScriptTarget.Latest, false, undefined, between);
	for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
		if (!isComment(kind)) continue;
		const lines = scanner.getTokenText().split('\n');
		const texts = lines.map((line) => line.replace(/^\s*(\/\*+|\/\/|\*\/?)|\*\/$/g, '').trim());
		yield texts.join(' ').trim();
	}
}

/** Whether a token is a name that is declared here, and not in another module or by the API. */
const isDeclared = (token: Node): boolean => {
	const { parent } = token;
	if (!isIdentifier(token) || !('name' in parent) || parent.name !== token) return false;
	if (isBindingElement(parent)) return parent.propertyName !== undefined;
	return ![isImportSpecifier, isPropertyAccessExpression, isPropertyAssignment].some((isOther) =>
		isOther(parent),
	);
};

/** The words of a comment, without code, URLs and names in the editor. */
const wordsOfComment = (comment: string): string[] =>
	comment
		.replace(/`[^`]*`|https?:\S+|'[A-Z][^']*'/g, '')
		.toLowerCase()
		.match(/[a-z]+/g) ?? [];

const wordsOfName = (name: string): string[] =>
	(name.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []).map((word) => word.toLowerCase());

/** The comments and declared names of source code. */
function usesIn(place: string, code: string): CodeUse[] {
	const source = createSourceFile(place, code, ScriptTarget.Latest, true);
	return [...tokensOf(source)].flatMap((token) => [
		...[...commentsIn(code.slice(token.pos, token.getStart()))].map((text) => ({
			place,
			text,
			words: wordsOfComment(text),
		})),
		...(isDeclared(token)
			? [{ place, text: token.getText(), words: wordsOfName(token.getText()) }]
			: []),
	]);
}

/** The unused words that a comment or name uses, and its opening clause, in a sentence each. */
const faultsIn = ({ place, text, words }: CodeUse): string[] => [
	...notUsed.flatMap(([pattern, instead]) =>
		words
			.filter((word) => pattern.test(word))
			.map((word) => `${place}: "${word}" for ${instead}: ${text}`),
	),
	...(openingClause.test(text) ? [`${place}: begins with a clause: ${text}`] : []),
];

const { faultsOf, idleExceptions } = glossaryCheck(faultsIn, allowed);

const uses = files.flatMap((file) =>
	usesIn(file, readFileSync(join(projectRoot, 'nodes', file), 'utf8')),
);

describe('The comments and names of nodes/', () => {
	it('use the glossary, and begin with a noun or a verb', () => {
		expect(faultsOf(uses)).toEqual([]);
	});

	it('need every exception', () => {
		expect(idleExceptions(uses)).toEqual([]);
	});

	it('are found in code', () => {
		const code = [
			'/** What the service answered. */',
			'export const toldAt = (text: string) => `${text} // no comment`; // asks again',
			'const { refused: rejected, tries } = outcome;',
		].join('\n');
		expect(usesIn('file.ts', code).flatMap(faultsIn)).toEqual([
			'file.ts: "answered" for response, respond: What the service answered.',
			'file.ts: begins with a clause: What the service answered.',
			'file.ts: "told" for return, report, show: toldAt',
			'file.ts: "asks" for request: asks again',
		]);
	});
});
