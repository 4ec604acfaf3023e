import type { INode } from 'n8n-workflow';

/**
 * Whether the node runs as a tool: n8n appends `Tool` to its type. A model sees only the JSON of
 * items.
 */
export const isTool = ({ type }: Pick<INode, 'type'>) => type.endsWith('Tool');
