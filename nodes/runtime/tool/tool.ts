import type { INode } from 'n8n-workflow';
import { fieldOf } from '../values/record';

/** Whether the node runs as a tool, whose type n8n ends in `Tool`: a model sees only the JSON of items. */
export const isTool = ({ type }: Pick<INode, 'type'>) => type.endsWith('Tool');

/**
 * Whether a client of n8n's MCP server calls the tool. It recognizes an error only if the tool
 * throws it, whereas the AI Agent 2.2 gets an empty text then, and the AI Agent 3 of earlier n8n
 * ends.
 *
 * Host: n8n has the parent of a tool in its context, but not in its types.
 */
export const isForMcpServer = (context: object): boolean => {
	const type = fieldOf(Reflect.get(context, 'parentNode'), 'type');
	return typeof type === 'string' && /\.mcpTrigger$/i.test(type);
};

/** Beginning of the expression by which a model fills a parameter. */
const fromAI = /\$fromAI\(\s*['"`]([\w-]{1,64})['"`]/i;

/** The name under which a model fills a parameter, since n8n replaces `$fromAI('key', …)`; undefined for others. */
export const modelKeyOf = (stored: unknown): string | undefined =>
	typeof stored === 'string' ? fromAI.exec(stored)?.[1] : undefined;

/** The expression that lets a model fill in a text, as the editor writes it; with a `fallback`, it may leave it out. */
export const fromModel = (name: string, description: string, fallback?: string): string =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${description}\`, 'string'${fallback === undefined ? '' : `, '${fallback}'`}) }}`;
