import type { INodeProperties } from 'n8n-workflow';

/** Fields of a group in the order of their names, as the editor lists them. */
export const byName = (fields: INodeProperties[]): INodeProperties[] =>
	[...fields].sort((one, other) => one.displayName.localeCompare(other.displayName));
