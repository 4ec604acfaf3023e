import type { Resource } from '../../../runtime/operation/operation';
import { feedback } from './feedback';
import { get } from './get';
import { scrape } from './scrape';

export const page: Resource = {
	name: 'Page',
	value: 'page',
	operations: [scrape, get, feedback],
};
