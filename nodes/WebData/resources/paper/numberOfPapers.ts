import { integer } from '../../../runtime/form/field';

/** The number of papers in a list, which has no pagination. */
export const numberOfPapers = integer({
	displayName: 'Number of Papers',
	min: 1,
	max: 500,
	default: 10,
	description: 'Number of papers to return, 1 to 500',
});
