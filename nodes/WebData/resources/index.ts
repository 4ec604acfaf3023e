import type { Resource } from '../../runtime/operation';
import { agent } from './agent';
import { developer } from './developer';
import { paper } from './paper';
import { search } from './search';

/** Every resource of the node; the first is the default. */
export const resources: Resource[] = [search, agent, paper, developer];
