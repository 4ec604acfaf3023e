import type { Resource } from '../../../runtime/operation/operation';
import { search } from './search';

export const developer: Resource = {
	name: 'Developer Source',
	value: 'developer',
	operations: [search],
};
