import { integer } from '../../runtime/form/field';

/** The number of results from an index without pagination. */
export const numberOfResults = (description: string) =>
	integer({ displayName: 'Number of Results', min: 1, max: 100, default: 10, description });
