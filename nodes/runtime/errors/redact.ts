/** How percent encoding (of addresses) and JSON write a character. */
const escapes = /%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\(["\\/])/gi;

/** A text without its escapes, and where each of its characters begins in the text. */
function unescaped(text: string): { plain: string; starts: number[] } {
	const characters: string[] = [];
	const starts: number[] = [];
	const add = (character: string, start: number) => {
		characters.push(character);
		starts.push(start);
	};
	let done = 0;
	for (const { 0: escape, 1: percent, 2: unicode, 3: plain, index } of text.matchAll(escapes)) {
		for (; done < index; done += 1) add(text[done], done);
		add(plain ?? String.fromCharCode(parseInt(percent ?? unicode, 16)), index);
		done = index + escape.length;
	}
	for (; done < text.length; done += 1) add(text[done], done);
	return { plain: characters.join(''), starts: [...starts, text.length] };
}

/** Takes a secret out of a text in which some or all of its characters are escaped. */
function hideEscaped(text: string, secret: string): string {
	if (!/[%\\]/.test(text)) return text;
	const { plain, starts } = unescaped(text);
	const pieces: string[] = [];
	let done = 0;
	for (let at = plain.indexOf(secret); at >= 0; at = plain.indexOf(secret, done)) {
		pieces.push(text.slice(starts[done], starts[at]));
		done = at + secret.length;
	}
	return done === 0 ? text : [...pieces, text.slice(starts[done])].join('***');
}

/** Shorter parts of base64 stand in texts by chance. */
const shortestBase64 = 8;

/**
 * What base64 makes of a secret wherever it stands among other bytes: they shift it by 0, 1 or 2 bytes,
 * and share the first and the last character with it.
 */
const base64Forms = (secret: string): string[] =>
	[0, 1, 2].flatMap((shift) => {
		const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
		const own = [Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6)] as const;
		const forms = [
			bytes.toString('base64').slice(...own),
			bytes.toString('base64url').slice(...own),
		];
		return forms.filter((form) => form.length >= shortestBase64);
	});

/** A secret as plain text, in which escapes are undone: its characters, and its bytes where those differ. */
const plainForms = (secret: string): string[] => [
	...new Set([secret, Buffer.from(secret).toString('latin1')]),
];

/**
 * Takes the credential's secrets out of every text that leaves the node, also as addresses, JSON and
 * base64 write them; the longest first, as one may be part of another.
 */
export function redactor(secrets: unknown[]): (text: string) => string {
	const known = secrets
		.map((secret) => (typeof secret === 'string' ? secret.trim() : ''))
		.filter((secret) => secret.length > 3)
		.sort((one, other) => other.length - one.length);
	const literal = known.flatMap((secret) => [secret, ...base64Forms(secret)]);
	const escaped = known.flatMap(plainForms);
	return (text) =>
		escaped.reduce(
			hideEscaped,
			literal.reduce((clean, form) => clean.replaceAll(form, '***'), text),
		);
}
