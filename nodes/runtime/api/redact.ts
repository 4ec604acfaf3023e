/** A range of a text. */
type Span = readonly [from: number, to: number];

/** A text derived from another: its characters, and the range of each in the original. */
interface Reading {
	text: string;
	begins: ArrayLike<number>;
	ends: ArrayLike<number>;
}

/** Escaped characters in URLs (percent encoding), JSON, programs and HTML. */
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

/** Decodes an escaped character. */
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

/** Replaces each match of a pattern in a reading. */
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

/** Most levels of nested escapes. */
const mostEscapings = 3;

/** Separators between characters of a spread secret: white space and invisible characters. */
const spacing = /[\s\p{Default_Ignorable_Code_Point}]+/gu;

/** Shorter forms of a secret occur in other texts by chance. */
const shortestForm = 8;

/** Shorter secrets are not searched in spread form: prose contains them. */
const shortestSpread = 12;

const longEnough = (forms: string[]) => forms.filter(({ length }) => length >= shortestForm);

/**
 * Base64 forms of a secret at any offset: other bytes shift it by 0, 1 or 2 bytes, and share its
 * first and last character.
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

/** A secret as plain text after decoding: its characters, and its bytes if those differ. */
const plainForms = (secret: string): string[] => [
	...new Set([secret, Buffer.from(secret).toString('latin1')]),
];

/** Lower case of ASCII only: other letters may become two and shift the following ones. */
const small = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Forms of a secret, its bytes and its base64 in a text without white space and capitals. */
const spreadForms = (secret: string): string[] => {
	if (secret.length < shortestSpread) return [];
	const bytes = Buffer.from(secret);
	const hex = bytes.toString('hex');
	return [secret, ...base64Forms(secret)]
		.map((form) => small(form.replace(spacing, '')))
		.concat(hex, hex.replace(/..(?!$)/g, '$&:'), bytes.join(','));
};

/** Adds the ranges of a secret's forms in the original text. */
function addSpans(spans: Span[], { text, begins, ends }: Reading, forms: readonly string[]): void {
	for (const form of forms) {
		for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
			spans.push([begins[at], ends[at + form.length - 1]]);
		}
	}
}

/** Replaces each range by three stars. */
function hidden(text: string, spans: Span[]): string {
	let clean = '';
	let done = 0;
	for (const [from, to] of spans.sort(([one], [other]) => one - other)) {
		if (from >= done) clean += `${text.slice(done, from)}***`;
		done = Math.max(done, to);
	}
	return clean + text.slice(done);
}

/** The reading of a text without changes. */
function asItStands(text: string): Reading {
	const begins = Uint32Array.from({ length: text.length }, (_, index) => index);
	return { text, begins, ends: begins.map((begin) => begin + 1) };
}

/**
 * Redacts the credential's secrets in all texts that the node outputs, also in URLs, JSON, HTML,
 * base64 and hexadecimals, in capitals, and spread by white space.
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
