import { required, string, type FieldTexts } from '../../runtime/form/field';

/** The search query. */
export const query = (shown: Omit<FieldTexts, 'displayName'> & { max?: number }) =>
	required(string({ displayName: 'Query', ...shown }));
