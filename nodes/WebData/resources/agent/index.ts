import type { Resource } from '../../../runtime/operation/operation';
import { cancel } from './cancel';
import { get } from './get';
import { getSnapshot } from './getSnapshot';
import { getTrace } from './getTrace';
import { run } from './run';
import { start } from './start';

export const agent: Resource = {
	name: 'Agent',
	value: 'agent',
	operations: [run, start, get, cancel, getTrace, getSnapshot],
};
