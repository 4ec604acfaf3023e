import type { Resource } from '../../../runtime/operation/operation';
import { create } from './create';
import { deleteMonitor } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { getCheck } from './getCheck';
import { getChecks } from './getChecks';
import { run } from './run';
import { update } from './update';

export const monitor: Resource = {
	name: 'Monitor',
	value: 'monitor',
	operations: [create, get, getAll, update, deleteMonitor, run, getChecks, getCheck],
};
