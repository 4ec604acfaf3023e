import type { Resource } from '../../../runtime/operation';
import { feedback } from './feedback';
import { query } from './query';

export const search: Resource = { name: 'Search', value: 'search', operations: [query, feedback] };
