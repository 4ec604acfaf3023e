import type { Resource } from '../../runtime/operation';
import { search } from './search';

/** Every resource of the node, in the order in which the first is the default. */
export const resources: Resource[] = [search];
