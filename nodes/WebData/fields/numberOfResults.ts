import type { INodeProperties } from 'n8n-workflow';
import { wholeNumber } from '../../runtime/contract';

/** How many results an index is to return (`k`; there are no pages). */
export const numberOfResultsField = (description: string): INodeProperties => ({
	displayName: 'Number of Results',
	name: 'k',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 10,
	description,
});

export const numberOfResults = () => wholeNumber({ min: 1, max: 100 });
