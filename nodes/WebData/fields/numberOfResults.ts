import { integer } from '../../runtime/form/field';

/** How many results an index is to return: there are no pages. */
export const numberOfResults = (description: string) =>
	integer({ displayName: 'Number of Results', min: 1, max: 100, default: 10, description });
