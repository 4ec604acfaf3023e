import type { Resource } from '../../../runtime/operation/operation';
import { sync } from './sync';

export const site: Resource = {
	name: 'Site',
	value: 'site',
	operations: [sync],
};
