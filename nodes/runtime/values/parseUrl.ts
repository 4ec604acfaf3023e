/** An address as its parts; undefined when it is none. (Node 20's `URL.canParse` wrongly refuses letters such as ü once it is compiled.) */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** An address as the service writes it: with a scheme, so that what was asked for is found in what came back. */
export function canonicalUrl(text: string): string {
	const given = text.trim();
	return parseUrl(given)?.href ?? parseUrl(`http://${given}`)?.href ?? given;
}
