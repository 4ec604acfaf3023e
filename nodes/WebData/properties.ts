import { describe } from '../runtime/operation/describe';
import { resources } from './resources';

/** The node's parameters. The build puts the value in this module's place, so that loading the node computes nothing. */
export const properties = describe(resources);
