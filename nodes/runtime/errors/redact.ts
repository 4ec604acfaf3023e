/** Shorter forms of a secret occur in other texts by chance. */
const shortestForm = 4;

/**
 * Base64 of a secret at any offset: other bytes before it shift it by 0, 1 or 2 bytes, and share its
 * first and last character.
 */
const base64Forms = (secret: string): string[] =>
	[0, 1, 2].flatMap((shift) => {
		const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
		const own = [Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6)] as const;
		return [bytes.toString('base64').slice(...own), bytes.toString('base64url').slice(...own)];
	});

/** A secret as it stands, in URLs, in JSON, and in base64. */
const formsOf = (secret: string): string[] => [
	secret,
	encodeURIComponent(Buffer.from(secret).toString()),
	JSON.stringify(secret).slice(1, -1),
	...base64Forms(secret),
];

/** Redacts the credential's secrets in all texts that the node outputs. */
export function redactor(secrets: unknown[]): (text: string) => string {
	const forms = secrets
		.map((secret) => (typeof secret === 'string' ? secret.trim() : ''))
		.filter(({ length }) => length >= shortestForm)
		.flatMap(formsOf)
		.filter(({ length }) => length >= shortestForm)
		.sort((one, other) => other.length - one.length);
	const unique = [...new Set(forms)];
	return (text) => unique.reduce((clean, form) => clean.replaceAll(form, () => '***'), text);
}
