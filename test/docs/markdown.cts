import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';

/** A page as its links see it. */
export interface Page {
	/** Targets of its links and pictures, as written. */
	targets: string[];
	/** Names of its headings by which a link finds them. */
	anchors: Set<string>;
}

const parser = new MarkdownIt();

const flat = (tokens: Token[]): Token[] =>
	tokens.flatMap((token) => [token, ...flat(token.children ?? [])]);

/** The text that a reader sees of an inline token. */
const shown = ({ children }: Token): string =>
	(children ?? []).map(({ content }) => content).join('');

/** A heading's name in links, as GitHub makes it: letters, digits, `-` and `_`, each space a hyphen. */
const slug = (heading: string): string =>
	heading
		.trim()
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
		.replaceAll(' ', '-');

/** GitHub counts headings of the same name: `get`, `get-1`, `get-2`. */
function anchorsOf(headings: string[]): Set<string> {
	const anchors = new Set<string>();
	for (const name of headings.map(slug)) {
		let anchor = name;
		for (let count = 1; anchors.has(anchor); count += 1) anchor = `${name}-${count}`;
		anchors.add(anchor);
	}
	return anchors;
}

/** Reads the links, pictures and headings of a page of Markdown. */
export function readMarkdown(text: string): Page {
	const blocks = parser.parse(text, {});
	const headings = blocks.filter((_, place) => blocks[place - 1]?.type === 'heading_open');
	const targets = flat(blocks).flatMap((token) => {
		const target = token.attrGet('src') ?? token.attrGet('href');
		return target === null ? [] : [decodeURI(target)];
	});
	return { targets, anchors: anchorsOf(headings.map(shown)) };
}

/** Reads the text of each paragraph, heading and cell, without code and without emphasized names. */
export function readProse(text: string): string[] {
	const blocks = parser.parse(text, {}).filter(({ type }) => type === 'inline');
	return blocks.map(({ children }) => {
		let emphasis = 0;
		let prose = '';
		for (const { type, content } of children ?? []) {
			if (type === 'em_open') emphasis += 1;
			if (type === 'em_close') emphasis -= 1;
			if (emphasis > 0) continue;
			if (type === 'text') prose += content;
			if (type === 'softbreak') prose += ' ';
		}
		return prose;
	});
}
