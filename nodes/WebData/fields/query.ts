import { required, string } from '../../runtime/form/field';

/** What is searched for. */
export const query = (shown: { placeholder: string; max?: number; description: string }) =>
	required(string({ displayName: 'Query', ...shown }));
