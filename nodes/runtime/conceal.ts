/** Takes the credential's secrets out of every text that leaves the node; the longest first, as one may be part of another. */
export function concealer(secrets: unknown[]): (text: string) => string {
	const known = secrets
		.map((secret) => (typeof secret === 'string' ? secret.trim() : ''))
		.filter((secret) => secret.length > 3)
		.sort((one, other) => other.length - one.length);
	return (text) => known.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
}
