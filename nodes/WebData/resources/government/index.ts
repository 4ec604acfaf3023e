import type { Resource } from '../../../runtime/operation/operation';
import { search } from './search';

export const government: Resource = {
	name: 'Government Source',
	value: 'government',
	operations: [search],
};
