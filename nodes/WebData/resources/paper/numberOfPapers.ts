import { integer } from '../../../runtime/form/field';

/** How many papers a list is to have: there are no pages. */
export const numberOfPapers = integer({
	displayName: 'Number of Papers',
	min: 1,
	max: 500,
	default: 10,
	description: 'Number of papers to return, 1 to 500',
});
