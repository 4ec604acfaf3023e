import type { Resource } from '../../../runtime/operation/operation';
import { feedback } from './feedback';
import { getFormats } from './getFormats';
import { parse } from './parse';

export const file: Resource = {
	name: 'File',
	value: 'file',
	operations: [parse, getFormats, feedback],
};
