import { eachInTurns } from '../host/turns';
import { tokensOf, type Token } from './htmlTokens';
import { withoutCuts, type Cut, type Removed } from './removed';
import { isTracking } from './trackingImages';

const names = (text: string) => new Set(text.split(' '));

/** Void elements (https://html.spec.whatwg.org/#void-elements). */
const empty = names('area base br col embed hr img input link meta source track wbr');

/** Elements of whole pages, which scripts hide while loading. */
const pages = names('body html');

/**
 * Elements with optional end tags, and the elements that end them
 * (https://html.spec.whatwg.org/#optional-tags).
 */
const endedBy = new Map([
	['dd', names('dd dt')],
	['dt', names('dd dt')],
	['li', names('li')],
	['optgroup', names('optgroup')],
	['option', names('optgroup option')],
	[
		'p',
		names(
			'address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul',
		),
	],
	['rp', names('rp rt')],
	['rt', names('rp rt')],
	['tbody', names('tbody tfoot')],
	['td', names('tbody td tfoot th tr')],
	['th', names('tbody td tfoot th tr')],
	['thead', names('tbody tfoot')],
	['tr', names('tbody tfoot tr')],
]);

/** Characters of a style that are parsed. */
const maxStyle = 2_000;

/** The declarations of a style; the last one of each property. */
function declarationsIn(style: string): Map<string, string> {
	const parts = style.slice(0, maxStyle).toLowerCase().split(';');
	return new Map(
		parts.map((part) => {
			const [name, value = ''] = part.split(':');
			return [name.trim(), value.replace('!important', '').trim()];
		}),
	);
}

/** The CSS properties that hide an element, and their values. */
export const hidingStyles = { display: 'none', visibility: 'hidden' } as const;

/** Whether an element hides its content, or shows it within a hidden element. */
type Effect = 'hides' | 'hidesUnlessShown' | 'shows' | undefined;

/** The effect of an element's own attributes on its content: `hidden`, `display` and `visibility`. */
function effectOf({ name, attributes }: Token): Effect {
	if (attributes.size === 0 || pages.has(name)) return undefined;
	const style = declarationsIn(attributes.get('style')?.value ?? '');
	const display = style.get('display');
	const hidden = attributes.get('hidden');
	const isHidden = hidden !== undefined && hidden.value.toLowerCase() !== 'until-found';
	if (display === undefined ? isHidden : display === hidingStyles.display) return 'hides';
	const visibility = style.get('visibility');
	if (visibility === hidingStyles.visibility) return 'hidesUnlessShown';
	return visibility === undefined ? undefined : 'shows';
}

/** An element without its end tag so far. */
interface OpenElement {
	name: string;
	effect: Effect;
	from: number;
}

/** Most open elements without own end tags that one end tag closes. */
const mostEnded = 100;

/**
 * Removes the element that a tag ends from the open ones, with those inside; undefined if it ends
 * none.
 */
function ended(open: OpenElement[], name: string): OpenElement | undefined {
	const least = Math.max(0, open.length - mostEnded);
	for (let index = open.length - 1; index >= least; index -= 1) {
		if (open[index].name === name) return open.splice(index)[0];
	}
	return undefined;
}

/** Removes the open elements that another element's start ends. */
function endBefore(open: OpenElement[], name: string): void {
	while (endedBy.get(open.at(-1)?.name ?? '')?.has(name)) open.pop();
}

const isTiny = (size: string | undefined): boolean => /^\s*[01](?:px)?\s*$/.test(size ?? '');

/** The part of an image to remove: its embedded data, or all of a tracking image. */
function cutOfImage({ attributes, from, to }: Token): Cut | undefined {
	const source = attributes.get('src');
	if (!source) return undefined;
	const url = source.value.trim();
	if (/^data:/i.test(url)) return { kind: 'embedded file', from: source.from, to: source.to };
	const [alternative, width, height] = ['alt', 'width', 'height'].map(
		(name) => attributes.get(name)?.value,
	);
	const isPixel = isTiny(width) && isTiny(height) && (alternative ?? '').trim() === '';
	return isPixel || isTracking(url, alternative ?? '')
		? { kind: 'tracking image', from, to }
		: undefined;
}

/** Characters processed in the time that parsing a tag takes. */
const workPerToken = 10;

/**
 * Removes comments, hidden elements, embedded data of images, and tracking images from HTML.
 * Removes an element only with its own end tag; keeps unclosed elements and those that another
 * stylesheet or a script hides.
 */
export async function withoutHidden(text: string, removed: Removed): Promise<string> {
	const cuts: Cut[] = [];
	const open: OpenElement[] = [];
	let lastShown = -1;
	/** Adds a part to remove, in place of those inside it. */
	const cut = (next: Cut) => {
		while ((cuts.at(-1)?.from ?? -1) >= next.from) cuts.pop();
		cuts.push(next);
	};
	await eachInTurns(tokensOf(text), (token) => {
		const { type, name, isClosed, from, to } = token;
		if (type === 'comment') {
			cut({ kind: 'comment', from, to });
		} else if (type === 'end') {
			const element = ended(open, name);
			const isHidden =
				element?.effect === 'hides' ||
				(element?.effect === 'hidesUnlessShown' && lastShown < element.from);
			if (element && isHidden) cut({ kind: 'hidden element', from: element.from, to });
		} else {
			const effect = effectOf(token);
			if (effect === 'shows') lastShown = from;
			endBefore(open, name);
			const image = name === 'img' ? cutOfImage(token) : undefined;
			if (!empty.has(name)) {
				if (!isClosed) open.push({ name, effect, from });
			} else if (effect === 'hides' || effect === 'hidesUnlessShown') {
				cut({ kind: 'hidden element', from, to });
			} else if (image) cut(image);
		}
		return workPerToken + to - from;
	});
	return withoutCuts(text, cuts, removed);
}
