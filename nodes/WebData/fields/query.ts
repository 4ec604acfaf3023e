import { required, string } from '../../runtime/form/field';

/** The search query. */
export const query = (shown: { placeholder: string; max?: number; description: string }) =>
	required(string({ displayName: 'Query', ...shown }));
