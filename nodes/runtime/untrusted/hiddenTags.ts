/** A tag as it stands in a text: from its `<` to behind its `>`. */
export interface Tag {
	name: string;
	attributes: ReadonlyMap<string, string>;
	isEnd: boolean;
	to: number;
}

const isSpace = (character: string) => /\s/.test(character);

/** The place behind the next `>` that stands in no quotes, or -1 where another tag begins before it. */
function endOfTag(text: string, from: number): number {
	let place = from;
	while (place < text.length) {
		const character = text[place];
		if (character === '>') return place + 1;
		if (character === '<' && /[a-z/!]/i.test(text.charAt(place + 1))) return -1;
		if ((character === '"' || character === "'") && text[place - 1] === '=') {
			place = text.indexOf(character, place + 1);
			if (place === -1) return -1;
		}
		place += 1;
	}
	return -1;
}

/** The attributes between a tag's name and its end, their names in small letters. */
function attributesIn(text: string): Map<string, string> {
	const attributes = new Map<string, string>();
	let place = 0;
	const skip = (test: (character: string) => boolean) => {
		const from = place;
		while (place < text.length && test(text[place])) place += 1;
		return text.slice(from, place);
	};
	while (place < text.length) {
		skip((character) => isSpace(character) || character === '/');
		const name = skip((character) => !isSpace(character) && character !== '=' && character !== '/');
		if (name === '' && text[place] !== '=') continue;
		skip(isSpace);
		let value = '';
		if (text[place] === '=') {
			place += 1;
			skip(isSpace);
			const quote = text[place];
			if (quote === '"' || quote === "'") {
				place += 1;
				value = skip((character) => character !== quote);
				place += 1;
			} else value = skip((character) => !isSpace(character));
		}
		if (!attributes.has(name.toLowerCase())) attributes.set(name.toLowerCase(), value);
	}
	return attributes;
}

/** The tag that begins at a place of a text; undefined where none does. */
export function tagAt(text: string, place: number): Tag | undefined {
	const isEnd = text[place + 1] === '/';
	const from = place + (isEnd ? 2 : 1);
	const [name = ''] = /^[a-z][a-z\d-]{0,30}/i.exec(text.slice(from, from + 32)) ?? [];
	const next = text.charAt(from + name.length);
	if (name === '' || !(next === '>' || next === '/' || isSpace(next))) return undefined;
	const to = endOfTag(text, from + name.length);
	if (to === -1) return undefined;
	const inner = text.slice(from + name.length, to - 1);
	return { name: name.toLowerCase(), attributes: attributesIn(inner), isEnd, to };
}

/** Elements of which nothing is ever shown. */
const neverShown = new Set(['noscript', 'script', 'style', 'template']);

/** Elements that have no end. */
const empty = new Set(['area', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'wbr']);

/** Styles, in small letters and without blanks, by which what stands in an element is not seen. */
const hidingStyles = [
	/(?:^|;)display:none/,
	/(?:^|;)visibility:(?:hidden|collapse)/,
	/(?:^|;)opacity:0?(?:\.0+)?(?:%|;|!|$)/,
	/(?:^|;)font-size:(?:0?\.\d+|[01])(?:px|pt)?(?:;|!|$)/,
	/(?:^|;)font-size:0(?:\.0+)?(?:e[mx]|rem|%|v[hw])/,
	/(?:^|;)(?:left|right|top|bottom|text-indent|margin-left|margin-top):-\d{3}/,
	/(?:^|;)clip:rect\([01]/,
	/(?:^|;)clip-path:inset\((?:50|100)%/,
	/(?:^|;)transform:scale\(0/,
	/(?:^|;)(?:max-)?(?:height|width):0(?:px)?(?:;|!|$)/,
	/(?:^|;)color:transparent/,
];

/** What a declaration of a style says. */
const declared = (style: string, name: string): string | undefined =>
	style
		.split(';')
		.find((declaration) => declaration.startsWith(`${name}:`))
		?.slice(name.length + 1);

function isHidingStyle(given: string): boolean {
	const style = given.slice(0, 2_000).toLowerCase().replaceAll(/\s/g, '');
	const color = declared(style, 'color');
	const behind = declared(style, 'background-color') ?? declared(style, 'background');
	return (
		(color !== undefined && color === behind) || hidingStyles.some((hiding) => hiding.test(style))
	);
}

/** Whether nobody sees what stands in the element that a tag begins. */
export function isHidden({ name, attributes, isEnd }: Tag): boolean {
	if (isEnd) return false;
	return (
		neverShown.has(name) ||
		attributes.has('hidden') ||
		(name === 'input' && attributes.get('type')?.toLowerCase() === 'hidden') ||
		isHidingStyle(attributes.get('style') ?? '')
	);
}

/** The place behind the element whose tag ends at `tag.to`: behind its end, or that of the text. */
export function endOfElement(text: string, tag: Tag): number {
	if (empty.has(tag.name)) return tag.to;
	let open = 1;
	let place = text.indexOf('<', tag.to);
	while (place !== -1) {
		const next = tagAt(text, place);
		if (next?.name === tag.name) open += next.isEnd ? -1 : 1;
		if (open === 0 && next) return next.to;
		place = text.indexOf('<', place + 1);
	}
	return text.length;
}
