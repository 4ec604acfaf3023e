/** An address as its parts; undefined when it is none. (Node 20's `URL.canParse` wrongly refuses letters such as ü once it is compiled.) */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}
