import type { Resource } from '../../../runtime/operation/operation';
import { cancel } from './cancel';
import { get } from './get';
import { getAll } from './getAll';
import { getSnapshot } from './getSnapshot';
import { getThread } from './getThread';
import { getTrace } from './getTrace';
import { run } from './run';
import { start } from './start';

export const agent: Resource = {
	name: 'Agent',
	value: 'agent',
	operations: [run, start, get, getAll, cancel, getTrace, getSnapshot, getThread],
};
