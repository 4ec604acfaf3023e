import type { INodeProperties } from 'n8n-workflow';
import { wholeNumber } from '../../../runtime/contract';

/** How many papers a list is to have (addendum 2, `k`; there are no pages). */
export const numberOfPapersField: INodeProperties = {
	displayName: 'Number of Papers',
	name: 'k',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 500 },
	default: 10,
	description: 'How many papers to return, 1 to 500; every 10 cost 2 credits',
};

/** How many papers the service returns unless told otherwise. */
export const usualNumber = 40;

export const numberOfPapers = () => wholeNumber({ min: 1, max: 500 });
