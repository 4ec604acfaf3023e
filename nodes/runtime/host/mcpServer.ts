import { fieldOf } from '../values/record';

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
