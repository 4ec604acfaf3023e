import type { Resource } from '../../../runtime/operation/operation';
import { feedback } from './feedback';
import { passages } from './passages';
import { query } from './query';

export const search: Resource = {
	name: 'Search',
	value: 'search',
	operations: [query, passages, feedback],
};
