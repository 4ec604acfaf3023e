import type { INodeProperties } from 'n8n-workflow';
import { required, string } from '../../runtime/field';

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

/** What is searched for. */
export const query = (shown: { placeholder: string; description: string; max?: number }) =>
	required(string({ displayName: 'Query', ...shown }));
