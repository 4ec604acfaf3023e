/** Parses JSON text; anything else, and text that is no JSON, comes back as it is. */
export function fromJson(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return value;
	}
}
