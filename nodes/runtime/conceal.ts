/** Takes the credential's secrets out of every text that leaves the node. */
export function concealer(secrets: unknown[]): (text: string) => string {
	const known = secrets.filter((secret) => typeof secret === 'string' && secret.length > 3);
	return (text) =>
		known.reduce<string>((clean, secret) => clean.replaceAll(String(secret), '***'), text);
}
