/** The value of an attribute and its position in the text. */
interface Attribute {
	value: string;
	from: number;
	to: number;
}

/** A tag or comment of HTML, from its `<` to after its `>`. */
export interface Token {
	type: 'start' | 'end' | 'comment';
	/** Name of a tag, in lower case. */
	name: string;
	/** Attributes by name in lower case. */
	attributes: ReadonlyMap<string, Attribute>;
	/** Whether the tag ends with `/>`. */
	isClosed: boolean;
	from: number;
	to: number;
}

/** Elements in which tags are text. */
const rawElements = new Set('iframe noembed noframes script style textarea title xmp'.split(' '));
const rawEnds = /<\/(iframe|noembed|noframes|script|style|textarea|title|xmp)(?=[\s/>])/gi;

const nameEnd = /[\s/>]/g;
const attributeBegin = /[^\s/]/g;
const attributeEnd = /[\s/>=]/g;
const valueEnd = /[\s>]/g;
const noSpace = /\S/g;

/**
 * Position of the next character that matches a pattern of one character; the end of the text if
 * none does.
 */
function next(pattern: RegExp, text: string, from: number): number {
	pattern.lastIndex = from;
	return pattern.exec(text)?.index ?? text.length;
}

/** Parses the value of an attribute; undefined if its quotes are not closed. */
function valueAt(text: string, from: number): Attribute | undefined {
	const quote = text.charAt(from);
	const isQuoted = quote === '"' || quote === "'";
	const begin = isQuoted ? from + 1 : from;
	const end = isQuoted ? text.indexOf(quote, begin) : next(valueEnd, text, begin);
	return end === -1 ? undefined : { value: text.slice(begin, end), from: begin, to: end };
}

/**
 * Parses the tag at a `<` as browsers do; undefined if there is none, 'unfinished' if it does not
 * end.
 */
function tagAt(text: string, from: number): Token | 'unfinished' | undefined {
	const isEnd = text[from + 1] === '/';
	const begin = from + (isEnd ? 2 : 1);
	if (!/[a-z]/i.test(text.charAt(begin))) return undefined;
	let place = next(nameEnd, text, begin);
	const name = text.slice(begin, place).toLowerCase();
	const attributes = new Map<string, Attribute>();
	for (;;) {
		place = next(attributeBegin, text, place);
		if (place === text.length) return 'unfinished';
		if (text[place] === '>') {
			const isClosed = text[place - 1] === '/';
			const type = isEnd ? 'end' : 'start';
			return { type, name, attributes, isClosed, from, to: place + 1 };
		}
		const end = next(attributeEnd, text, place + 1);
		const attribute = text.slice(place, end).toLowerCase();
		place = next(noSpace, text, end);
		let value: Attribute | undefined = { value: '', from: end, to: end };
		if (text[place] === '=') {
			value = valueAt(text, next(noSpace, text, place + 1));
			if (!value) return 'unfinished';
			place = value.to + (/["']/.test(text.charAt(value.from - 1)) ? 1 : 0);
		} else place = end;
		if (!attributes.has(attribute)) attributes.set(attribute, value);
	}
}

/** Position of the end tag of an element in which tags are text; -1 if there is none. */
function endOfRaw(text: string, name: string, from: number): number {
	rawEnds.lastIndex = from;
	for (let end = rawEnds.exec(text); end; end = rawEnds.exec(text)) {
		if (end[1].toLowerCase() === name) return end.index;
	}
	return -1;
}

/** The tags and comments of HTML in order, up to the first unfinished one. */
export function* tokensOf(text: string): Generator<Token> {
	let place = text.indexOf('<');
	while (place !== -1) {
		if (text.startsWith('<!--', place)) {
			const end = text.indexOf('-->', place + 2);
			if (end === -1) return;
			const to = end + '-->'.length;
			yield { type: 'comment', name: '', attributes: new Map(), isClosed: true, from: place, to };
			place = text.indexOf('<', to);
			continue;
		}
		const tag = tagAt(text, place);
		if (tag === 'unfinished') return;
		if (tag) yield tag;
		const isRaw = tag?.type === 'start' && rawElements.has(tag.name);
		place = isRaw ? endOfRaw(text, tag.name, tag.to) : text.indexOf('<', tag?.to ?? place + 1);
	}
}
