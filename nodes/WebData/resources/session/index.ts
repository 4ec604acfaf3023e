import type { Resource } from '../../../runtime/operation/operation';
import { create } from './create';
import { deleteSession } from './delete';
import { execute } from './execute';
import { getAll } from './getAll';
import { interact } from './interact';
import { stop } from './stop';

export const session: Resource = {
	name: 'Browser Session',
	value: 'session',
	operations: [interact, stop, create, execute, getAll, deleteSession],
};
