import type { Resource } from '../../../runtime/operation/operation';
import { get } from './get';
import { getSimilar } from './getSimilar';
import { read } from './read';
import { search } from './search';

export const paper: Resource = {
	name: 'Paper',
	value: 'paper',
	operations: [search, get, read, getSimilar],
};
