/** A part of a text. */
type Span = readonly [from: number, to: number];

/** A text that was made of another: its characters, and where each of them begins and ends in the other. */
interface Reading {
	text: string;
	begins: ArrayLike<number>;
	ends: ArrayLike<number>;
}

/** How percent encoding (of URLs), JSON and programs, and HTML write a character. */
const escapes =
	/%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|&(amp|apos|dash|gt|hyphen|lowbar|lt|quot);|\\(["\\/])/gi;

const named: Readonly<Record<string, string>> = {
	amp: '&',
	apos: "'",
	dash: '-',
	gt: '>',
	hyphen: '-',
	lowbar: '_',
	lt: '<',
	quot: '"',
};

/** The character that an escape stands for. */
function characterOf([escape, ...groups]: RegExpMatchArray): string {
	const [percent, unicode, point, byte, hex, decimal, name, plain] = groups;
	if (plain !== undefined) return plain;
	if (name !== undefined) return named[name.toLowerCase()];
	const code =
		decimal === undefined
			? parseInt(percent ?? unicode ?? point ?? byte ?? hex, 16)
			: Number(decimal);
	return code <= 0x10ffff ? String.fromCodePoint(code) : escape;
}

/** A reading in which each match of a pattern is replaced. */
function replaced(
	reading: Reading,
	pattern: RegExp,
	by: (match: RegExpMatchArray) => string,
): Reading {
	const { text } = reading;
	if (text.search(pattern) === -1) return reading;
	const parts: string[] = [];
	const begins: number[] = [];
	const ends: number[] = [];
	let done = 0;
	const keepTo = (place: number) => {
		parts.push(text.slice(done, place));
		for (; done < place; done += 1) {
			begins.push(reading.begins[done]);
			ends.push(reading.ends[done]);
		}
	};
	for (const match of text.matchAll(pattern)) {
		keepTo(match.index);
		done += match[0].length;
		const character = by(match);
		parts.push(character);
		for (let unit = 0; unit < character.length; unit += 1) {
			begins.push(reading.begins[match.index]);
			ends.push(reading.ends[done - 1]);
		}
	}
	keepTo(text.length);
	return { text: parts.join(''), begins, ends };
}

/** Escapes may be escaped themselves: so often. */
const mostEscapings = 3;

/** What stands between the characters of a text that is spread out: blanks, and what has no width. */
const spacing = /[\s\p{Default_Ignorable_Code_Point}]+/gu;

/** Shorter forms of a secret stand in other texts by chance. */
const shortestForm = 8;

/** Shorter secrets are not looked for letter by letter: words of prose would have them. */
const shortestSpread = 12;

const longEnough = (forms: string[]) => forms.filter(({ length }) => length >= shortestForm);

/**
 * What base64 makes of a secret wherever it stands among other bytes: they shift it by 0, 1 or 2 bytes,
 * and share the first and the last character with it.
 */
const base64Forms = (secret: string): string[] =>
	[0, 1, 2].flatMap((shift) => {
		const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
		const own = [Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6)] as const;
		return longEnough([
			bytes.toString('base64').slice(...own),
			bytes.toString('base64url').slice(...own),
		]);
	});

/** A secret as plain text, in which escapes are undone: its characters, and its bytes where those differ. */
const plainForms = (secret: string): string[] => [
	...new Set([secret, Buffer.from(secret).toString('latin1')]),
];

/** Text in small letters. Those of ASCII alone: others may become two, and would move what follows. */
const small = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** What is left of a secret, its bytes and its base64 in a text without blanks and capitals. */
const spreadForms = (secret: string): string[] => {
	if (secret.length < shortestSpread) return [];
	const bytes = Buffer.from(secret);
	const hex = bytes.toString('hex');
	return [secret, ...base64Forms(secret)]
		.map((form) => small(form.replace(spacing, '')))
		.concat(hex, hex.replace(/..(?!$)/g, '$&:'), bytes.join(','));
};

/** Adds where forms of a secret stand in the text that a reading was made of. */
function addSpans(spans: Span[], { text, begins, ends }: Reading, forms: readonly string[]): void {
	for (const form of forms) {
		for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
			spans.push([begins[at], ends[at + form.length - 1]]);
		}
	}
}

/** The text with three stars in the place of each part. */
function hidden(text: string, spans: Span[]): string {
	let clean = '';
	let done = 0;
	for (const [from, to] of spans.sort(([one], [other]) => one - other)) {
		if (from >= done) clean += `${text.slice(done, from)}***`;
		done = Math.max(done, to);
	}
	return clean + text.slice(done);
}

/** A text as it stands. */
function asItStands(text: string): Reading {
	const begins = Uint32Array.from({ length: text.length }, (_, index) => index);
	return { text, begins, ends: begins.map((begin) => begin + 1) };
}

/**
 * Takes the credential's secrets out of every text that leaves the node, also as URLs, JSON, HTML, base64
 * and hexadecimals write them, in capitals, and with blanks in between.
 */
export function redactor(secrets: unknown[]): (text: string) => string {
	const known = secrets
		.map((secret) => (typeof secret === 'string' ? secret.trim() : ''))
		.filter((secret) => secret.length > 3);
	const whole = known.flatMap((secret) => [...plainForms(secret), ...base64Forms(secret)]);
	const spread = known.flatMap(spreadForms);
	return (text) => {
		const spans: Span[] = [];
		let reading = asItStands(text);
		for (let round = 0; ; round += 1) {
			addSpans(spans, reading, whole);
			const next = round < mostEscapings ? replaced(reading, escapes, characterOf) : reading;
			if (next.text === reading.text) break;
			reading = next;
		}
		const letters = replaced(reading, spacing, () => '');
		addSpans(spans, { ...letters, text: small(letters.text) }, spread);
		return spans.length === 0 ? text : hidden(text, spans);
	};
}
