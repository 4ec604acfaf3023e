import type { INodeProperties } from 'n8n-workflow';

/** What is searched for. */
export const queryField = ({
	placeholder,
	description,
}: {
	placeholder: string;
	description: string;
}): INodeProperties => ({
	displayName: 'Query',
	name: 'query',
	type: 'string',
	required: true,
	default: '',
	placeholder,
	description,
});
