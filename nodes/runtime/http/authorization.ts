/**
 * The authorization header; none without a key, as on a self-hosted server
 * (https://docs.firecrawl.dev/api-reference/introduction).
 */
export function authorization(apiKey: unknown): { Authorization?: string } {
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	return key === '' ? {} : { Authorization: `Bearer ${key}` };
}
