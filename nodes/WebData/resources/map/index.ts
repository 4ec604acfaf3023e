import type { Resource } from '../../../runtime/operation/operation';
import { feedback } from './feedback';
import { get } from './get';

export const map: Resource = {
	name: 'Map',
	value: 'map',
	operations: [get, feedback],
};
