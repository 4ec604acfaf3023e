/**
 * Parses a URL; undefined if invalid. (Optimized code of Node 20's `URL.canParse` wrongly rejects
 * letters such as ü.)
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/**
 * Normalizes a URL as the service does, with a scheme, so that requested and returned URLs are
 * equal.
 */
export function canonicalUrl(text: string): string {
	const trimmed = text.trim();
	return parseUrl(trimmed)?.href ?? parseUrl(`http://${trimmed}`)?.href ?? trimmed;
}
