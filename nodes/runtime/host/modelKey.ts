/** Beginning of the expression by which a model fills a parameter. */
const fromAI = /\$fromAI\(\s*['"`]([\w-]{1,64})['"`]/i;

/**
 * The name under which a model fills a parameter, by its stored expression; undefined for others.
 *
 * Host: n8n replaces `$fromAI('key', …)` by the model's argument of that name.
 */
export const modelKeyOf = (stored: unknown): string | undefined =>
	typeof stored === 'string' ? fromAI.exec(stored)?.[1] : undefined;
