import { triggerFields } from './settings';

/**
 * The trigger's parameters. The build replaces this module by its value, so that loading the node
 * computes nothing.
 */
export const properties = triggerFields;
