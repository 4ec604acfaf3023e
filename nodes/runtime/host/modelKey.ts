/** Beginning of the expression by which a model fills a parameter. */
const fromAI = /\$fromAI\(\s*['"`]([\w-]{1,64})['"`]/i;

/**
 * The name under which a model fills a parameter, by its stored expression; undefined for others.
 *
 * Host: n8n replaces `$fromAI('key', …)` by the model's argument of that name.
 */
export const modelKeyOf = (stored: unknown): string | undefined =>
	typeof stored === 'string' ? fromAI.exec(stored)?.[1] : undefined;

/**
 * The expression by which n8n lets the AI model of an agent fill in a text, as the editor's button
 * writes it (https://docs.n8n.io/advanced-ai/examples/using-the-fromai-function). With a `fallback`,
 * the model may leave it out.
 */
export const fromModel = (name: string, description: string, fallback?: string): string =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${description}\`, 'string'${fallback === undefined ? '' : `, '${fallback}'`}) }}`;
