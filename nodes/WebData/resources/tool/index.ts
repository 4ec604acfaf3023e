import type { Resource } from '../../../runtime/operation/operation';
import { execute } from './execute';
import { find } from './find';

export const tool: Resource = { name: 'Data Tool', value: 'tool', operations: [find, execute] };
